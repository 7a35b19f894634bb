import { isUtf8 } from 'node:buffer';
import {
  type Arena,
  appendAscii,
  appendBytes,
  appendLiteral,
  copyInto,
  type Literal,
  literalOf,
  reserve,
  type ViewedBytes,
} from '../../../bytes/arena.ts';
import { appendDecimal } from '../../../bytes/decimal.ts';
import { jsonTextWriter } from '../../../bytes/json-text/json-text.ts';
import { compactJson, indentJson } from '../../../format/json-indent.ts';
import { escapeUnit, escapeUnsafe } from '../../../format/printable.ts';
import { nextHeader, openHeaders } from '../batches/batch-reader.ts';
import {
  controlType,
  exactOffset,
  exactTimestamp,
  isControlBatch,
  isLogAppendTime,
  offsetsAreSafe,
  type RecordCursor,
  type RecordOrigin,
  timestampIsSafe,
} from '../batches/cursor.ts';
import type { DecodedFields, RecordField } from './decoding.ts';
import type { CompiledFormat } from './format.ts';

/** The options of the JSON format. */
export interface JsonFormatOptions {
  /** Whether to indent by two spaces instead of writing one record per line. */
  readonly pretty?: boolean;
  /** Whether to write the size of the value instead of the value. */
  readonly metaOnly?: boolean;
  /** Whether to write each record as a YAML document; texts in it are quoted as in JSON. */
  readonly isYaml?: boolean;
  /** Whether to escape also what could control a terminal, or make one text look like another. */
  readonly isForTerminal?: boolean;
  /** Whether to write keys and values that are JSON objects or arrays as JSON instead of as strings. */
  readonly parsesJson?: boolean;
}

/** The punctuation of one style; everything else is the same for both. */
interface Style {
  readonly isIndented: boolean;
  /** The quotation mark around the names of fields. */
  readonly quote: '"' | '';
  readonly open: string;
  /** The separator between the fields of the record. */
  readonly next: string;
  readonly colon: string;
  readonly close: string;
  /** What follows the name of the list of headers. */
  readonly openHeaders: string;
  readonly nextHeader: string;
  readonly openHeader: string;
  readonly nextInHeader: string;
  readonly closeHeader: string;
  readonly closeHeaders: string;
}

const compact: Style = {
  isIndented: false,
  quote: '"',
  open: '{',
  next: ',',
  colon: ':',
  close: '}\n',
  openHeaders: ':[',
  nextHeader: ',',
  openHeader: '{',
  nextInHeader: ',',
  closeHeader: '}',
  closeHeaders: ']',
};

const indented: Style = {
  isIndented: true,
  quote: '"',
  open: '{\n  ',
  next: ',\n  ',
  colon: ': ',
  close: '\n}\n',
  openHeaders: ': [\n    ',
  nextHeader: ',\n    ',
  openHeader: '{\n      ',
  nextInHeader: ',\n      ',
  closeHeader: '\n    }',
  closeHeaders: '\n  ]',
};

const yaml: Style = {
  isIndented: false,
  quote: '',
  open: '---\n',
  next: '\n',
  colon: ': ',
  close: '\n',
  openHeaders: ':\n  - ',
  nextHeader: '\n  - ',
  openHeader: '',
  nextInHeader: '\n    ',
  closeHeader: '',
  closeHeaders: '',
};

/** The name of a field and what follows it. */
function named(name: string, { quote, colon }: Style): string {
  return `${quote}${name}${quote}${colon}`;
}

/**
 * Compiles the JSON envelope: one object per record with a newline at its end. It is lossless: a null key or value is
 * absent while an empty one is `""`, bytes that are not UTF-8 are base64 with `key_encoding` or `value_encoding`,
 * headers are an ordered list, and transaction markers have a `control` field. With `fields`, a decoded key or value is
 * JSON itself instead of a string, and `key_schema_id` or `value_schema_id` names its schema.
 */
export function compileJson(options: JsonFormatOptions = {}, fields?: DecodedFields): CompiledFormat {
  const { pretty = false, metaOnly = false, isYaml = false, isForTerminal = false, parsesJson = false } = options;
  const style = isYaml ? yaml : pretty ? indented : compact;
  const writeTopic = topicWriter(style);
  const bytesWriter = parsesJson ? parsedWriter : wholeWriter;
  const writeKey = recordFieldWriter(bytesWriter('key', style), ['key', style], fields?.key);
  const writeValue = recordFieldWriter(bytesWriter('value', style), ['value', style], fields?.value);
  const writeHeaders = headersWriter(style);
  const writePlace = placeWriter(style);
  const valueSize = literalOf(style.next + named('value_size', style));
  const control = style.next + named('control', style);
  const close = literalOf(style.close);
  const escapes = escapesOf(isYaml, isForTerminal);
  return (cursor, arena) => {
    const start = arena.length;
    writeTopic(arena, cursor.origin);
    writeKey(arena, cursor, cursor.keyStart, cursor.keyLength);
    if (!metaOnly) writeValue(arena, cursor, cursor.valueStart, cursor.valueLength);
    else {
      appendLiteral(arena, valueSize);
      appendDecimal(arena, Math.max(cursor.valueLength, 0));
    }
    if (cursor.headerCount > 0) writeHeaders(cursor, arena);
    writePlace(cursor, arena);
    if (offsetsAreSafe(cursor)) appendDecimal(arena, cursor.offset);
    else appendAscii(arena, exactOffset(cursor).toString());
    if (isControlBatch(cursor)) appendAscii(arena, `${control}"${controlType(cursor)}"`);
    appendLiteral(arena, close);
    if (escapes !== undefined) escapeRecord(arena, start, escapes);
  };
}

/** What JSON may contain in a text and YAML may not, or takes for the end of a line. */
const notInYaml = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** What to escape in a record beside what JSON demands. */
interface Escapes {
  /** For each byte, 1 if a character with an escape may begin with it. */
  readonly starts: Uint8Array;
  apply(text: string): string;
}

const yamlStarts = Uint8Array.from({ length: 256 }, (_, byte) => ([0x7f, 0xc2, 0xe2, 0xef].includes(byte) ? 1 : 0));
const terminalStarts = new Uint8Array(256).fill(1, 0x7f);

function escapesOf(isYaml: boolean, isForTerminal: boolean): Escapes | undefined {
  const forYaml = (text: string): string => text.replace(notInYaml, yamlEscape);
  if (!isForTerminal) return isYaml ? { starts: yamlStarts, apply: forYaml } : undefined;
  const apply = (text: string): string =>
    isYaml ? escapeUnsafe(forYaml(text), yamlEscape) : escapeUnsafe(text, jsonEscape);
  return { starts: terminalStarts, apply };
}

function jsonEscape(character: string): string {
  return character.split('').map(escapeUnit).join('');
}

/** YAML has no pairs of surrogates. */
function yamlEscape(character: string): string {
  if (character.length === 1) return escapeUnit(character);
  return `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`;
}

/** Escapes characters of the record that was written from `start` on; they can only be in quoted texts. */
function escapeRecord(arena: Arena, start: number, { starts, apply }: Escapes): void {
  const { bytes, length } = arena;
  let at = start;
  while (at < length && starts[bytes[at] as number] === 0) at++;
  if (at === length) return;
  const text = bytes.toString('utf8', at, length);
  arena.length = at;
  appendBytes(arena, Buffer.from(apply(text)));
}

/** Writes a field of the record, or the decoded field. */
function recordFieldWriter(
  writeBytes: WriteField,
  [name, style]: readonly [name: 'key' | 'value', style: Style],
  field: RecordField | undefined,
): WriteField {
  if (field === undefined) return writeBytes;
  const opening = literalOf(style.next + named(name, style));
  const schemaOpening = literalOf(style.next + named(`${name}_schema_id`, style));
  return (arena) => {
    const { start, length, schema } = field;
    if (schema === undefined) return writeBytes(arena, field, start, length);
    appendLiteral(arena, opening);
    if (style.isIndented)
      appendBytes(arena, Buffer.from(indentJson(field.bytes.toString('utf8', start, start + length), 1)));
    else {
      reserve(arena, length);
      copyInto(arena, field.view, start, length);
    }
    appendLiteral(arena, schemaOpening);
    appendAscii(arena, JSON.stringify(schema));
  };
}

/** Writes a field of the record as a string. */
function wholeWriter(name: 'key' | 'value', style: Style): WriteField {
  return fieldWriter(name, style.next, style);
}

/** Writes a field of the record as JSON if it is an object or an array, otherwise as a string. */
function parsedWriter(name: 'key' | 'value', style: Style): WriteField {
  const writeBytes = wholeWriter(name, style);
  const opening = literalOf(style.next + named(name, style));
  return (arena, source, start, length) => {
    const json = jsonIn(source.bytes, start, length);
    if (json === undefined) return writeBytes(arena, source, start, length);
    appendLiteral(arena, opening);
    appendBytes(arena, Buffer.from(style.isIndented ? indentJson(json, 1) : compactJson(json)));
  };
}

/** The text of a field that is a JSON object or array; a string or a number would look like another field's text. */
function jsonIn(bytes: Buffer, start: number, length: number): string | undefined {
  const first = length < 2 ? undefined : bytes[start];
  if (first !== openBrace && first !== openBracket) return undefined;
  const field = bytes.subarray(start, start + length);
  if (!isUtf8(field)) return undefined;
  const text = field.toString();
  try {
    JSON.parse(text);
    return text;
  } catch {
    return undefined;
  }
}

const openBrace = 0x7b;
const openBracket = 0x5b;

/** Writes the topic and caches its text, which is the same for all records of a partition. */
function topicWriter(style: Style): (arena: Arena, origin: RecordOrigin) => void {
  let last: RecordOrigin | undefined;
  let text = literalOf('');
  return (arena, origin) => {
    if (origin !== last) {
      last = origin;
      text = literalOf(style.open + named('topic', style) + JSON.stringify(origin.topic));
    }
    appendLiteral(arena, text);
  };
}

/** Writes the timestamp and everything from there to the offset; caches the part that is the same for a partition. */
function placeWriter(style: Style): (cursor: RecordCursor, arena: Arena) => void {
  const [timestamp, partition, offset] = ['timestamp', 'partition', 'offset'].map(
    (name) => style.next + named(name, style),
  ) as [string, string, string];
  const opening = literalOf(timestamp);
  const appendTime = `${style.next}${named('timestamp_type', style)}"append"`;
  let last: RecordOrigin | undefined;
  let lastIsAppend = false;
  let text = literalOf('');
  return (cursor, arena) => {
    const isAppend = isLogAppendTime(cursor);
    if (last !== cursor.origin || lastIsAppend !== isAppend) {
      last = cursor.origin;
      lastIsAppend = isAppend;
      text = literalOf(`${isAppend ? appendTime : ''}${partition}${last.partition}${offset}`);
    }
    appendLiteral(arena, opening);
    if (timestampIsSafe(cursor)) appendDecimal(arena, cursor.timestamp);
    else appendAscii(arena, exactTimestamp(cursor).toString());
    appendLiteral(arena, text);
  };
}

type WriteField = (arena: Arena, source: ViewedBytes, start: number, length: number) => void;

/** Writes a nullable field: nothing if it is null, and a marker after it if it is base64. */
function fieldWriter(name: string, before: string, style: Style): WriteField {
  const opening = literalOf(before + named(name, style));
  const marker = literalOf(`${before || style.nextInHeader}${named(`${name}_encoding`, style)}"base64"`);
  const writeText = jsonTextWriter();
  return (arena, source, start, length) => {
    if (length < 0) return;
    appendLiteral(arena, opening);
    if (!writeText(arena, source, start, length)) appendLiteral(arena, marker);
  };
}

function headersWriter(style: Style): (cursor: RecordCursor, arena: Arena) => void {
  const opening = literalOf(`${style.next}${style.quote}headers${style.quote}${style.openHeaders}`);
  const [next, open, close, closeAll] = [style.nextHeader, style.openHeader, style.closeHeader, style.closeHeaders].map(
    literalOf,
  ) as [Literal, Literal, Literal, Literal];
  const writeKey = fieldWriter('key', '', style);
  const writeValue = fieldWriter('value', style.nextInHeader, style);
  const nullValue = literalOf(`${style.nextInHeader}${named('value', style)}null`);
  return (cursor, arena) => {
    openHeaders(cursor);
    appendLiteral(arena, opening);
    let isFirst = true;
    while (nextHeader(cursor)) {
      if (!isFirst) appendLiteral(arena, next);
      isFirst = false;
      appendLiteral(arena, open);
      writeKey(arena, cursor, cursor.headerKeyStart, cursor.headerKeyLength);
      if (cursor.headerValueLength < 0) appendLiteral(arena, nullValue);
      else writeValue(arena, cursor, cursor.headerValueStart, cursor.headerValueLength);
      appendLiteral(arena, close);
    }
    appendLiteral(arena, closeAll);
  };
}
