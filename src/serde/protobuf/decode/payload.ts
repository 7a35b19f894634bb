import { type Arena, type ViewedBytes, viewOver } from '../../../bytes/arena.ts';
import { PayloadError } from '../../schema.ts';

/** How deep messages may be nested in a payload; the libraries of other languages stop at 100. */
const mostDepth = 200;

/** The state of reading one payload; reused for the next one. */
export interface Payload {
  source: ViewedBytes;
  /** Where the next byte is read. */
  at: number;
  /** No byte is read from here on. */
  limit: number;
  /** The last varint: its lower and upper 32 bits, as signed integers. */
  low: number;
  high: number;
  /** The occurrences of fields in all open messages: index and wire type in one number, then the position. */
  found: Int32Array;
  foundLength: number;
  depth: number;
  /** The length of the arena that the JSON must not exceed. */
  most: number;
  /** For each open message the field being written, for the path of an error. */
  readonly fields: string[];
  /** For each open message the index in that field, or -1. */
  readonly indexes: number[];
}

const nothing = Buffer.alloc(0);

/** Creates the state for many payloads. */
export function createPayload(): Payload {
  return {
    source: { bytes: nothing, view: viewOver(nothing) },
    at: 0,
    limit: 0,
    low: 0,
    high: 0,
    found: new Int32Array(256),
    foundLength: 0,
    depth: 0,
    most: Number.POSITIVE_INFINITY,
    fields: [''],
    indexes: [-1],
  };
}

/** Creates the error for the place in the value that is being written. */
export function failure({ depth, fields, indexes }: Payload, reason: string): PayloadError {
  let path = '$';
  for (let at = 0; at <= depth; at++) {
    const index = indexes[at] as number;
    path += (fields[at] as string) + (index < 0 ? '' : `[${index}]`);
  }
  return new PayloadError(reason, path);
}

/** Enters a nested message. @throws PayloadError if it is too deep */
export function enter(payload: Payload): void {
  if (payload.depth >= mostDepth) throw failure(payload, `messages are nested more than ${mostDepth} deep`);
  const depth = ++payload.depth;
  payload.fields[depth] = '';
  payload.indexes[depth] = -1;
}

/** @throws PayloadError if the JSON has become longer than it may */
export function checkLength(payload: Payload, { length }: Arena): void {
  if (length > payload.most) throw failure(payload, 'the JSON is far longer than the payload');
}

/** Notes an occurrence of a field. */
export function note(payload: Payload, what: number, position: number): void {
  let { found } = payload;
  const at = payload.foundLength;
  if (at + 2 > found.length) {
    found = new Int32Array(found.length * 2);
    found.set(payload.found);
    payload.found = found;
  }
  found[at] = what;
  found[at + 1] = position;
  payload.foundLength = at + 2;
}

/** Reads a varint into `low` and `high`. */
export function readVarint(payload: Payload): void {
  const { bytes } = payload.source;
  const { limit } = payload;
  const first = payload.at < limit ? (bytes[payload.at] as number) : -1;
  if (first >= 0 && first < 0x80) {
    payload.at++;
    payload.low = first;
    payload.high = 0;
  } else readLongVarint(payload, bytes);
}

function readLongVarint(payload: Payload, bytes: Buffer): void {
  let low = 0;
  let high = 0;
  let { at } = payload;
  for (let shift = 0; ; shift += 7) {
    if (at >= payload.limit) throw failure(payload, 'the payload ends within a number');
    if (shift > 63) throw failure(payload, 'a number has more than 10 bytes');
    const byte = bytes[at++] as number;
    const bits = byte & 0x7f;
    if (shift < 32) low |= bits << shift;
    if (shift >= 32) high |= bits << (shift - 32);
    else if (shift === 28) high |= bits >>> 4;
    if (byte < 0x80) break;
  }
  payload.at = at;
  payload.low = low;
  payload.high = high;
}

/** Reads a length and checks that so many bytes are left. */
export function readLength(payload: Payload): number {
  readVarint(payload);
  const length = payload.low;
  if (payload.high !== 0 || length < 0 || length > payload.limit - payload.at) {
    const stated = payload.high === 0 ? String(length >>> 0) : 'more than 2^32';
    throw failure(payload, `a length of ${stated} bytes, but only ${payload.limit - payload.at} are left`);
  }
  return length;
}

/** Reads a tag: the number of the field times 8 plus the wire type. */
export function readTag(payload: Payload): number {
  readVarint(payload);
  const tag = payload.low >>> 0;
  if (payload.high !== 0 || tag < 8) throw failure(payload, 'a field has an invalid number');
  return tag;
}

/** Moves past a value of any field. */
export function skipValue(payload: Payload, tag: number): void {
  const wire = tag & 7;
  if (wire === 0) readVarint(payload);
  else if (wire === 2) skipBytes(payload, readLength(payload));
  else if (wire === 1) skipBytes(payload, 8);
  else if (wire === 5) skipBytes(payload, 4);
  else if (wire === 3) skipGroup(payload, tag);
  else throw failure(payload, `field ${tag >>> 3} has the invalid wire type ${wire}`);
}

function skipBytes(payload: Payload, length: number): void {
  if (length > payload.limit - payload.at) throw failure(payload, 'the payload ends within a value');
  payload.at += length;
}

/** Moves past a group, without recursion because groups may be nested. */
function skipGroup(payload: Payload, tag: number): void {
  const open = [tag >>> 3];
  while (open.length > 0) {
    if (payload.at >= payload.limit) throw failure(payload, 'the payload ends within a group');
    const next = readTag(payload);
    const wire = next & 7;
    if (wire === 3) {
      open.push(next >>> 3);
      if (open.length > mostDepth) throw failure(payload, `groups are nested more than ${mostDepth} deep`);
    } else if (wire !== 4) skipValue(payload, next);
    else if (open.pop() !== next >>> 3) throw failure(payload, 'a group ends with the number of another one');
  }
}
