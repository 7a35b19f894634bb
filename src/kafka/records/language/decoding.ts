import { type Arena, createArena, type ViewedBytes } from '../../../bytes/arena.ts';
import { codecOf, lengthOf } from '../../../serde/codec.ts';
import type { Natural } from '../../../serde/natural.ts';
import { type Codec, type Decoder, PayloadError, SchemaError, type SchemaSource } from '../../../serde/schema.ts';
import {
  type HeaderSchema,
  headerSchema,
  isSchemaHeader,
  prefixBytes,
  type SchemaName,
  schemaIdAt,
} from '../../../serde/wire-format.ts';
import { nextHeader, openHeaders } from '../batches/batch-reader.ts';
import { exactOffset, isControlBatch, type RecordCursor } from '../batches/cursor.ts';
import type { DecodeOptions } from './decode-options.ts';

/** A key or value as formats print it: JSON if it was decoded, the record's own bytes otherwise. */
export interface RecordField extends ViewedBytes {
  bytes: Buffer;
  view: DataView;
  start: number;
  /** -1 for null. */
  length: number;
  /** The schema that it was decoded with; undefined for the record's own bytes. */
  schema: SchemaName | undefined;
  /** Makes values of the JSON (`Decoder.natural`). */
  natural: Natural | undefined;
}

/** The fields of the record that was opened last. */
export interface DecodedFields {
  readonly key: RecordField;
  readonly value: RecordField;
}

/** Records with a key or value that could not be decoded. */
export interface UndecodedRecords {
  readonly count: number;
  /** The first of them, and why: `the value of topic "a" partition 0 at offset 5: …`. */
  readonly first: string;
}

/** A schema, or why records with it cannot be decoded; undefined if the registry has none of this name. Plain data. */
export type FetchedSchema = SchemaSource | { readonly unusable: string } | undefined;

/** Fetches a schema with its references; undefined if the registry has none of this name. */
export type FetchSchema = (name: SchemaName) => Promise<FetchedSchema>;

/** Decodes the keys and values of records, one record at a time. */
export interface RecordDecoding extends DecodedFields {
  /**
   * Decodes the record under the cursor into `key` and `value`; returns false if it is to be left out.
   * @throws MissingSchemaError if a schema must be learned first; the record can then be opened again
   * @throws UndecodableError if a field cannot be decoded and the options say to fail
   */
  open(cursor: RecordCursor): boolean;
  /**
   * Whether every decoded field of the record under the cursor has any of these texts only where its bytes have them as
   * well (`Codec.keeps`); false if it is not certain, or if a field that does not fit its schema ends the command.
   */
  keeps(cursor: RecordCursor, texts: readonly string[]): boolean;
  /** Takes note of what the registry has under this name. */
  learn(name: SchemaName, fetched: FetchedSchema): Promise<void>;
  /** Returns what could not be decoded since the last call. */
  takeUndecoded(): UndecodedRecords | undefined;
}

/** Interrupts formatting until a schema was fetched. */
export class MissingSchemaError extends Error {
  override readonly name = 'MissingSchemaError';
  readonly schema: SchemaName;

  constructor(schema: SchemaName) {
    super(`schema ${schema} is not known yet`);
    this.schema = schema;
  }
}

/** A record that cannot be decoded, where that ends the command. */
export class UndecodableError extends Error {
  override readonly name = 'UndecodableError';
}

/** What is known of a schema: its codec, or why it cannot be used. */
type SchemaUse =
  | { readonly codec: Codec; readonly framed: Decoder; readonly length: number }
  | { readonly reason: string };

interface Decoding {
  readonly options: DecodeOptions;
  readonly schemas: Map<SchemaName, SchemaUse>;
  /** The text of decoded fields. */
  readonly scratch: Arena;
  readonly key: FieldDecoding;
  readonly value: FieldDecoding;
  /** Why the open record cannot be decoded. */
  fault: string | undefined;
  undecoded: { count: number; first: string } | undefined;
}

interface FieldDecoding {
  readonly name: 'key' | 'value';
  readonly isOn: boolean;
  readonly field: RecordField;
  /** The schema of the last record and its decoder: the next record has usually the same. */
  lastId: number;
  last: Decoder | undefined;
  /** The schema that was asked last whether it keeps texts, which ones, and its answer. */
  askedId: number;
  askedFor: readonly string[] | undefined;
  doesKeep: boolean;
}

/** The most schemas that are remembered; records with made-up ids must not fill the memory. */
const mostKnown = 10_000;
/** The most characters of all schemas that are remembered; what is compiled takes many times as much memory. */
const mostKnownText = 16 * 1024 * 1024;

/** Creates a decoding that knows no schema yet. */
export function createDecoding(options: DecodeOptions): RecordDecoding {
  const decoding: Decoding = {
    options,
    schemas: new Map(),
    scratch: createArena(1 << 14),
    key: fieldDecoding('key', options.key),
    value: fieldDecoding('value', options.value),
    fault: undefined,
    undecoded: undefined,
  };
  const { key, value } = decoding;
  return {
    key: key.field,
    value: value.field,
    open(cursor) {
      decoding.scratch.length = 0;
      setField(key.field, cursor, cursor.keyStart, cursor.keyLength);
      setField(value.field, cursor, cursor.valueStart, cursor.valueLength);
      // The key and value of a transaction marker have their own format.
      if (isControlBatch(cursor)) return true;
      decoding.fault = undefined;
      const isOpen =
        (!key.isOn || openField(decoding, key, cursor)) && (!value.isOn || openField(decoding, value, cursor));
      // Only here: the record is opened again if a schema of its value was missing.
      if (decoding.fault !== undefined) countUndecoded(decoding, decoding.fault);
      // The second field may have made the memory of the first one grow.
      if (key.field.schema !== undefined) placeIn(key.field, decoding.scratch);
      return isOpen;
    },
    keeps(cursor, texts) {
      if (options.onError === 'fail' || isControlBatch(cursor)) return false;
      return (
        (!key.isOn || fieldKeeps(decoding, key, cursor, texts)) &&
        (!value.isOn || fieldKeeps(decoding, value, cursor, texts))
      );
    },
    async learn(name, fetched) {
      decoding.schemas.set(name, await learned(name, fetched));
      forgetOldest(decoding.schemas);
    },
    takeUndecoded() {
      const { undecoded } = decoding;
      decoding.undecoded = undefined;
      return undecoded;
    },
  };
}

/** Returns the fields that are decoded, without those that keep the bytes of the record. */
export function decodedFields(options?: DecodeOptions, fields?: DecodedFields): Partial<DecodedFields> {
  if (options === undefined || fields === undefined) return {};
  return { ...(options.key ? { key: fields.key } : {}), ...(options.value ? { value: fields.value } : {}) };
}

function fieldDecoding(name: 'key' | 'value', isOn: boolean): FieldDecoding {
  const bytes = Buffer.alloc(0);
  const field = {
    bytes,
    view: new DataView(bytes.buffer),
    start: 0,
    length: -1,
    schema: undefined,
    natural: undefined,
  };
  return { name, isOn, field, lastId: -1, last: undefined, askedId: -1, askedFor: undefined, doesKeep: false };
}

/** Two schemas always have room: those of the key and the value of a record. */
function forgetOldest(schemas: Map<SchemaName, SchemaUse>): void {
  let text = 0;
  for (const one of schemas.values()) text += 'length' in one ? one.length : 0;
  for (const [name, one] of schemas) {
    if (schemas.size <= mostKnown && text <= mostKnownText) return;
    schemas.delete(name);
    text -= 'length' in one ? one.length : 0;
  }
}

async function learned(name: SchemaName, fetched: FetchedSchema): Promise<SchemaUse> {
  if (fetched === undefined) {
    // No registry has this one: it is the first half of an id of eight bytes.
    const why =
      name === 0 ? '; Apicurio writes ids of 8 bytes, unless producers set apicurio.registry.as-confluent' : '';
    return { reason: `the registry has no schema ${name}${why}` };
  }
  if ('unusable' in fetched) return { reason: `schema ${name} cannot be used: ${fetched.unusable}` };
  try {
    const codec = await codecOf(fetched);
    return { codec, framed: codec.decoder(), length: lengthOf(fetched) };
  } catch (error) {
    if (error instanceof SchemaError) return { reason: `schema ${name} cannot be used: ${error.message}` };
    throw error;
  }
}

function setField(field: RecordField, source: ViewedBytes, start: number, length: number): void {
  field.bytes = source.bytes;
  field.view = source.view;
  field.start = start;
  field.length = length;
  field.schema = undefined;
  field.natural = undefined;
}

function placeIn(field: RecordField, scratch: Arena): void {
  field.bytes = scratch.bytes;
  field.view = scratch.view;
}

/** Decodes one field; returns false if the record is to be left out. */
function openField(decoding: Decoding, of: FieldDecoding, cursor: RecordCursor): boolean {
  const { field } = of;
  const { start, length } = field;
  if (length < 0) return true;
  const id = schemaIdAt(cursor, start, length);
  // A header takes precedence over what looks like a prefix.
  const header = cursor.headerCount > 0 ? headerOf(cursor, of.name) : undefined;
  if (header === 'global id') return undecodable(decoding, of, cursor, globalIdReason(of.name));
  if (header !== undefined) return openByHeader(decoding, of, cursor, header);
  if (id >= 0 && id === of.lastId && of.last !== undefined) {
    return decodeWith(decoding, of, cursor, { decoder: of.last, name: id, from: start + prefixBytes });
  }
  if (id < 0 && of.name === 'key' && decoding.options.plainKeys === true) return true;
  if (id < 0) return undecodable(decoding, of, cursor, 'it does not start with a schema id');
  const schema = decoding.schemas.get(id);
  if (schema === undefined) throw new MissingSchemaError(id);
  if ('reason' in schema) return undecodable(decoding, of, cursor, schema.reason);
  of.lastId = id;
  of.last = schema.framed;
  return decodeWith(decoding, of, cursor, { decoder: schema.framed, name: id, from: start + prefixBytes });
}

function openByHeader(decoding: Decoding, of: FieldDecoding, cursor: RecordCursor, header: HeaderSchema): boolean {
  const { name, messageIndexes } = header;
  const schema = decoding.schemas.get(name);
  if (schema === undefined) throw new MissingSchemaError(name);
  if ('reason' in schema) return undecodable(decoding, of, cursor, schema.reason);
  const decoder = schema.codec.decoder({ bare: messageIndexes });
  return decodeWith(decoding, of, cursor, { decoder, name, from: of.field.start });
}

/** The header in which Apicurio's serializers write an id that only its own API knows. */
function globalIdHeader(field: 'key' | 'value'): string {
  return `apicurio.${field}.globalId`;
}

function globalIdReason(field: 'key' | 'value'): string {
  return `the header ${globalIdHeader(field)} has an id that only Apicurio's own API knows; producers write the other one with apicurio.registry.use-id=contentId`;
}

/** Of several headers the last one counts, as for the deserializers of their producers. */
function headerOf(cursor: RecordCursor, field: 'key' | 'value'): HeaderSchema | 'global id' | undefined {
  let last: HeaderSchema | 'global id' | undefined;
  openHeaders(cursor);
  while (nextHeader(cursor)) {
    const { bytes, headerKeyStart, headerKeyLength, headerValueStart, headerValueLength } = cursor;
    const name = bytes.toString('latin1', headerKeyStart, headerKeyStart + headerKeyLength);
    if (name === globalIdHeader(field)) last ??= 'global id';
    if (!isSchemaHeader(name, field) || headerValueLength < 0) continue;
    last = headerSchema(name, bytes.subarray(headerValueStart, headerValueStart + headerValueLength)) ?? last;
  }
  return last;
}

function fieldKeeps(decoding: Decoding, of: FieldDecoding, cursor: RecordCursor, texts: readonly string[]): boolean {
  const isKey = of.name === 'key';
  const start = isKey ? cursor.keyStart : cursor.valueStart;
  const length = isKey ? cursor.keyLength : cursor.valueLength;
  if (length < 0) return true;
  const id = schemaIdAt(cursor, start, length);
  if (id < 0 || (cursor.headerCount > 0 && headerOf(cursor, of.name) !== undefined)) return false;
  if (id === of.askedId && texts === of.askedFor) return of.doesKeep;
  const schema = decoding.schemas.get(id);
  if (schema === undefined || 'reason' in schema) return false;
  of.askedId = id;
  of.askedFor = texts;
  of.doesKeep = texts.every((text) => schema.codec.keeps(text));
  return of.doesKeep;
}

interface Decode {
  readonly decoder: Decoder;
  readonly name: SchemaName;
  /** Where the payload starts. */
  readonly from: number;
}

function decodeWith(
  decoding: Decoding,
  of: FieldDecoding,
  cursor: RecordCursor,
  { decoder, name, from }: Decode,
): boolean {
  const { field } = of;
  const { scratch } = decoding;
  const start = scratch.length;
  try {
    decoder.decode(cursor, from, field.start + field.length, scratch);
  } catch (error) {
    if (!(error instanceof PayloadError)) throw error;
    scratch.length = start;
    const place = error.path === undefined || error.path === '$' ? '' : ` at ${error.path}`;
    return undecodable(decoding, of, cursor, `schema ${name} does not fit${place}: ${error.message}`);
  }
  field.start = start;
  field.length = scratch.length - start;
  field.schema = name;
  field.natural = decoder.natural;
  placeIn(field, scratch);
  return true;
}

/** Takes note of a failure; returns whether the record is printed all the same. */
function undecodable(decoding: Decoding, of: FieldDecoding, cursor: RecordCursor, reason: string): boolean {
  const { topic, partition } = cursor.origin;
  const what = `the ${of.name} of topic "${topic}" partition ${partition} at offset ${exactOffset(cursor)}: ${reason}`;
  if (decoding.options.onError === 'fail') throw new UndecodableError(what);
  decoding.fault ??= what;
  return decoding.options.onError === 'raw';
}

/** Counts the open record, once even if neither its key nor its value can be decoded. */
function countUndecoded(decoding: Decoding, fault: string): void {
  decoding.undecoded ??= { count: 0, first: fault };
  decoding.undecoded.count += 1;
}
