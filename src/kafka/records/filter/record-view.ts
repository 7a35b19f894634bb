import type { JsonValue } from '../../../serde/json/json-value.ts';
import { DeepJsonError, parseJson } from '../../../serde/json/json-value.ts';
import { branchAt, naturalPlace } from '../../../serde/natural.ts';
import { nextHeader, openHeaders } from '../batches/batch-reader.ts';
import { exactOffset, exactTimestamp, offsetsAreSafe, type RecordCursor, timestampIsSafe } from '../batches/cursor.ts';
import type { DecodedFields, RecordField } from '../language/decoding.ts';

/** What a record and an expression have in common: the record under a cursor, read as far as expressions ask. */
export interface RecordView {
  cursor: RecordCursor;
  /** The key and value as they were decoded; undefined for the record's own bytes. */
  readonly fields: Partial<DecodedFields>;
  /** The variables of loops around what is evaluated. */
  readonly locals: JsonValue[];
  /** The branches of unions that they came from. */
  readonly localBranches: (string | undefined)[];
  /** The branch of a union that the value which was read last came from; undefined if it was in no union. */
  branch: string | undefined;
  /** The work done for this record. */
  steps: number;
  /** Why the last comparison could not be decided. */
  fault: Fault | undefined;
  keyText: string | null | undefined;
  valueText: string | null | undefined;
  key: ViewedField | undefined;
  value: ViewedField | undefined;
  headers: { readonly [name: string]: JsonValue } | undefined;
}

/** A key or value, and the branch that it came from if its schema is a union. */
interface ViewedField {
  readonly value: JsonValue;
  readonly branch: string | undefined;
  /** Why it is text although it looks like JSON; undefined for other text, and if it is none. */
  readonly unread?: string;
}

/** Why something is not known of a record. */
export interface Fault {
  readonly reason: string;
  /** What to do about it, if it is so in many records. */
  readonly hint?: string;
  /** The name that is missing, and what it was looked for in. */
  readonly missing?: string;
  readonly in?: JsonValue;
}

/** Creates a view that is pointed at records with `lookAt`. */
export function createView(cursor: RecordCursor, fields: Partial<DecodedFields>): RecordView {
  return {
    cursor,
    fields,
    locals: [],
    localBranches: [],
    branch: undefined,
    steps: 0,
    fault: undefined,
    keyText: undefined,
    valueText: undefined,
    key: undefined,
    value: undefined,
    headers: undefined,
  };
}

/** Points the view at the record under the cursor. */
export function lookAt(view: RecordView, cursor: RecordCursor): void {
  view.cursor = cursor;
  view.steps = 0;
  view.fault = undefined;
  view.keyText = undefined;
  view.valueText = undefined;
  view.key = undefined;
  view.value = undefined;
  view.headers = undefined;
}

/** Returns the key as text: as JSON if it was decoded; null if there is none. */
export function keyTextOf(view: RecordView): string | null {
  if (view.keyText === undefined) {
    const { bytes, keyStart, keyLength } = view.cursor;
    view.keyText = textOf(view.fields.key ?? { bytes, start: keyStart, length: keyLength });
  }
  return view.keyText;
}

/** Returns the value as text: as JSON if it was decoded; null for a tombstone. */
export function valueTextOf(view: RecordView): string | null {
  if (view.valueText === undefined) {
    const { bytes, valueStart, valueLength } = view.cursor;
    view.valueText = textOf(view.fields.value ?? { bytes, start: valueStart, length: valueLength });
  }
  return view.valueText;
}

type TextSource = Pick<RecordField, 'bytes' | 'start' | 'length'>;

function textOf({ bytes, start, length }: TextSource): string | null {
  return length < 0 ? null : bytes.toString('utf8', start, start + length);
}

/**
 * Returns the key: parsed if it is a JSON object or list, or was decoded; otherwise as text. What was decoded is what the
 * JSON stands for.
 */
export function keyIn(view: RecordView): JsonValue {
  const { bytes, keyStart, keyLength } = view.cursor;
  view.key ??= viewed(view.fields.key, { bytes, start: keyStart, length: keyLength });
  view.branch = view.key.branch;
  return view.key.value;
}

/** Returns the value, likewise. */
export function valueIn(view: RecordView): JsonValue {
  const { bytes, valueStart, valueLength } = view.cursor;
  view.value ??= viewed(view.fields.value, { bytes, start: valueStart, length: valueLength });
  view.branch = view.value.branch;
  return view.value.value;
}

function viewed(field: RecordField | undefined, raw: TextSource): ViewedField {
  const parsed = parsedOf(field ?? raw, field?.schema !== undefined);
  if (parsed instanceof DeepJsonError) {
    return { value: textOf(field ?? raw), branch: undefined, unread: parsed.message.replace('it ', '') };
  }
  if (parsed === undefined) return { value: textOf(field ?? raw), branch: undefined };
  if (field?.natural === undefined) return { value: parsed, branch: undefined };
  const holder = { [naturalPlace]: parsed };
  field.natural.apply(holder, naturalPlace);
  return { value: holder[naturalPlace] as JsonValue, branch: branchAt(holder, naturalPlace) };
}

/** Returns undefined if the bytes are to be taken as text, or an error if that is so only for their depth; of undecoded ones, scalars are text. */
function parsedOf({ bytes, start, length }: TextSource, isDecoded: boolean): JsonValue | DeepJsonError | undefined {
  if (length <= 0) return undefined;
  if (!isDecoded && !startsStructure(bytes, start, start + length)) return undefined;
  try {
    return parseJson(bytes.subarray(start, start + length)).value;
  } catch (error) {
    return error instanceof DeepJsonError ? error : undefined;
  }
}

function startsStructure(bytes: Buffer, start: number, end: number): boolean {
  let at = start;
  while (at < end && isSpace(bytes[at] as number)) at++;
  return at < end && (bytes[at] === 0x7b || bytes[at] === 0x5b);
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}

/** Returns the headers by name; of several with one name, the last one counts. */
export function headersOf(view: RecordView): { readonly [name: string]: JsonValue } {
  if (view.headers === undefined) {
    const headers: Record<string, JsonValue> = Object.create(null);
    eachHeader(view, (name, value) => {
      headers[name] = value;
    });
    view.headers = headers;
  }
  view.branch = undefined;
  return view.headers;
}

/** Calls `take` with every header in order. */
export function eachHeader({ cursor }: RecordView, take: (name: string, value: string | null) => void): void {
  openHeaders(cursor);
  while (nextHeader(cursor)) {
    const { bytes, headerKeyStart, headerKeyLength, headerValueStart, headerValueLength } = cursor;
    const name = bytes.toString('utf8', headerKeyStart, headerKeyStart + headerKeyLength);
    take(name, textOf({ bytes, start: headerValueStart, length: headerValueLength }));
  }
}

/** Returns the offset; a number if that is exact. */
export function offsetOf({ cursor }: RecordView): number | bigint {
  return offsetsAreSafe(cursor) ? cursor.offset : exactOffset(cursor);
}

/** Returns the timestamp in milliseconds; a number if that is exact. */
export function timestampOf({ cursor }: RecordView): number | bigint {
  return timestampIsSafe(cursor) ? cursor.timestamp : exactTimestamp(cursor);
}
