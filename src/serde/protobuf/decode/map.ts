import type { ScalarType } from '@bufbuild/protobuf';
import { type Arena, appendByte } from '../../../bytes/arena.ts';
import type { FieldPlan, Occurrences } from './message-plan.ts';
import { checkLength, failure, note, type Payload, readLength, readTag, readVarint, skipValue } from './payload.ts';
import { type ScalarReader, scalarReader, writeDefault } from './scalars.ts';

const [openBrace, closeBrace, colon, comma, quote] = [0x7b, 0x7d, 0x3a, 0x2c, 0x22];
const keyReaders = new Map<ScalarType, ScalarReader>();

function keyReader(type: ScalarType): ScalarReader {
  let reader = keyReaders.get(type);
  if (reader === undefined) {
    reader = scalarReader(type);
    keyReaders.set(type, reader);
  }
  return reader;
}

/** Appends a map; of entries with the same key the last one counts. Returns false if it has no entry. */
export function writeMap(payload: Payload, arena: Arena, field: FieldPlan, { from, to }: Occurrences): boolean {
  const base = payload.foundLength;
  const reader = keyReader(field.mapKey as ScalarType);
  for (let at = from; at < to; at += 2) findEntry(payload, field, reader, payload.found[at + 1] as number);
  const kept = to - from > 2 ? lastOfEachKey(payload, reader, base) : undefined;
  const { depth } = payload;
  let isEmpty = true;
  for (let at = base; at < payload.foundLength; at += 2) {
    if (kept !== undefined && !kept.has(at)) continue;
    appendByte(arena, isEmpty ? openBrace : comma);
    writeKey(payload, arena, reader, payload.found[at] as number);
    payload.fields[depth] = field.path;
    payload.indexes[depth] = (at - base) / 2;
    checkLength(payload, arena);
    appendByte(arena, colon);
    writeValue(payload, arena, field, payload.found[at + 1] as number);
    isEmpty = false;
  }
  payload.foundLength = base;
  payload.indexes[depth] = -1;
  if (isEmpty) return false;
  appendByte(arena, closeBrace);
  return true;
}

/** Notes where the key and the value of an entry are, -1 for a missing one. */
function findEntry(payload: Payload, field: FieldPlan, reader: ScalarReader, position: number): void {
  const { limit } = payload;
  payload.at = position;
  const length = readLength(payload);
  const end = payload.at + length;
  payload.limit = end;
  let key = -1;
  let value = -1;
  let isKnown = true;
  while (payload.at < end) {
    const tag = readTag(payload);
    const start = payload.at;
    skipValue(payload, tag);
    if (tag === 8 + reader.wire) key = start;
    else if (tag === 16 + field.valueWire) {
      value = start;
      isKnown = field.closed === undefined || field.closed.has(payload.low);
    } else if ((tag & 7) === 4) throw failure(payload, 'a group ends that was not begun');
  }
  payload.limit = limit;
  if (isKnown) note(payload, key, value);
}

function lastOfEachKey(payload: Payload, reader: ScalarReader, base: number): ReadonlySet<number> {
  const last = new Map<string | number, number>();
  for (let at = base; at < payload.foundLength; at += 2) {
    last.set(keyAt(payload, reader, payload.found[at] as number), at);
  }
  return new Set(last.values());
}

/** Returns something that is the same for equal keys only; a key that is missing is at -1. */
function keyAt(payload: Payload, { wire }: ScalarReader, position: number): string | number {
  if (position < 0) return wire === 2 ? '' : 0;
  payload.at = position;
  if (wire === 0) {
    readVarint(payload);
    return payload.high === 0 ? payload.low : `${payload.high}:${payload.low}`;
  }
  const length = wire === 2 ? readLength(payload) : wire === 5 ? 4 : 8;
  return payload.source.bytes.toString('latin1', payload.at, payload.at + length);
}

/** Numbers and booleans are strings as keys; texts and integers of 64 bits are strings anyway. */
function writeKey(payload: Payload, arena: Arena, { write }: ScalarReader, position: number): void {
  const before = arena.length;
  appendByte(arena, quote);
  payload.at = position;
  if (position < 0) writeDefault(payload, arena, write);
  else write(payload, arena);
  if (arena.bytes[before + 1] !== quote) appendByte(arena, quote);
  else arena.bytes.copyWithin(before, before + 1, arena.length--);
}

function writeValue(payload: Payload, arena: Arena, { write }: FieldPlan, position: number): void {
  payload.at = position;
  if (position < 0) writeDefault(payload, arena, write);
  else write(payload, arena);
}
