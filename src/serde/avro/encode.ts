import { createArena, takeBytes } from '../../bytes/arena.ts';
import { duplicateKeyError } from '../json/duplicate-key.ts';
import { type ParsedJson, parseJson } from '../json/json-value.ts';
import { type Encoder, MismatchError, SchemaError } from '../schema.ts';
import { fallbackOf } from './fallback.ts';
import type { AvroType, Field } from './model.ts';
import { type RecordWriters, writerOf } from './write-containers.ts';
import { startWriting, type Write } from './writing.ts';

/**
 * Creates an encoder. Besides the form that decoders print, a union takes a value without its tag if exactly one branch
 * can take it.
 * @throws SchemaError if the default of a field does not fit its type
 */
export function createEncoder(type: AvroType): Encoder {
  const write = compile(type);
  const arena = createArena(1 << 10);
  return {
    encode(json) {
      const { value, keys } = parse(json);
      arena.length = 0;
      const writing = startWriting(arena, false);
      write(value, writing);
      const doubled = keys > writing.keys ? duplicateKeyError(json.toString()) : undefined;
      if (doubled !== undefined) throw doubled;
      return takeBytes(arena);
    },
  };
}

function compile(type: AvroType): Write {
  const records: RecordWriters = { made: new Map(), rest: [] };
  const write = writerOf(type, records);
  for (let next = records.rest.pop(); next !== undefined; next = records.rest.pop()) next();
  for (const { fields } of records.made.keys()) {
    for (const field of fields) if (field.fallback !== undefined) checkFallback(field, writerOf(field.type, records));
  }
  return write;
}

function checkFallback(field: Field, write: Write): void {
  try {
    fallbackOf(field, write);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new SchemaError(`${field.place}.default: the default consists of too many others`);
  }
}

function parse(json: Buffer): ParsedJson {
  try {
    return parseJson(json);
  } catch (error) {
    throw new MismatchError('$', 'JSON', `text that is not JSON: ${(error as Error).message}`);
  }
}
