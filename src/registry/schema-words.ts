import type { SchemaType } from './rows.ts';

/** The compatibility levels. */
export const compatibilityLevels = [
  'BACKWARD',
  'BACKWARD_TRANSITIVE',
  'FORWARD',
  'FORWARD_TRANSITIVE',
  'FULL',
  'FULL_TRANSITIVE',
  'NONE',
] as const;

/** The types of schemas, by their names and by the endings of their usual files. */
export const schemaTypes: ReadonlyMap<string, SchemaType> = new Map([
  ['avro', 'AVRO'],
  ['avsc', 'AVRO'],
  ['protobuf', 'PROTOBUF'],
  ['proto', 'PROTOBUF'],
  ['json', 'JSON'],
]);

/** The type of a schema by the ending of its file; undefined for other endings. */
export function typeOfFile(file: string): SchemaType | undefined {
  return schemaTypes.get(/\.([a-z]+)$/i.exec(file)?.[1]?.toLowerCase() ?? '');
}
