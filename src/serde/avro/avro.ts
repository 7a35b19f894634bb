import { createArena, takeBytes } from '../../bytes/arena.ts';
import { duplicateKeyError, parseInput } from '../json/input.ts';
import { noNumbers } from '../number-text.ts';
import type { Codec, Decoder, Encoder, SchemaSource } from '../schema.ts';
import { carefulDecoder } from './careful.ts';
import { type Census, takeCensus } from './census.ts';
import { exampleOf } from './example.ts';
import { fallbackOf } from './fallback.ts';
import { fastDecoder } from './fast.ts';
import type { AvroType } from './model.ts';
import { naturalOf } from './natural.ts';
import { parseSchema } from './parse-schema.ts';
import { type RecordWriters, writerOf } from './write-containers.ts';
import { startWriting, type Write } from './writing.ts';

/**
 * Compiles an Avro schema. The JSON is Avro's own: a value of a union is `{"name of its type": value}` or null, bytes are
 * text with one character per byte, and logical types are shown as what they are stored as, except that a decimal is a
 * number.
 * @throws SchemaError with the JSON path of what is wrong
 */
export function compileAvro(source: SchemaSource): Codec {
  const type = parseSchema(source);
  if (source.isNew === true) checkDefaults(type);
  let decoder: Decoder | undefined;
  let keeps: Codec['keeps'] | undefined;
  return {
    decoder() {
      decoder ??= decoderOf(type);
      return decoder;
    },
    encoder: () => createEncoder(type),
    keeps(text) {
      keeps ??= keeper(takeCensus(type));
      return keeps(text);
    },
    example: ({ random } = {}) => exampleOf(type, random),
  };
}

/** Strings and the keys of maps are stored as they are; bytes are, as far as they are ASCII. */
function keeper({ words, hasBytes }: Census): Codec['keeps'] {
  const all = [...words, ...noNumbers].join('\n');
  return (text) => !all.includes(text) && !(hasBytes && /[^ -~]/.test(text));
}

/** Schemas with more types than this are decoded without generated code, which would take long to compile. */
const mostTypes = 5000;

function decoderOf(type: AvroType): Decoder {
  const careful = carefulDecoder(type);
  const census = takeCensus(type);
  const fast = census.types > mostTypes ? undefined : fastDecoder(type, census);
  return {
    decode(source, start, end, arena) {
      if (fast?.(source, start, end, arena) !== true) careful(source, start, end, arena);
    },
    natural: naturalOf(type),
  };
}

/**
 * Creates an encoder. Besides the form that decoders print, a union takes a value without its tag if exactly one branch
 * can take it. A default that does not fit its type is an error only for a value that needs it.
 */
function createEncoder(type: AvroType): Encoder {
  const { write } = compile(type);
  const arena = createArena(1 << 10);
  return {
    encode(json) {
      const sources = new Map<number, string>();
      const { value, keys } = parseInput(json, sources);
      arena.length = 0;
      const writing = startWriting(arena, { isDefault: false, left: mostOfDefaults(json.length), sources });
      write(value, writing);
      const doubled = keys > writing.keys ? duplicateKeyError(json.toString()) : undefined;
      if (doubled !== undefined) throw doubled;
      return takeBytes(arena);
    },
  };
}

/** How much defaults may add: a payload of `{}` could otherwise be as large as the author of the schema likes. */
function mostOfDefaults(jsonBytes: number): number {
  return 2 ** 26 + jsonBytes * 64;
}

/**
 * Checks the defaults of a new schema.
 * @throws SchemaError if the default of a field does not fit its type
 */
function checkDefaults(type: AvroType): void {
  const { records } = compile(type);
  for (const { fields } of records.made.keys()) {
    for (const field of fields)
      if (field.fallback !== undefined) fallbackOf(field, writerOf(field.type, records), records.fallbacks);
  }
}

function compile(type: AvroType): { readonly write: Write; readonly records: RecordWriters } {
  const records: RecordWriters = { made: new Map(), rest: [], fallbacks: { encoded: new Map(), bytes: 0 } };
  const write = writerOf(type, records);
  for (let next = records.rest.pop(); next !== undefined; next = records.rest.pop()) next();
  return { write, records };
}
