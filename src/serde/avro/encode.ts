import { createArena, takeBytes } from '../../bytes/arena.ts';
import { duplicateKeyError, parseInput } from '../json/input.ts';
import type { Encoder } from '../schema.ts';
import { fallbackOf } from './fallback.ts';
import type { AvroType } from './model.ts';
import { type RecordWriters, writerOf } from './write-containers.ts';
import { startWriting, type Write } from './writing.ts';

/**
 * Creates an encoder. Besides the form that decoders print, a union takes a value without its tag if exactly one branch
 * can take it. A default that does not fit its type is an error only for a value that needs it.
 */
export function createEncoder(type: AvroType): Encoder {
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
export function checkDefaults(type: AvroType): void {
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
