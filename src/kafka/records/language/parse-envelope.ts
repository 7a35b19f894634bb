import { isUtf8 } from 'node:buffer';
import { isObject } from '../../../shape/object.ts';
import type { RecordHeader } from '../batches/batch-records.ts';
import { type JsonFields, noJsonFields } from './json-fields.ts';
import { checkJson, compactJson, scanJson } from './parse-json.ts';
import { type FieldBytes, inputError, type Program, type Run } from './parse-run.ts';
import { decodeBase64, storeOwn } from './parse-text.ts';

type Envelope = Readonly<Record<string, unknown>>;

/** Creates the program that reads what consume writes as JSON: objects separated by white space. */
export function envelopeProgram(json: JsonFields = noJsonFields): Program {
  return {
    steps: [(run) => readEnvelope(run, json)],
    constants: {},
    verbs: new Set(),
    hasTopic: true,
    hasPartition: true,
    hasKey: true,
    skipsSpace: true,
    isExact: true,
    lineEnd: undefined,
    lines: undefined,
  };
}

const arrayHint = "write each item on a line of its own: jq -c '.[]' FILE";

/** How to write JSON that is not what consume prints. */
function ownJsonHints(name: string): readonly string[] {
  const field = /^[a-z_]\w*$/i.test(name) ? `.${name}` : `.[${JSON.stringify(name)}]`;
  return [
    'to write each line as a value, leave out the JSON format',
    `to take the key from a field, make records of them: jq -c '{key: ${field}, value: .}' FILE`,
  ];
}

/** A JSON value of the input: the value, its text, and its end. */
interface JsonText {
  readonly value: unknown;
  readonly text: string;
  readonly end: number;
}

function readEnvelope(run: Run, json: JsonFields): boolean {
  const jsonText = findLine(run) ?? findValue(run);
  if (jsonText === undefined) return false;
  const { value: envelope, text, end } = jsonText;
  if (Array.isArray(envelope)) throw inputError(run, 'expected a JSON object, found an array', [arrayHint]);
  if (!isObject(envelope)) throw inputError(run, 'expected a JSON object');
  for (const name of Object.keys(envelope)) {
    if (!envelopeFields.has(name))
      throw inputError(
        run,
        `unknown field ${JSON.stringify(name)} (known: ${producible.join(', ')})`,
        ownJsonHints(name),
      );
  }
  if (envelope.control !== undefined) throw inputError(run, 'a transaction marker cannot be produced');
  const { topic, headers } = envelope;
  if (topic !== undefined && typeof topic !== 'string') throw inputError(run, '"topic" is not a string');
  storeField(run.fields.topic, typeof topic === 'string' ? Buffer.from(topic) : null);
  const read = jsonReader(run, jsonText, json);
  storeField(run.fields.key, read(run, envelope, 'key'));
  storeField(run.fields.value, read(run, envelope, 'value'));
  run.hasKey = envelope.key !== undefined;
  run.numbers = {};
  const partition = numberOf(run, envelope, 'partition');
  if (partition !== undefined) run.numbers.p = partition;
  run.timestamp = timestampOf(run, envelope, text);
  run.headers = headers === undefined || headers === null ? [] : readHeaders(run, headers);
  run.at = end;
  return true;
}

const newline = 0x0a;
const carriageReturn = 0x0d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * Reads one value per line, the usual form, without following its structure: if the text from a brace to the brace at
 * the end of the line is JSON, it is one value. Undefined if it is not, or the line is incomplete.
 */
function findLine(run: Run): JsonText | undefined {
  const { bytes, base, at, scan } = run;
  const start = base + at;
  if (scan !== undefined || run.sharesLines || bytes[start] !== openBrace) return undefined;
  const lineEnd = bytes.indexOf(newline, start);
  if (lineEnd < 0 || lineEnd >= run.end) return undefined;
  const end = bytes[lineEnd - 1] === carriageReturn ? lineEnd - 1 : lineEnd;
  if (bytes[end - 1] !== closeBrace) return undefined;
  const line = bytes.subarray(start, end);
  if (!isUtf8(line)) return undefined;
  const text = line.toString();
  try {
    return { value: JSON.parse(text), text, end: end - base };
  } catch {
    // Probably several values in a line; trying this again for each would take long.
    run.sharesLines = true;
    return undefined;
  }
}

function findValue(run: Run): JsonText | undefined {
  const end = scanJson(run);
  if (end === undefined) return undefined;
  const bytes = run.bytes.subarray(run.base + run.at, run.base + end);
  // Decoding would silently replace the invalid bytes.
  if (!isUtf8(bytes)) throw inputError(run, 'it is not UTF-8 (write other bytes in base64)');
  const text = bytes.toString();
  return { value: checkJson(run, text), text, end };
}

const producible: readonly string[] = [
  'topic',
  'key',
  'key_encoding',
  'value',
  'value_encoding',
  'headers',
  'timestamp',
  'partition',
];
/** With the fields that consume writes and produce ignores, or refuses for a reason of their own. */
const envelopeFields: ReadonlySet<string> = new Set([
  ...producible,
  'timestamp_type',
  'offset',
  'control',
  'key_schema_id',
  'value_schema_id',
]);

/** Returns the reader of envelopes whose key or value is JSON: the text of that member, as it stands in the input. */
function jsonReader(run: Run, { text }: JsonText, json: JsonFields): typeof bytesOf {
  return (_run, envelope, name) => {
    const isParsed = typeof envelope[name] === 'object' && (envelope[`${name}_schema_id`] ?? null) === null;
    if (!json[name] && !isParsed) return bytesOf(run, envelope, name);
    if (envelope[`${name}_encoding`] === 'base64') {
      throw inputError(run, `"${name}" is base64, but the schema asks for JSON (it was not decoded when it was read)`);
    }
    const member = envelope[name] ?? null;
    return member === null ? null : compactJson(Buffer.from(memberText(text, name)));
  };
}

/** Decodes text or base64, depending on its `_encoding` field; null if it is null or absent. */
function bytesOf(run: Run, envelope: Envelope, name: 'key' | 'value'): Buffer | null {
  const text = envelope[name];
  const encoding = envelope[`${name}_encoding`];
  if (text === undefined || text === null) return null;
  const id = envelope[`${name}_schema_id`];
  if (id !== undefined && id !== null) throw inputError(run, decodedField(name));
  if (typeof text !== 'string') throw inputError(run, notText(name));
  if (encoding === undefined || encoding === 'utf8') {
    if (!text.isWellFormed()) throw inputError(run, `"${name}" has an unpaired surrogate (\\ud800 to \\udfff)`);
    return Buffer.from(text);
  }
  if (encoding !== 'base64') throw inputError(run, `"${name}_encoding" must be "base64"`);
  const decoded = decodeBase64(text);
  if (decoded === undefined) throw inputError(run, `"${name}" is not valid base64`);
  return decoded;
}

/** Written as it is, a decoded field would silently lose its schema. */
function decodedField(name: 'key' | 'value'): string {
  return `"${name}" was decoded by a schema (encode it with ${flagOf(name)}, or remove "${name}_schema_id")`;
}

function notText(name: 'key' | 'value'): string {
  const flag = flagOf(name);
  return `"${name}" is not a string (write a JSON value as a string, or encode it by a schema with ${flag})`;
}

function flagOf(name: 'key' | 'value'): string {
  return name === 'key' ? '--schema-key-id' : '--schema-id';
}

function storeField(field: FieldBytes, bytes: Buffer | null): void {
  storeOwn(field, bytes ?? Buffer.alloc(0));
  if (bytes === null) field.length = -1;
}

function numberOf(run: Run, envelope: Envelope, name: string): number | undefined {
  const value = envelope[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw inputError(run, `"${name}" is not an integer`);
  return value;
}

/** Reads the timestamp; a number of more than 53 bits is read from the text, since `JSON.parse` rounds it. */
function timestampOf(run: Run, envelope: Envelope, text: string): number | bigint | undefined {
  const { timestamp } = envelope;
  if (typeof timestamp !== 'number' || !Number.isInteger(timestamp) || Number.isSafeInteger(timestamp)) {
    return numberOf(run, envelope, 'timestamp');
  }
  const source = memberText(text, 'timestamp');
  // A number with a point or an exponent is used as rounded.
  const exact = /^-?\d+$/.test(source) ? BigInt(source) : BigInt(timestamp);
  if (BigInt.asIntN(64, exact) !== exact) throw inputError(run, '"timestamp" exceeds 64 bits');
  return exact;
}

function readHeaders(run: Run, headers: unknown): RecordHeader[] {
  if (!Array.isArray(headers)) throw inputError(run, '"headers" is not an array');
  return headers.map((header: unknown) => {
    if (!isObject(header)) throw inputError(run, 'a header is not an object with "key" and "value"');
    const key = bytesOf(run, header, 'key');
    if (key === null) throw inputError(run, 'a header has no "key"');
    return { key, value: bytesOf(run, header, 'value') };
  });
}

/**
 * Returns the text of a member of a JSON object, exactly as it is written; of the last one if there are several. The
 * text must be valid JSON and the member must be there.
 */
export function memberText(json: string, name: string): string {
  let fieldText = '';
  let at = skipSpace(json, 0) + 1; // after the brace
  for (;;) {
    at = skipSpace(json, at);
    if (json[at] === '}' || at >= json.length) return fieldText;
    const keyEnd = endOfValue(json, at);
    const key: unknown = JSON.parse(json.slice(at, keyEnd));
    const start = skipSpace(json, skipSpace(json, keyEnd) + 1); // after the colon
    const end = endOfValue(json, start);
    if (key === name) fieldText = json.slice(start, end);
    at = skipSpace(json, end);
    if (json[at] === ',') at += 1;
  }
}

function skipSpace(json: string, from: number): number {
  let at = from;
  while (at < json.length && ' \n\r\t'.includes(json.charAt(at))) at += 1;
  return at;
}

/** Returns the position after the value that begins at `from`. */
function endOfValue(json: string, from: number): number {
  if (json[from] === '"') return endOfString(json, from);
  if (json[from] !== '{' && json[from] !== '[') return endOfWord(json, from);
  let depth = 0;
  for (let at = from; at < json.length; at += 1) {
    const character = json.charAt(at);
    if (character === '"') at = endOfString(json, at) - 1;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return json.length;
}

/** Returns the position after a number, `true`, `false` or `null`. */
function endOfWord(json: string, from: number): number {
  let at = from;
  while (at < json.length && !',}] \n\r\t'.includes(json.charAt(at))) at += 1;
  return at;
}

function endOfString(json: string, from: number): number {
  let at = from + 1;
  while (json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at + 1;
}
