import { isUtf8 } from 'node:buffer';
import { duplicateKeyError } from '../json/duplicate-key.ts';
import type { JsonValue } from '../json/json-value.ts';
import { type Codec, type Decoder, type Encoder, MismatchError, PayloadError, type SchemaSource } from '../schema.ts';
import { appendCompact } from './compact.ts';
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
    example: () => exampleOf(validation),
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
