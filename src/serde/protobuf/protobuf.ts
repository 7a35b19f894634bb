import type { Codec, SchemaSource } from '../schema.ts';
import { createDecoder } from './decode/decoder.ts';
import { createEncoder, typeOf } from './encode/encoder.ts';
import { exampleOf } from './example.ts';
import { readFiles } from './files.ts';

/**
 * Compiles a Protobuf schema: a .proto text, or a FileDescriptorProto in base64.
 * @throws SchemaError if it is not valid, or imports something that is not there
 */
export function compileProtobuf(source: SchemaSource): Codec {
  const files = readFiles(source);
  return {
    decoder: (options) => createDecoder(files, options),
    encoder: (options) => createEncoder(files, options),
    example: (options = {}) => exampleOf(files, typeOf(files, options)),
  };
}
