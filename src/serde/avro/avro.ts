import type { Codec, Decoder, SchemaSource } from '../schema.ts';
import { carefulDecoder } from './careful.ts';
import { takeCensus } from './census.ts';
import { createEncoder } from './encode.ts';
import { exampleOf } from './example.ts';
import { type DecodeFast, fastDecoder } from './fast.ts';
import type { AvroType } from './model.ts';
import { parseSchema } from './parse-schema.ts';

/**
 * Compiles an Avro schema. The JSON is Avro's own: a value of a union is `{"name of its type": value}` or null, bytes are
 * text with one character per byte, and logical types are shown as what they are stored as.
 * @throws SchemaError with the JSON path of what is wrong
 */
export function compileAvro(source: SchemaSource): Codec {
  const type = parseSchema(source);
  // It checks the defaults.
  if (source.isNew === true) createEncoder(type);
  let decoder: Decoder | undefined;
  return {
    decoder() {
      decoder ??= decoderOf(type);
      return decoder;
    },
    encoder: () => createEncoder(type),
    example: ({ random } = {}) => exampleOf(type, random),
  };
}

/** Schemas with more types than this are decoded without generated code, which would take long to compile. */
const mostTypes = 5000;

function decoderOf(type: AvroType): Decoder {
  const careful = carefulDecoder(type);
  const fast = fastOf(type);
  return {
    decode(source, start, end, arena) {
      if (fast?.(source, start, end, arena) !== true) careful(source, start, end, arena);
    },
  };
}

function fastOf(type: AvroType): DecodeFast | undefined {
  const census = takeCensus(type);
  if (census.types > mostTypes) return undefined;
  try {
    return fastDecoder(type, census);
  } catch (error) {
    // Node.js can be told not to generate code.
    if (error instanceof EvalError) return undefined;
    throw error;
  }
}
