import { arrayOf, integerSchema, nullable, object, type Schema, string, wordOf } from '../../cli/output/schema.ts';
import { indentJson } from '../../format/json-indent.ts';
import { type Cell, table } from '../../format/table.ts';
import type { View } from '../../format/view.ts';
import type { SchemaRow, VersionRow } from '../../registry/rows.ts';

/** The types of schemas in JSON. */
export const typeSchema: Schema = wordOf('AVRO', 'PROTOBUF', 'JSON');

/** The JSON keys of a version of a subject. */
export const versionFields = { subject: string, version: integerSchema, id: integerSchema, type: typeSchema };

/** A version of a subject with its schema in JSON. */
export const schemaRowSchema: Schema = object({
  ...versionFields,
  schema: string,
  references: arrayOf(object({ name: string, subject: string, version: integerSchema })),
  metadata: nullable({ type: 'object' }),
});

/** One line per version. */
export function versionTable(rows: readonly VersionRow[], view: View): string {
  return table(
    ['subject', 'version', 'id', 'type'],
    rows.map(({ subject, version, id, type }): Cell[] => [subject, version, id, type]),
    view,
  );
}

/** A schema as a person reads it: JSON is indented, Protobuf stays as it is. Ends with a newline. */
export function shownSchema({ type, schema }: Pick<SchemaRow, 'type' | 'schema'>): string {
  const text = type === 'PROTOBUF' ? schema : indentJson(schema);
  return text.endsWith('\n') ? text : `${text}\n`;
}
