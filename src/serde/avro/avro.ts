import { noNumbers } from '../number-text.ts';
import type { Codec, Decoder, SchemaSource } from '../schema.ts';
import { carefulDecoder } from './careful.ts';
import { type Census, takeCensus } from './census.ts';
import { checkDefaults, createEncoder } from './encode.ts';
import { exampleOf } from './example.ts';
import { fastDecoder } from './fast.ts';
import type { AvroType } from './model.ts';
import { naturalOf } from './natural.ts';
import { parseSchema } from './parse-schema.ts';

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
