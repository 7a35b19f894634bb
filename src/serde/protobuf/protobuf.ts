import { ScalarType } from '@bufbuild/protobuf';
import { noNumbers } from '../number-text.ts';
import type { Codec, Decoder, SchemaSource } from '../schema.ts';
import { createDecoder } from './decode/decoder.ts';
import { createEncoder, typeOf } from './encode/encoder.ts';
import { exampleOf } from './example.ts';
import { type Files, readFiles } from './files.ts';

/** The most decoders that are kept; records can have made-up indexes in a header. */
const mostDecoders = 100;

/**
 * Compiles a Protobuf schema: a .proto text, or a FileDescriptorProto in base64.
 * @throws SchemaError if it is not valid, or imports something that is not there
 */
export function compileProtobuf(source: SchemaSource): Codec {
  const files = readFiles(source);
  const decoders = new Map<string, Decoder>();
  let keeps: Codec['keeps'] | undefined;
  return {
    decoder(options = {}) {
      const key = options.bare?.join() ?? 'framed';
      const existing = decoders.get(key);
      if (existing !== undefined) return existing;
      const decoder = createDecoder(files, options);
      if (decoders.size < mostDecoders) decoders.set(key, decoder);
      return decoder;
    },
    encoder: (options) => createEncoder(files, options),
    keeps(text) {
      keeps ??= keeper(files);
      return keeps(text);
    },
    example: (options = {}) => exampleOf(files, typeOf(files, options), options.random),
  };
}

/** The alphabet of base64. */
const base64 = /^[A-Za-z\d+/=]*$/;
/** What integers of 64 bits, times and durations consist of; JSON has them as texts. */
const written = /^[-+.:\dTZs]*$/;

/** Strings are stored as they are; other texts in JSON are names, symbols, or written in another form. */
function keeper({ registry }: Files): Codec['keeps'] {
  const words: string[] = ['@type', ...noNumbers];
  let [hasBytes, hasPaths] = [false, false];
  for (const one of registry) {
    words.push(one.typeName);
    // Not all at once: a call takes only so many arguments.
    if (one.kind === 'enum') for (const { name } of one.values) words.push(name);
    if (one.kind !== 'message' && one.kind !== 'extension') continue;
    // The paths of a mask are written in another case.
    hasPaths ||= one.typeName === 'google.protobuf.FieldMask';
    for (const field of one.kind === 'message' ? one.fields : [one]) {
      words.push(field.name, field.jsonName);
      hasBytes ||= field.scalar === ScalarType.BYTES;
    }
  }
  const all = words.join('\n');
  return (text) => !hasPaths && !all.includes(text) && !written.test(text) && !(hasBytes && base64.test(text));
}
