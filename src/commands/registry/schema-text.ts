import { indentJson } from '../../format/json-indent.ts';
import { type Cell, table } from '../../format/table.ts';
import type { View } from '../../format/view.ts';
import type { RegisteredSchema, SubjectVersion } from '../../registry/rows.ts';

/** A version, with what its schema refers to if that is known. */
type ShownVersion = SubjectVersion & Partial<Pick<RegisteredSchema, 'references'>>;

/** One line per version, with a column of references, as `--references` takes them, if there are any. */
export function versionTable(rows: readonly ShownVersion[], view: View): string {
  const hasReferences = rows.some(({ references = [] }) => references.length > 0);
  const cells = rows.map(({ subject, version, id, type, references = [] }): Cell[] => {
    const names = references.map((one) => `${one.name}:${one.subject}:${one.version}`).join(',');
    return [subject, version, id, type, ...(hasReferences ? [names === '' ? null : names] : [])];
  });
  return table(['subject', 'version', 'id', 'type', ...(hasReferences ? ['references'] : [])], cells, view);
}

/** A schema as a person reads it: JSON is indented, Protobuf stays as it is. Ends with a newline. */
export function shownSchema({ type, schema }: Pick<RegisteredSchema, 'type' | 'schema'>): string {
  const text = type === 'PROTOBUF' ? schema : indentJson(schema);
  return text.endsWith('\n') ? text : `${text}\n`;
}
