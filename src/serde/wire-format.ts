import type { ViewedBytes } from '../bytes/arena.ts';

/**
 * How a record names a schema: by its id in the registry, or by its GUID, which only a header can hold.
 */
export type SchemaName = number | string;

/** The bytes before a payload: a zero byte and the schema id (32 bits, the highest byte first). */
export const prefixBytes = 5;

/** The highest id that a registry gives; a greater number only looks like one. */
export const maxSchemaId = 0x7fff_ffff;

/** Returns the schema id that precedes a payload; -1 if there is none. */
export function schemaIdAt({ bytes, view }: ViewedBytes, start: number, length: number): number {
  return length < prefixBytes || bytes[start] !== 0 ? -1 : view.getUint32(start + 1);
}

/** Returns a payload with the prefix that names its schema. */
export function framed(id: number, payload: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(prefixBytes + payload.length);
  bytes[0] = 0;
  bytes.writeUInt32BE(id, 1);
  payload.copy(bytes, prefixBytes);
  return bytes;
}

/** A schema named in a header of the record, instead of before the payload. */
export interface HeaderSchema {
  readonly name: SchemaName;
  /** The message type of a Protobuf payload: indexes from the outermost message inward. */
  readonly messageIndexes: readonly number[];
}

const idMagic = 0;
const guidMagic = 1;
const guidBytes = 16;
const firstMessage: readonly number[] = [0];

/** The headers that name the schema of the key or the value, with the producers that write them. */
const readers: ReadonlyMap<string, (bytes: Buffer) => HeaderSchema | undefined> = new Map([
  // Confluent's serializers with `use.schema.id.in.header`.
  ['__key_schema_id', confluentHeader],
  ['__value_schema_id', confluentHeader],
  // Apicurio's serializers with `apicurio.registry.headers.enabled`; the content id is the id of the Confluent API.
  ['apicurio.key.contentId', contentIdHeader],
  ['apicurio.value.contentId', contentIdHeader],
]);

/** Whether a header names the schema of the key or of the value. */
export function isSchemaHeader(header: string, field: 'key' | 'value'): boolean {
  return readers.has(header) && header.includes(field);
}

/** Reads a header for which `isSchemaHeader` holds; undefined if its bytes are not what its producers write. */
export function headerSchema(header: string, bytes: Buffer): HeaderSchema | undefined {
  return readers.get(header)?.(bytes);
}

/** Returns the bytes of such a header with another id; a GUID stays, because it is the same in every registry. */
export function renamedHeader(header: string, bytes: Buffer, name: SchemaName): Buffer {
  const renamed = Buffer.from(bytes);
  if (typeof name === 'string') return renamed;
  if (header.startsWith('apicurio.')) renamed.writeBigInt64BE(BigInt(name));
  else renamed.writeUInt32BE(name, 1);
  return renamed;
}

function contentIdHeader(bytes: Buffer): HeaderSchema | undefined {
  if (bytes.length !== 8) return undefined;
  const id = bytes.readBigInt64BE();
  return id < 0n || id > 0xffffffffn ? undefined : { name: Number(id), messageIndexes: firstMessage };
}

/** Reads a magic byte, the id or GUID, and the message indexes if there are any. */
function confluentHeader(bytes: Buffer): HeaderSchema | undefined {
  const size = bytes[0] === idMagic ? prefixBytes : bytes[0] === guidMagic ? 1 + guidBytes : Infinity;
  if (bytes.length < size) return undefined;
  const hex = bytes.toString('hex', 1, size);
  const name = size === prefixBytes ? bytes.readUInt32BE(1) : hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  const messageIndexes = readIndexes(bytes.subarray(size));
  return messageIndexes === undefined ? undefined : { name, messageIndexes };
}

/** Reads zigzag varints: their count, then the indexes; a count of zero, or no bytes, stands for the first message. */
function readIndexes(bytes: Buffer): readonly number[] | undefined {
  const numbers: number[] = [];
  let value = 0;
  let shift = 0;
  for (const byte of bytes) {
    value += (byte & 0x7f) * 2 ** shift;
    shift += 7;
    if (shift > 35) return undefined;
    if (byte >= 0x80) continue;
    numbers.push(value % 2 === 0 ? value / 2 : -1);
    value = 0;
    shift = 0;
  }
  const [count = 0, ...indexes] = numbers;
  if (shift !== 0 || count !== indexes.length || indexes.some((index) => index < 0)) return undefined;
  return count === 0 ? firstMessage : indexes;
}
