import { MismatchError } from '../schema.ts';
import { showPath } from './value-path.ts';

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
    const letter = text[at];
    const level = levels.at(-1);
    if (letter === '{') levels.push({ keys: new Set(), step: '' });
    else if (letter === '[') levels.push({ keys: undefined, step: 0 });
    else if (letter === '}' || letter === ']') levels.pop();
    else if (letter === ',' && typeof level?.step === 'number') level.step++;
    else if (letter === '"') {
      const end = endOfString(text, at);
      if (level?.keys !== undefined && /^\s*:/.test(text.slice(end + 1, end + 100))) {
        level.step = JSON.parse(text.slice(at, end + 1));
        if (level.keys.has(String(level.step))) {
          return new MismatchError(showPath(levels.map(({ step }) => step)), 'every key once', 'the key twice');
        }
        level.keys.add(String(level.step));
      }
      at = end;
    }
  }
  return undefined;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}
