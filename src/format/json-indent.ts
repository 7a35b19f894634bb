/** Deeper JSON is not indented: its blanks would take much more room than its text. */
const deepest = 100;

/**
 * Indents JSON by two spaces without changing its values: numbers keep all their digits, and keys their order. Text
 * that is not JSON, or is nested too deep, stays as it is. `outer` is how deep the line is indented in which it begins.
 */
export function indentJson(text: string, outer = 0): string {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  const tokens = tokensOf(text);
  const pieces: string[] = [];
  let depth = 0;
  for (const [at, token] of tokens.entries()) {
    const next = tokens[at + 1] ?? '';
    if (opens(token)) depth += 1;
    if (depth > deepest) return text;
    if (closes(next)) depth -= 1;
    pieces.push(token, gap(token, next, outer + depth));
  }
  return pieces.join('');
}

function opens(token: string): boolean {
  return token === '{' || token === '[';
}

function closes(token: string): boolean {
  return token === '}' || token === ']';
}

/** What stands between two tokens. @param depth that of the second one */
function gap(token: string, next: string, depth: number): string {
  if (opens(token)) return closes(next) ? '' : newLine(depth);
  if (token === ',' || closes(next)) return newLine(depth);
  return token === ':' ? ' ' : '';
}

/** Removes the blanks from JSON without changing its values. */
export function compactJson(text: string): string {
  return tokensOf(text).join('');
}

const boundary = /[\s{}[\],:"]/g;

/** Strings, brackets, commas, colons, and words or numbers; blanks between them are left out. */
function tokensOf(json: string): readonly string[] {
  const tokens: string[] = [];
  for (let at = 0; at < json.length; ) {
    const end = endOfToken(json, at);
    if (json[at] !== undefined && !/\s/.test(json[at] ?? '')) tokens.push(json.slice(at, end));
    at = end;
  }
  return tokens;
}

function endOfToken(json: string, at: number): number {
  if (json[at] === '"') return endOfString(json, at);
  // Looking for what ends a word needs no stack, however long the word is.
  boundary.lastIndex = at;
  return Math.max(boundary.exec(json)?.index ?? json.length, at + 1);
}

/** A regular expression for a whole string would need a stack as long as the string. */
function endOfString(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at >= 0; at = json.indexOf('"', at + 1)) {
    let slashes = 0;
    while (json[at - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
  return json.length;
}

function newLine(depth: number): string {
  return `\n${'  '.repeat(depth)}`;
}
