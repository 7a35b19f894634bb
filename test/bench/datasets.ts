import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';

/** The properties of a file of lines. */
export interface LinesShape {
  readonly records: number;
  /** Size of each value without its line end. */
  readonly valueBytes: number;
  /** Whether each value is preceded by `k00000001 `. */
  readonly keyed: boolean;
  /** `json`: each value is a JSON object of many short fields; words and numbers otherwise. */
  readonly values?: 'json' | 'words';
}

const seed = 20_261_121;
const words = 'order paid sent open shop cart mail user item price total date city zip ok no yes id ref note'.split(
  ' ',
);

/** The values of a file of JSON objects, one a line. */
export interface Objects {
  readonly records: number;
  make(at: number): unknown;
}

/** Writes lines that are the same on every machine: words and numbers, which a codec packs about 2:1 as text does. */
export async function writeLines(path: string, { records, valueBytes, keyed, values }: LinesShape): Promise<void> {
  const value = values === 'json' ? jsonValue : wordsValue;
  const random = seededRandom(seed);
  await writeFile(path, records, (number) => {
    const key = keyed ? `k${String(number).padStart(8, '0')} ` : '';
    return `${key}${value(random, valueBytes)}\n`;
  });
}

/** Writes an object of JSON on each line. */
export function writeObjects(path: string, { records, make }: Objects): Promise<void> {
  return writeFile(path, records, (number) => `${JSON.stringify(make(number))}\n`);
}

async function writeFile(path: string, count: number, line: (number: number) => string): Promise<void> {
  const file = createWriteStream(path, { highWaterMark: 1 << 20 });
  let chunk = '';
  for (let number = 0; number < count; number += 1) {
    chunk += line(number);
    if (chunk.length < 1 << 20) continue;
    const more = file.write(chunk);
    chunk = '';
    if (!more) await new Promise<void>((done) => file.once('drain', done));
  }
  file.end(chunk);
  await finished(file);
}

function wordsValue(random: () => number, bytes: number): string {
  let text = '';
  while (text.length < bytes) {
    const draw = random();
    text += `${words[draw % words.length]}=${(draw >>> 8).toString(36)};`;
  }
  return text.slice(0, bytes);
}

/** A JSON object of exactly so many bytes. */
function jsonValue(random: () => number, bytes: number): string {
  const last = '"note":""}';
  let text = '{';
  for (let field = 0; text.length < bytes - 40; field += 1) {
    const draw = random();
    text += `"${words[draw % words.length]}${field}":"${(draw >>> 8).toString(36)}",`;
  }
  return `${text}${last.slice(0, -2)}${'-'.repeat(Math.max(0, bytes - text.length - last.length))}"}`;
}

/** Whole numbers below 2^32, the same sequence for the same seed (xorshift32). */
function seededRandom(start: number): () => number {
  let state = start;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}
