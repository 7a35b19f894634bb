import { MismatchError } from '../schema.ts';
import { type ParsedJson, parseJson } from './json-value.ts';
import { showPath } from './value-path.ts';

/**
 * Parses the JSON of a value to encode, as `parseJson` does.
 * @throws MismatchError if the text is not JSON or not UTF-8, or too deep
 */
export function parseInput(json: Buffer, sources?: Map<number, string>): ParsedJson {
  try {
    return parseJson(json, sources);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new MismatchError('$', 'JSON', `text that is not JSON: ${error.message}`);
  }
}

/** An object or array that is open. */
interface Level {
  /** The keys of an object so far; undefined for an array. */
  readonly keys: Set<string> | undefined;
  step: string | number;
}

/** Returns the error for the first key that an object has twice; the text must be JSON. */
export function duplicateKeyError(text: string): MismatchError | undefined {
  const levels: Level[] = [];
  for (let at = 0; at < text.length; at++) {
    const level = levels.at(-1);
    switch (text[at]) {
      case '{':
        levels.push({ keys: new Set(), step: '' });
        break;
      case '[':
        levels.push({ keys: undefined, step: 0 });
        break;
      case '}':
      case ']':
        levels.pop();
        break;
      case ',':
        if (typeof level?.step === 'number') level.step++;
        break;
      case '"': {
        const end = endOfString(text, at);
        if (level !== undefined && isKeyTwice(level, text, at, end)) {
          return new MismatchError(showPath(levels.map(({ step }) => step)), 'every key once', 'the key twice');
        }
        at = end;
      }
    }
  }
  return undefined;
}

/** Takes note of the string if it is a key; returns true if its object has it already. */
function isKeyTwice(level: Level, text: string, start: number, end: number): boolean {
  if (level.keys === undefined || !/^\s*:/.test(text.slice(end + 1, end + 100))) return false;
  const key: string = JSON.parse(text.slice(start, end + 1));
  level.step = key;
  const isTwice = level.keys.has(key);
  level.keys.add(key);
  return isTwice;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}
