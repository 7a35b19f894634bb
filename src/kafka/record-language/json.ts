import { type Arena, appendAscii, appendBytes, type ViewedBytes } from '../records/arena.ts';
import { nextHeader, openHeaders } from '../records/batch-reader.ts';
import {
  controlType,
  exactOffset,
  isControlBatch,
  isLogAppendTime,
  offsetsAreSafe,
  type RecordCursor,
  type RecordOrigin,
} from '../records/cursor.ts';
import type { CompiledFormat } from './format.ts';
import { appendDecimal } from './format-number.ts';
import { writeJsonText } from './json-text.ts';

/** How records become JSON. */
export interface JsonFormatOptions {
  /** Two-space indent instead of one record a line. */
  readonly pretty?: boolean;
  /** Leave the value out, say its size. */
  readonly metaOnly?: boolean;
}

/** The punctuation of one style; everything else is the same in both. */
interface Style {
  readonly open: string;
  /** Between the fields of the record. */
  readonly next: string;
  readonly colon: string;
  readonly close: string;
  readonly openHeaders: string;
  readonly nextHeader: string;
  readonly openHeader: string;
  readonly nextInHeader: string;
  readonly closeHeader: string;
  readonly closeHeaders: string;
}

const compact: Style = {
  open: '{',
  next: ',',
  colon: ':',
  close: '}\n',
  openHeaders: '[',
  nextHeader: ',',
  openHeader: '{',
  nextInHeader: ',',
  closeHeader: '}',
  closeHeaders: ']',
};

const indented: Style = {
  open: '{\n  ',
  next: ',\n  ',
  colon: ': ',
  close: '\n}\n',
  openHeaders: '[\n    ',
  nextHeader: ',\n    ',
  openHeader: '{\n      ',
  nextInHeader: ',\n      ',
  closeHeader: '\n    }',
  closeHeaders: '\n  ]',
};

/**
 * The JSON envelope as a compiled format: one object per record with a newline at its end. Nothing
 * is lost: a null key or value is absent where an empty one is `""`; bytes that are not UTF-8 are
 * base64 and say so in `key_encoding` or `value_encoding`; headers are a list, in order; markers of transactions say
 * what they are in `control`.
 */
export function compileJson({ pretty = false, metaOnly = false }: JsonFormatOptions = {}): CompiledFormat {
  const style = pretty ? indented : compact;
  const writeKey = fieldWriter('key', style.next, style);
  const writeValue = fieldWriter('value', style.next, style);
  const writeHeaders = headersWriter(style);
  const [valueSize, timestamp, partition, offset] = ['value_size', 'timestamp', 'partition', 'offset'].map(
    (name) => `${style.next}"${name}"${style.colon}`,
  ) as [string, string, string, string];
  const appendTime = `${style.next}"timestamp_type"${style.colon}"append"`;
  const control = `${style.next}"control"${style.colon}`;
  const writeTopic = topicWriter(style);
  return (cursor, arena) => {
    writeTopic(arena, cursor.origin);
    writeKey(arena, cursor, cursor.keyStart, cursor.keyLength);
    if (!metaOnly) writeValue(arena, cursor, cursor.valueStart, cursor.valueLength);
    else appendNumber(arena, valueSize, Math.max(cursor.valueLength, 0));
    if (cursor.headerCount > 0) writeHeaders(cursor, arena);
    appendNumber(arena, timestamp, cursor.timestamp);
    if (isLogAppendTime(cursor)) appendAscii(arena, appendTime);
    appendNumber(arena, partition, cursor.origin.partition);
    if (offsetsAreSafe(cursor)) appendNumber(arena, offset, cursor.offset);
    else appendAscii(arena, offset + exactOffset(cursor).toString());
    if (isControlBatch(cursor)) appendAscii(arena, `${control}"${controlType(cursor)}"`);
    appendAscii(arena, style.close);
  };
}

function appendNumber(arena: Arena, name: string, value: number): void {
  appendAscii(arena, name);
  appendDecimal(arena, value);
}

/** The beginning of a record is the same for all of a partition: it is kept. */
function topicWriter(style: Style): (arena: Arena, origin: RecordOrigin) => void {
  let last: RecordOrigin | undefined;
  let text = Buffer.alloc(0);
  return (arena, origin) => {
    if (origin !== last) {
      last = origin;
      text = Buffer.from(`${style.open}"topic"${style.colon}${JSON.stringify(origin.topic)}`);
    }
    appendBytes(arena, text);
  };
}

type WriteField = (arena: Arena, source: ViewedBytes, start: number, length: number) => void;

/** A nullable field: absent when null, with a marker behind it when it is base64. */
function fieldWriter(name: string, before: string, style: Style): WriteField {
  const opening = `${before}"${name}"${style.colon}`;
  const marker = `${before || style.nextInHeader}"${name}_encoding"${style.colon}"base64"`;
  return (arena, source, start, length) => {
    if (length < 0) return;
    appendAscii(arena, opening);
    if (!writeJsonText(arena, source, start, length)) appendAscii(arena, marker);
  };
}

function headersWriter(style: Style): (cursor: RecordCursor, arena: Arena) => void {
  const opening = `${style.next}"headers"${style.colon}${style.openHeaders}`;
  const writeKey = fieldWriter('key', '', style);
  const writeValue = fieldWriter('value', style.nextInHeader, style);
  const nullValue = `${style.nextInHeader}"value"${style.colon}null`;
  return (cursor, arena) => {
    openHeaders(cursor);
    appendAscii(arena, opening);
    let isFirst = true;
    while (nextHeader(cursor)) {
      if (!isFirst) appendAscii(arena, style.nextHeader);
      isFirst = false;
      appendAscii(arena, style.openHeader);
      writeKey(arena, cursor, cursor.headerKeyStart, cursor.headerKeyLength);
      if (cursor.headerValueLength < 0) appendAscii(arena, nullValue);
      else writeValue(arena, cursor, cursor.headerValueStart, cursor.headerValueLength);
      appendAscii(arena, style.closeHeader);
    }
    appendAscii(arena, style.closeHeaders);
  };
}
