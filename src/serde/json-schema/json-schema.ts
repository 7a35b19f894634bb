import { isUtf8 } from 'node:buffer';
import { type Arena, reserve } from '../../bytes/arena.ts';
import { duplicateKeyError } from '../json/input.ts';
import type { JsonValue } from '../json/json-value.ts';
import { type Codec, type Decoder, type Encoder, MismatchError, PayloadError, type SchemaSource } from '../schema.ts';
import { compile, type Fault, type Validation } from './compile.ts';
import { exampleOf } from './example.ts';
import { TooManySteps, Undecided } from './run.ts';

/**
 * Compiles a JSON Schema. A payload is JSON text that is valid.
 * @throws SchemaError if the schema is not valid, refers to something that is not there, or cannot be checked in a
 * bounded time
 */
export function compileJsonSchema(source: SchemaSource): Codec {
  const validation = compile(source);
  return {
    decoder: () => createDecoder(validation),
    encoder: () => createEncoder(validation),
    keeps: () => true,
    example: ({ random } = {}) => exampleOf(validation, random),
  };
}

function createDecoder(validation: Validation): Decoder {
  return {
    decode(source, start, end, arena) {
      const json = source.bytes.subarray(start, end);
      const fault = faultIn(validation, json);
      // What is stored is shown, even if it cannot be decided whether it is valid.
      if (fault !== undefined && fault !== undecided) {
        throw new PayloadError(`expected ${fault.expected}, found ${fault.found}`, fault.path);
      }
      appendCompact(arena, json);
    },
  };
}

function createEncoder(validation: Validation): Encoder {
  return {
    encode(json) {
      const fault = faultIn(validation, json);
      if (fault !== undefined) throw new MismatchError(fault.path, fault.expected, fault.found);
      const twice = duplicateKeyError(json.toString());
      if (twice !== undefined) throw twice;
      return json;
    },
  };
}

const undecided: Fault = {
  path: '$',
  expected: 'a value that can be validated',
  found: 'one that a pattern with lookaround, a backreference or many repeats decides about, which could take forever',
};

function faultIn(validation: Validation, json: Buffer): Fault | undefined {
  if (!isUtf8(json)) return { path: '$', expected: 'JSON', found: 'bytes that are not UTF-8' };
  let value: JsonValue;
  try {
    value = JSON.parse(json.toString());
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : 'it is nested too deep';
    return { path: '$', expected: 'JSON', found: `text that is not JSON: ${reason}` };
  }
  try {
    return validation.check(value, json.length);
  } catch (error) {
    if (error instanceof Undecided) return undecided;
    if (error instanceof TooManySteps) {
      return { path: '$', expected: 'a value that can be validated in a bounded time', found: 'too many alternatives' };
    }
    if (error instanceof RangeError) return { path: '$', expected: 'a value of bounded depth', found: 'a deeper one' };
    throw error;
  }
}

const [quote, backslash, space] = [0x22, 0x5c, 0x20];
const separatorStart = Buffer.from([0xe2, 0x80]);

/**
 * Appends JSON text without the blanks between its tokens, and with everything else as it is: long numbers, keys that
 * are there twice, the order of keys. Only U+2028 and U+2029, which many readers take for the end of a line, are
 * escaped. The text must be JSON.
 */
function appendCompact(arena: Arena, json: Buffer): void {
  const source = json.includes(separatorStart) ? withoutSeparators(json) : json;
  reserve(arena, source.length);
  const target = arena.bytes;
  let to = arena.length;
  let isText = false;
  for (let at = 0; at < source.length; at++) {
    const byte = source[at] as number;
    if (byte <= space && !isText) continue;
    target[to++] = byte;
    if (byte === quote) isText = !isText;
    else if (byte === backslash) target[to++] = source[++at] as number;
  }
  arena.length = to;
}

function withoutSeparators(json: Buffer): Buffer {
  return Buffer.from(json.toString().replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029'));
}
