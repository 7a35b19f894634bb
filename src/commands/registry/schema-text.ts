import type { Column } from '../../cli/forms/columns.ts';
import { indentJson } from '../../format/json-indent.ts';
import type { RegisteredSchema, SubjectVersion } from '../../registry/rows.ts';

/** A version, with what its schema refers to if that is known. */
type ShownVersion = SubjectVersion & Partial<Pick<RegisteredSchema, 'references'>>;

/** The columns of versions, with references, as `--references` takes them, if there are any. */
export const versionColumns: readonly Column<ShownVersion>[] = [
  'subject',
  'version',
  'id',
  'type',
  [
    'references',
    ({ references = [] }) => references.map((one) => `${one.name}:${one.subject}:${one.version}`).join(',') || null,
    (rows) => rows.some(({ references = [] }) => references.length > 0),
  ],
];

/** A schema as a person reads it: JSON is indented, Protobuf stays as it is. Ends with a newline. */
export function shownSchema({ type, schema }: Pick<RegisteredSchema, 'type' | 'schema'>): string {
  const text = type === 'PROTOBUF' ? schema : indentJson(schema);
  return text.endsWith('\n') ? text : `${text}\n`;
}
