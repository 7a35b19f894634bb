import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';

/** The properties of a file of lines. */
export interface LinesShape {
  readonly records: number;
  /** Size of each value without its line end. */
  readonly valueBytes: number;
  /** Whether each value is preceded by `k00000001 `. */
  readonly keyed: boolean;
}

const seed = 20_261_121;
const words = 'order paid sent open shop cart mail user item price total date city zip ok no yes id ref note'.split(
  ' ',
);

/** Writes lines that are the same on every machine: words and numbers that compress about 2:1, like text. */
export async function writeLines(path: string, { records, valueBytes, keyed }: LinesShape): Promise<void> {
  const random = seededRandom(seed);
  const file = createWriteStream(path, { highWaterMark: 1 << 20 });
  let chunk = '';
  for (let number = 0; number < records; number += 1) {
    chunk += `${keyed ? `k${String(number).padStart(8, '0')} ` : ''}${value(random, valueBytes)}\n`;
    if (chunk.length < 1 << 20) continue;
    const more = file.write(chunk);
    chunk = '';
    if (!more) await new Promise<void>((done) => file.once('drain', done));
  }
  file.end(chunk);
  await finished(file);
}

function value(random: () => number, bytes: number): string {
  let text = '';
  while (text.length < bytes) {
    const draw = random();
    text += `${words[draw % words.length]}=${(draw >>> 8).toString(36)};`;
  }
  return text.slice(0, bytes);
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
