import type { Codec, SchemaSource } from './schema.ts';

/**
 * Compiles a schema; loads only the code for its format.
 * @throws SchemaError if the schema is not valid
 */
export async function codecOf(source: SchemaSource): Promise<Codec> {
  if (source.type === 'AVRO') return (await import('./avro/avro.ts')).compileAvro(source);
  if (source.type === 'PROTOBUF') return (await import('./protobuf/protobuf.ts')).compileProtobuf(source);
  return (await import('./json-schema/json-schema.ts')).compileJsonSchema(source);
}
