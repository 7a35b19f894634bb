/** Constructs after which characters may mean something else, or in the place of which others may stand. */
const beyond = /\(\?|\||\\[pPxQC\d]/;

/** Letters after a backslash stand for more than one character; everything else for itself. */
const escapedLetter = /[A-Za-z0-9]/;

interface Reading {
  readonly characters: readonly string[];
  at: number;
  run: string;
  longest: string;
  depth: number;
}

/**
 * Returns a text that every match of a regular expression (RE2) contains: the longest run of plain characters outside
 * of groups; undefined if there is none.
 */
export function literalIn(pattern: string): string | undefined {
  if (beyond.test(pattern)) return undefined;
  const reading: Reading = { characters: [...pattern], at: 0, run: '', longest: '', depth: 0 };
  while (reading.at < reading.characters.length) step(reading);
  endRun(reading);
  return reading.longest === '' ? undefined : reading.longest;
}

function endRun(reading: Reading): void {
  if (reading.run.length > reading.longest.length) reading.longest = reading.run;
  reading.run = '';
}

function step(reading: Reading): void {
  const { characters, at } = reading;
  const character = characters[at] as string;
  reading.at += 1;
  switch (character) {
    case '\\':
      reading.at += 1;
      take(reading, escapedLetter.test(characters[at + 1] ?? 'A') ? undefined : characters[at + 1]);
      return;
    case '[':
      skipClass(reading);
      take(reading, undefined);
      return;
    case '(':
      endRun(reading);
      reading.depth += 1;
      return;
    case ')':
      reading.depth -= 1;
      take(reading, undefined);
      return;
    case '^':
    case '$':
    case '.':
    case '*':
    case '+':
    case '?':
      take(reading, undefined);
      return;
    case '{':
      skipBraces(reading);
      endRun(reading);
      return;
    default:
      take(reading, character);
  }
}

/** Takes a character that every match contains, unless it may be repeated zero times; undefined ends the run. */
function take(reading: Reading, character: string | undefined): void {
  const next = reading.characters[reading.at];
  const isOptional = next === '*' || next === '?' || next === '{';
  if (character === undefined || isOptional || reading.depth > 0) endRun(reading);
  else reading.run += character;
}

function skipClass(reading: Reading): void {
  const { characters } = reading;
  if (characters[reading.at] === '^') reading.at += 1;
  if (characters[reading.at] === ']') reading.at += 1;
  while (reading.at < characters.length && characters[reading.at] !== ']') {
    if (characters[reading.at] === '[' && characters[reading.at + 1] === ':') reading.at = endOfName(reading);
    else reading.at += characters[reading.at] === '\\' ? 2 : 1;
  }
  reading.at += 1;
}

/** The position after `[:alpha:]`, or after the bracket if it is only that. */
function endOfName({ characters, at }: Reading): number {
  const end = characters.indexOf(']', at);
  return end > 0 && characters[end - 1] === ':' ? end + 1 : at + 1;
}

function skipBraces(reading: Reading): void {
  const end = reading.characters.indexOf('}', reading.at);
  reading.at = end < 0 ? reading.characters.length : end + 1;
}
