/**
 * Returns the text of a member of a JSON object, exactly as it is written; of the last one if there are several. The
 * text must be valid JSON and the member must be there.
 */
export function memberText(json: string, name: string): string {
  let found = '';
  let at = skipSpace(json, 0) + 1; // after the brace
  for (;;) {
    at = skipSpace(json, at);
    if (json[at] === '}' || at >= json.length) return found;
    const keyEnd = endOfValue(json, at);
    const key: unknown = JSON.parse(json.slice(at, keyEnd));
    const start = skipSpace(json, skipSpace(json, keyEnd) + 1); // after the colon
    const end = endOfValue(json, start);
    if (key === name) found = json.slice(start, end);
    at = skipSpace(json, end);
    if (json[at] === ',') at += 1;
  }
}

function skipSpace(json: string, from: number): number {
  let at = from;
  while (at < json.length && ' \n\r\t'.includes(json.charAt(at))) at += 1;
  return at;
}

/** Returns the position after the value that begins at `from`. */
function endOfValue(json: string, from: number): number {
  if (json[from] === '"') return endOfString(json, from);
  if (json[from] !== '{' && json[from] !== '[') return endOfWord(json, from);
  let depth = 0;
  for (let at = from; at < json.length; at += 1) {
    const character = json.charAt(at);
    if (character === '"') at = endOfString(json, at) - 1;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return json.length;
}

/** Returns the position after a number, `true`, `false` or `null`. */
function endOfWord(json: string, from: number): number {
  let at = from;
  while (at < json.length && !',}] \n\r\t'.includes(json.charAt(at))) at += 1;
  return at;
}

function endOfString(json: string, from: number): number {
  let at = from + 1;
  while (json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at + 1;
}
