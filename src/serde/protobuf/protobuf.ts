import type { Codec, Decoder, SchemaSource } from '../schema.ts';
import { createDecoder } from './decode/decoder.ts';
import { createEncoder, typeOf } from './encode/encoder.ts';
import { exampleOf } from './example.ts';
import { readFiles } from './files.ts';
import { keeper } from './keeps.ts';

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
      const known = decoders.get(key);
      if (known !== undefined) return known;
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
