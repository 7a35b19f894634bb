import { createArena, viewOver } from '../../../src/bytes/arena.ts';
import { compileAvro } from '../../../src/serde/avro/avro.ts';
import { carefulDecoder } from '../../../src/serde/avro/careful.ts';
import { takeCensus } from '../../../src/serde/avro/census.ts';
import { fastDecoder } from '../../../src/serde/avro/fast.ts';
import { parseSchema } from '../../../src/serde/avro/parse-schema.ts';
import { seededRandom } from '../../../src/serde/random.ts';
import type { SchemaSource } from '../../../src/serde/schema.ts';
import type { JavaAvro } from './java-avro.ts';
import { randomSchema } from './random-schemas.ts';

/** A schema without references. */
export function sourceOf(text: string): SchemaSource {
  return { type: 'AVRO', text, references: [] };
}

/** Both decoders of a schema: what generated code makes of a payload (undefined if it gives up), and the careful one. */
export function decodersOf(text: string): {
  readonly fast: (payload: Buffer) => string | undefined;
  readonly careful: (payload: Buffer) => string;
} {
  const type = parseSchema(sourceOf(text));
  const [fast, careful] = [fastDecoder(type, takeCensus(type)), carefulDecoder(type)];
  return {
    fast(payload) {
      const { source, arena } = framed(payload);
      if (fast?.(source, 7, 7 + payload.length, arena) !== true) return undefined;
      return arena.bytes.toString('utf8', 2, arena.length);
    },
    careful(payload) {
      const { source, arena } = framed(payload);
      careful(source, 7, 7 + payload.length, arena);
      return arena.bytes.toString('utf8', 2, arena.length);
    },
  };
}

/** A payload between other bytes, and an arena that is not empty and small enough to grow on the way. */
function framed(payload: Buffer): {
  source: { bytes: Buffer; view: DataView };
  arena: ReturnType<typeof createArena>;
} {
  const bytes = Buffer.concat([Buffer.alloc(7, 0x80), payload, Buffer.from([2, 2, 2, 2])]);
  const arena = createArena(64);
  arena.length = 2;
  return { source: { bytes, view: viewOver(bytes) }, arena };
}

/** What an exchange found. */
export interface Exchanged {
  readonly records: number;
  readonly bytes: number;
  /** One text for each difference. */
  readonly faults: readonly string[];
}

/**
 * Lets Java make random records of random schemas and compares in both directions: its binary decodes here to its JSON,
 * our JSON is its value there, and what we encode is its value there. Every seed stands for a schema.
 */
export async function exchange(java: JavaAvro, seeds: readonly number[], each: number): Promise<Exchanged> {
  const faults: string[] = [];
  let [records, bytes] = [0, 0];
  for (const seed of seeds) {
    const text = randomSchema(seed);
    const fault = (what: string): void => void faults.push(`seed ${seed}: ${what}\n  schema ${text.slice(0, 2000)}`);
    const [taken = ''] = await java.ask([`schema ${text}`]);
    if (taken !== 'ok') {
      fault(`Java refuses the schema: ${taken}`);
      continue;
    }
    const lines = await java.ask([`random ${each} ${Math.floor(seededRandom(seed)() * 2 ** 31)}`], each);
    const { fast, careful } = decodersOf(text);
    const encoder = compileAvro(sourceOf(text)).encoder();
    const questions: string[] = [];
    for (const [index, line] of lines.entries()) {
      if (line.startsWith('no ')) throw new Error(`seed ${seed}: Java made no values: ${line}`);
      const [hex = '', json = ''] = splitOnce(line);
      const payload = Buffer.from(hex, 'hex');
      const ours = careful(payload);
      if (fast(payload) !== ours) fault(`generated code makes ${fast(payload)} of ${hex}, the careful decoder ${ours}`);
      if (!isSameJson(ours, json)) fault(`${hex} is ${json} there and ${ours} here`);
      const encoded = Buffer.from(encoder.encode(Buffer.from(ours))).toString('hex');
      const theirs = Buffer.from(encoder.encode(Buffer.from(json))).toString('hex');
      questions.push(`binary ${index} ${encoded}`);
      // Java's JSON lacks the sign of a zero in a float.
      if (!ours.includes('-0.0')) questions.push(`binary ${index} ${theirs}`);
      // Java writes these but does not read them.
      if (!/"(NaN|-?Infinity)"/.test(ours)) questions.push(`json ${index} ${ours}`);
      records++;
      bytes += payload.length;
    }
    for (const [index, answer] of (await java.ask(questions)).entries()) {
      if (answer !== 'same') fault(`${questions[index]}: ${answer}`);
    }
  }
  return { records, bytes, faults };
}

function splitOnce(line: string): readonly string[] {
  const at = line.indexOf(' ');
  return [line.slice(0, at), line.slice(at + 1)];
}

/** Compares JSON: integers digit by digit, other numbers as what they stand for, at least with the precision of a float. */
export function isSameJson(one: string, other: string): boolean {
  return isSame(parse(one), parse(other));
}

/** The text of a number. */
interface Digits {
  readonly digits: string;
}

function parse(text: string): unknown {
  const revive = (_: string, value: unknown, context?: { readonly source?: string }): unknown =>
    typeof value === 'number' ? { digits: context?.source } : value;
  return JSON.parse(text, revive as (key: string, value: unknown) => unknown);
}

function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other;
  if (isDigits(one) && isDigits(other)) return isSameNumber(one.digits, other.digits);
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length || Array.isArray(one) !== Array.isArray(other)) return false;
  return keys.every((key) => Object.hasOwn(other, key) && isSame(Reflect.get(one, key), Reflect.get(other, key)));
}

function isDigits(value: object): value is Digits {
  return 'digits' in value;
}

function isSameNumber(one: string, other: string): boolean {
  if (/^-?\d+$/.test(one) && /^-?\d+$/.test(other)) return one === other;
  return Object.is(Number(one), Number(other)) || Math.fround(Number(one)) === Math.fround(Number(other));
}
