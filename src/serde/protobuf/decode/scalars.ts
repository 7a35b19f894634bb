import { ScalarType } from '@bufbuild/protobuf';
import { type Arena, appendAscii, appendByte } from '../../../bytes/arena.ts';
import { writeBase64 } from '../../../bytes/base64.ts';
import { appendDecimal } from '../../../bytes/decimal.ts';
import { jsonTextWriter } from '../../../bytes/json-text/json-text.ts';
import { doubleText, floatText } from '../../number-text.ts';
import { failure, type Payload, readLength, readVarint } from './payload.ts';

/** How values of a type are read. */
export interface ScalarReader {
  /** The wire type: 0 for varints, 1 for 8 bytes, 2 for a length and bytes, 5 for 4 bytes. */
  readonly wire: 0 | 1 | 2 | 5;
  /** Appends the JSON of the value at the current position and moves past it. */
  readonly write: (payload: Payload, arena: Arena) => void;
}

const quote = 0x22;

/** Returns the reader for a scalar type. */
export function scalarReader(type: ScalarType): ScalarReader {
  switch (type) {
    case ScalarType.INT32:
      return varint((payload, arena) => appendDecimal(arena, payload.low));
    case ScalarType.UINT32:
      return varint((payload, arena) => appendDecimal(arena, payload.low >>> 0));
    case ScalarType.SINT32:
      return varint(({ low }, arena) => appendDecimal(arena, (low >>> 1) ^ -(low & 1)));
    case ScalarType.BOOL:
      return varint(({ low, high }, arena) => appendAscii(arena, (low | high) === 0 ? 'false' : 'true'));
    case ScalarType.INT64:
      return varint(({ low, high }, arena) => appendSigned(arena, high, low));
    case ScalarType.UINT64:
      return varint(({ low, high }, arena) => appendUnsigned(arena, high, low));
    case ScalarType.SINT64:
      return varint(appendZigzag);
    case ScalarType.STRING:
      return { wire: 2, write: textWriter() };
    case ScalarType.BYTES:
      return { wire: 2, write: writeBytes };
    default:
      return fixed(type);
  }
}

function varint(append: ScalarReader['write']): ScalarReader {
  const write = (payload: Payload, arena: Arena) => {
    readVarint(payload);
    append(payload, arena);
  };
  return { wire: 0, write };
}

type Fixed = (view: DataView, at: number, arena: Arena) => void;

/** The bounds of the value have been checked by whoever found the field. */
function fixed(type: ScalarType): ScalarReader {
  const append = fixedWriters.get(type);
  if (append === undefined) throw new Error(`no reader for the type ${type}`);
  const size = type === ScalarType.FLOAT || type === ScalarType.FIXED32 || type === ScalarType.SFIXED32 ? 4 : 8;
  const write = (payload: Payload, arena: Arena) => {
    append(payload.source.view, payload.at, arena);
    payload.at += size;
  };
  return { wire: size === 4 ? 5 : 1, write };
}

const fixedWriters: ReadonlyMap<ScalarType, Fixed> = new Map<ScalarType, Fixed>([
  [ScalarType.FIXED32, (view, at, arena) => appendDecimal(arena, view.getUint32(at, true))],
  [ScalarType.SFIXED32, (view, at, arena) => appendDecimal(arena, view.getInt32(at, true))],
  [
    ScalarType.FIXED64,
    (view, at, arena) => appendUnsigned(arena, view.getInt32(at + 4, true), view.getInt32(at, true)),
  ],
  [ScalarType.SFIXED64, (view, at, arena) => appendSigned(arena, view.getInt32(at + 4, true), view.getInt32(at, true))],
  [ScalarType.FLOAT, (view, at, arena) => appendAscii(arena, floatText(view.getFloat32(at, true)))],
  [ScalarType.DOUBLE, (view, at, arena) => appendAscii(arena, doubleText(view.getFloat64(at, true)))],
]);

function appendZigzag({ low, high }: Payload, arena: Arena): void {
  const sign = -(low & 1);
  appendSigned(arena, (high >>> 1) ^ sign, ((low >>> 1) | (high << 31)) ^ sign);
}

/** Below this, a high half makes a number that is exact as a double. */
const exactHigh = 1 << 21;

/** Appends a signed integer of 64 bits as a string, as JSON readers would round a number. */
function appendSigned(arena: Arena, high: number, low: number): void {
  if (high >= -exactHigh && high < exactHigh) appendQuoted(arena, high * 2 ** 32 + (low >>> 0));
  else appendAscii(arena, `"${(BigInt(high) << 32n) + BigInt(low >>> 0)}"`);
}

function appendUnsigned(arena: Arena, high: number, low: number): void {
  if (high >= 0 && high < exactHigh) appendQuoted(arena, high * 2 ** 32 + (low >>> 0));
  else appendAscii(arena, `"${(BigInt(high >>> 0) << 32n) + BigInt(low >>> 0)}"`);
}

function appendQuoted(arena: Arena, value: number): void {
  appendByte(arena, quote);
  appendDecimal(arena, value);
  appendByte(arena, quote);
}

/** Creates a writer for the texts of one field. */
function textWriter(): ScalarReader['write'] {
  const writeText = jsonTextWriter();
  return (payload, arena) => {
    const length = readLength(payload);
    if (!writeText(arena, payload.source, payload.at, length)) throw failure(payload, 'a string is not valid UTF-8');
    payload.at += length;
  };
}

function writeBytes(payload: Payload, arena: Arena): void {
  const length = readLength(payload);
  appendByte(arena, quote);
  writeBase64(arena, payload.source, payload.at, length);
  appendByte(arena, quote);
  payload.at += length;
}

const zeroBytes = Buffer.alloc(16);
const zeros = { bytes: zeroBytes, view: new DataView(zeroBytes.buffer, zeroBytes.byteOffset, 16) };

/** Appends the default of a type: zero, empty text or an empty message. */
export function writeDefault(payload: Payload, arena: Arena, write: ScalarReader['write']): void {
  const { source, at, limit } = payload;
  Object.assign(payload, { source: zeros, at: 0, limit: 16 });
  write(payload, arena);
  Object.assign(payload, { source, at, limit });
}

/** Checks whether the value at the current position is zero or empty; does not move. */
export function isDefault(payload: Payload, wire: number): boolean {
  const { at } = payload;
  const { view } = payload.source;
  if (wire === 1) return view.getInt32(at) === 0 && view.getInt32(at + 4) === 0;
  if (wire === 5) return view.getInt32(at) === 0;
  readVarint(payload);
  payload.at = at;
  return (payload.low | payload.high) === 0;
}
