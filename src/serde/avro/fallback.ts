import { createArena } from '../../bytes/arena.ts';
import { MismatchError, SchemaError } from '../schema.ts';
import type { Field } from './model.ts';
import { startWriting, type Write } from './writing.ts';

/** The encoded defaults; null while one is being encoded. */
const encoded = new WeakMap<Field, Buffer | null>();

/** Defaults of records contain the defaults of their fields, and could double with every level. */
const mostBytes = 2 ** 20;

/**
 * Returns the encoded default of a field that has one.
 * @throws SchemaError if the default does not fit the type
 */
export function fallbackOf(field: Field, write: Write): Buffer {
  const known = encoded.get(field);
  if (known === null) throw new SchemaError(`${field.place}.default: the default contains itself`);
  if (known !== undefined) return known;
  encoded.set(field, null);
  try {
    const bytes = encode(field, write);
    encoded.set(field, bytes);
    return bytes;
  } catch (error) {
    encoded.delete(field);
    if (!(error instanceof MismatchError)) throw error;
    const { path, expected, found } = error;
    throw new SchemaError(`${field.place}.default${path.slice(1)}: expected ${expected}, found ${found}`);
  }
}

function encode({ fallback, place }: Field, write: Write): Buffer {
  const arena = createArena(64);
  write(fallback ?? null, startWriting(arena, true));
  if (arena.length > mostBytes)
    throw new SchemaError(`${place}.default: the default is larger than ${mostBytes} bytes`);
  return arena.bytes.subarray(0, arena.length);
}
