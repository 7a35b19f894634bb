import { appendBytes, createArena } from '../../bytes/arena.ts';
import { MismatchError, SchemaError } from '../schema.ts';
import { describe, type Field } from './model.ts';
import { mismatch, startWriting, type Write, type Writing } from './writing.ts';

/** The encoded defaults of a schema. */
export interface Fallbacks {
  /** Null for one that is being encoded. */
  readonly encoded: Map<Field, Buffer | null>;
  /** Their length together. */
  bytes: number;
}

/** Defaults of records contain the defaults of their fields, and could double with every level. */
const mostBytes = 2 ** 20;
const mostBytesTogether = 2 ** 24;

/**
 * Appends the default of a field that has one.
 * @throws MismatchError if the default does not fit the type: registries have such schemas, which are good enough for
 * values that have the field
 */
export function appendFallback(writing: Writing, field: Field, write: Write, fallbacks: Fallbacks): void {
  const bytes = usableFallback(writing, field, write, fallbacks);
  writing.left -= bytes.length + 1;
  if (writing.left < 0) mismatch(writing, 'fewer values that consist of defaults', null, 'too many');
  appendBytes(writing.arena, bytes);
}

function usableFallback(writing: Writing, field: Field, write: Write, fallbacks: Fallbacks): Buffer {
  try {
    return fallbackOf(field, write, fallbacks);
  } catch (error) {
    // Inside another default, which says so.
    if (!(error instanceof SchemaError) || writing.isDefault) throw error;
    writing.path.push(field.name);
    return mismatch(writing, describe(field.type), undefined, `no value, and an invalid default (${error.message})`);
  }
}

/**
 * Returns the encoded default of a field that has one.
 * @throws SchemaError if the default does not fit the type, or is too large
 */
export function fallbackOf(field: Field, write: Write, fallbacks: Fallbacks): Buffer {
  const { encoded } = fallbacks;
  const cached = encoded.get(field);
  if (cached === null) throw new SchemaError(`${field.path}.default: the default contains itself`);
  if (cached !== undefined) return cached;
  encoded.set(field, null);
  let bytes: Buffer;
  try {
    bytes = encode(field, write);
  } catch (error) {
    encoded.delete(field);
    if (!(error instanceof RangeError)) throw error;
    throw new SchemaError(`${field.path}.default: the default consists of too many others`);
  }
  encoded.set(field, bytes);
  fallbacks.bytes += bytes.length;
  if (fallbacks.bytes <= mostBytesTogether) return bytes;
  throw new SchemaError(`${field.path}.default: the defaults are larger than ${mostBytesTogether} bytes together`);
}

function encode({ fallback, path: at }: Field, write: Write): Buffer {
  const arena = createArena(64);
  const writing = startWriting(arena, { isDefault: true, left: mostBytes });
  const tooLarge = new SchemaError(`${at}.default: the default is larger than ${mostBytes} bytes`);
  try {
    write(fallback ?? null, writing);
  } catch (error) {
    if (!(error instanceof MismatchError)) throw error;
    if (writing.left < 0) throw tooLarge;
    const { path, expected, found } = error;
    throw new SchemaError(`${at}.default${path.slice(1)}: expected ${expected}, found ${found}`);
  }
  if (arena.length > mostBytes) throw tooLarge;
  return Buffer.from(arena.bytes.subarray(0, arena.length));
}
