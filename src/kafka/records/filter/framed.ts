import { maxSchemaId, schemaIdAt } from '../../../serde/wire-format.ts';
import type { RecordCursor } from '../batches/cursor.ts';
import type { Fault, RecordView } from './record-view.ts';

/** Whether the key or value of the record under the cursor seems to begin with the id of a schema. */
export function seemsFramed(cursor: RecordCursor, field: 'key' | 'value'): boolean {
  const isKey = field === 'key';
  const start = isKey ? cursor.keyStart : cursor.valueStart;
  const id = schemaIdAt(cursor, start, isKey ? cursor.keyLength : cursor.valueLength);
  return id > 0 && id <= maxSchemaId;
}

/** What to do about records with such a key or value that conditions see as text. */
export function framedHint(field: 'key' | 'value'): string {
  return `decode the ${field}s, which seem to start with a schema id: --use-schema-registry=${field}`;
}

/** Why a key or value, as it is shown, has no fields or elements: it may be more than the text that conditions see. */
export function textFault(view: RecordView, shown: string, reason: string): Fault {
  if (shown !== 'key' && shown !== 'value') return { reason };
  const unread = view[shown]?.unread;
  if (unread !== undefined) return { reason: `${shown} ${unread}` };
  const isFramed = view.fields[shown] === undefined && seemsFramed(view.cursor, shown);
  const plain = `the ${shown}s are not JSON: for plain text, use --contains TEXT or ${shown}AsText`;
  return { reason, hint: isFramed ? framedHint(shown) : plain };
}
