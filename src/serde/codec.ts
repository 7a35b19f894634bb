import { type Codec, SchemaError, type SchemaSource } from './schema.ts';

/** The most characters of a schema with its references; registries keep schemas of 1 MB unless they are configured. */
const mostText = 8 * 1024 * 1024;

/** Returns the number of characters of a schema with its references. */
export function lengthOf({ text, references }: SchemaSource): number {
  return references.reduce((sum, one) => sum + one.text.length, text.length);
}

/**
 * Compiles a schema; loads only the code for its format.
 * @throws SchemaError if the schema is not valid, or longer than 8 MiB with its references
 */
export async function codecOf(source: SchemaSource): Promise<Codec> {
  if (lengthOf(source) > mostText)
    throw new SchemaError(`it is longer than ${mostText} characters with its references`);
  if (source.type === 'AVRO') return (await import('./avro/avro.ts')).compileAvro(source);
  if (source.type === 'PROTOBUF') return (await import('./protobuf/protobuf.ts')).compileProtobuf(source);
  return (await import('./json-schema/json-schema.ts')).compileJsonSchema(source);
}
