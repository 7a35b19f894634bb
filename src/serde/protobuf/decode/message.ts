import { type Arena, appendByte, appendLiteral, type ViewedBytes, viewOver } from '../../../bytes/arena.ts';
import { writeMap } from './map.ts';
import type { FieldPlan, Message, MessagePlan, Occurrences } from './message-plan.ts';
import {
  checkLength,
  enter,
  failure,
  note,
  type Payload,
  readLength,
  readTag,
  readVarint,
  skipValue,
} from './payload.ts';
import { isDefault } from './scalars.ts';

const [openBrace, closeBrace, openBracket, closeBracket, comma] = [0x7b, 0x7d, 0x5b, 0x5d, 0x2c];

/** Where a message is: up to `end`, or up to the end of the group of that number. */
interface Extent {
  readonly end: number;
  readonly group: number;
}

/** Appends the message at the current position up to `end`, or to the end of its group, and moves past it. */
export function writeMessage(payload: Payload, arena: Arena, plan: MessagePlan, { end, group }: Extent): void {
  const base = findFields(payload, plan, end, group);
  const after = payload.at;
  if (plan.special !== undefined) plan.special(payload, arena, { plan, base });
  else {
    appendByte(arena, openBrace);
    writeFields(payload, arena, { plan, base });
    appendByte(arena, closeBrace);
  }
  payload.foundLength = base;
  payload.at = after;
}

/** Reads a length and appends the message of that length. */
export function writeNested(payload: Payload, arena: Arena, plan: MessagePlan, group = 0): void {
  enter(payload);
  const { limit } = payload;
  const end = group > 0 ? limit : readLength(payload) + payload.at;
  writeMessage(payload, arena, plan, { end, group });
  payload.limit = limit;
  payload.depth--;
}

/**
 * Notes where the fields of a message are, checks everything in it but the insides of nested messages, and returns
 * where its notes begin. Afterwards they are in the order of the schema.
 */
export function findFields(payload: Payload, plan: MessagePlan, end: number, group: number): number {
  const base = payload.foundLength;
  payload.limit = end;
  let last = -1;
  let isOrdered = true;
  let ofOneofs = 0;
  let isOpen = group > 0;
  while (payload.at < end) {
    const tag = readTag(payload);
    if ((tag & 7) === 4) {
      if (tag >>> 3 !== group) throw failure(payload, 'a group ends that was not begun');
      isOpen = false;
      break;
    }
    const field = plan.find(tag >>> 3);
    const position = payload.at;
    skipValue(payload, tag);
    if (field === undefined || !isKnownValue(payload, field, tag & 7)) continue;
    note(payload, field.index * 8 + (tag & 7), position);
    isOrdered &&= field.index >= last;
    if (field.oneof >= 0) ofOneofs++;
    last = field.index;
  }
  if (isOpen) throw failure(payload, 'the payload ends within a group');
  if (ofOneofs > 1) keepLastOfOneofs(payload, base, plan);
  if (!isOrdered) sortFound(payload, base);
  if (plan.required.length > 0) checkRequired(payload, plan, base);
  return base;
}

/**
 * Whether the value that was just passed is one of the field: one of another wire type, or one that a closed enum does
 * not have, counts as an unknown field.
 */
export function isKnownValue({ low }: Payload, field: FieldPlan, wire: number): boolean {
  if (wire !== field.wire && !(field.isPackable && wire === 2)) return false;
  return field.closed === undefined || wire !== 0 || field.closed.has(low);
}

function checkRequired(payload: Payload, { required }: MessagePlan, base: number): void {
  const { found, foundLength } = payload;
  let at = base;
  for (const { index, name } of required) {
    while (at < foundLength && (found[at] as number) >>> 3 < index) at += 2;
    if (at >= foundLength || (found[at] as number) >>> 3 !== index) {
      throw failure(payload, `the required field "${name}" is missing`);
    }
  }
}

/** Appends all fields that were found, with keys. `hasMembers` tells whether the object has members already. */
export function writeFields(payload: Payload, arena: Arena, { plan, base }: Message, hasMembers = false): void {
  const { depth, foundLength } = payload;
  let isFirst = !hasMembers;
  for (let at = base; at < foundLength; ) {
    const index = (payload.found[at] as number) >>> 3;
    const from = at;
    while (at < foundLength && (payload.found[at] as number) >>> 3 === index) at += 2;
    const field = plan.fields[index] as FieldPlan;
    const last = payload.found[at - 1] as number;
    payload.fields[depth] = field.path;
    if (field.isImplicit && isZero(payload, field, last)) continue;
    const before = arena.length;
    appendLiteral(arena, isFirst ? field.firstKey : field.key);
    checkLength(payload, arena);
    if (writeField(payload, arena, field, { from, to: at })) isFirst = false;
    else arena.length = before;
  }
  payload.fields[depth] = '';
}

function isZero(payload: Payload, { wire }: FieldPlan, position: number): boolean {
  payload.at = position;
  return isDefault(payload, wire);
}

/** Appends the value of a field; returns false if it has none, which is so for a list of unknown values. */
export function writeField(payload: Payload, arena: Arena, field: FieldPlan, { from, to }: Occurrences): boolean {
  if (field.kind === 'list') return writeList(payload, arena, field, { from, to });
  if (field.kind === 'map') return writeMap(payload, arena, field, { from, to });
  payload.at = payload.found[to - 1] as number;
  if (to - from > 2 && field.message !== undefined) writeJoined(payload, arena, field, { from, to });
  else field.write(payload, arena);
  return true;
}

/** A message that occurs several times is the merge of all, which is the same as the message of all bytes together. */
function writeJoined(payload: Payload, arena: Arena, field: FieldPlan, occurrences: Occurrences): void {
  const { source, limit } = payload;
  payload.source = joined(payload, field, occurrences);
  payload.at = 0;
  payload.limit = payload.source.bytes.length;
  writeNested(payload, arena, (field.message as () => MessagePlan)());
  payload.source = source;
  payload.limit = limit;
}

function writeList(payload: Payload, arena: Arena, field: FieldPlan, { from, to }: Occurrences): boolean {
  const { depth, limit } = payload;
  const state = { count: 0 };
  appendByte(arena, openBracket);
  for (let at = from; at < to; at += 2) {
    payload.at = payload.found[at + 1] as number;
    if (field.isPackable && ((payload.found[at] as number) & 7) === 2) writePacked(payload, arena, field, state);
    else {
      if (state.count > 0) appendByte(arena, comma);
      payload.indexes[depth] = state.count++;
      checkLength(payload, arena);
      field.write(payload, arena);
    }
  }
  payload.limit = limit;
  payload.indexes[depth] = -1;
  if (state.count === 0) return false;
  appendByte(arena, closeBracket);
  return true;
}

function writePacked(payload: Payload, arena: Arena, field: FieldPlan, state: { count: number }): void {
  const { limit, depth } = payload;
  const { write, closed } = field;
  const end = readLength(payload) + payload.at;
  const size = field.wire === 1 ? 8 : field.wire === 5 ? 4 : 1;
  if ((end - payload.at) % size !== 0)
    throw failure(payload, `a packed list has a length that is no multiple of ${size}`);
  payload.limit = end;
  while (payload.at < end) {
    const start = payload.at;
    if (closed !== undefined) {
      readVarint(payload);
      if (!closed.has(payload.low)) continue;
      payload.at = start;
    }
    if (state.count > 0) appendByte(arena, comma);
    payload.indexes[depth] = state.count++;
    checkLength(payload, arena);
    write(payload, arena);
  }
  payload.limit = limit;
}

/** Sorts the notes of a message by field; those of one field stay in their order. */
function sortFound({ found, foundLength }: Payload, base: number): void {
  const count = (foundLength - base) / 2;
  const order = new Uint32Array(count).map((_, at) => at);
  const copy = found.slice(base, foundLength);
  const fieldAt = (at: number) => (copy[at * 2] as number) >>> 3;
  order.sort((a, b) => fieldAt(a) - fieldAt(b) || a - b);
  for (let at = 0; at < count; at++) {
    const from = (order[at] as number) * 2;
    found[base + at * 2] = copy[from] as number;
    found[base + at * 2 + 1] = copy[from + 1] as number;
  }
}

/** Removes the members of each oneof that came before another member of it: the last one counts. */
function keepLastOfOneofs(payload: Payload, base: number, { fields }: MessagePlan): void {
  const { found, foundLength } = payload;
  const lastOf = new Map<number, number>();
  let to = foundLength;
  for (let at = foundLength - 2; at >= base; at -= 2) {
    const { oneof, index } = fields[(found[at] as number) >>> 3] as FieldPlan;
    const last = oneof < 0 ? index : (lastOf.get(oneof) ?? index);
    if (oneof >= 0) lastOf.set(oneof, last === index ? index : -1);
    if (last !== index) continue;
    to -= 2;
    found[to] = found[at] as number;
    found[to + 1] = found[at + 1] as number;
  }
  found.copyWithin(base, to, foundLength);
  payload.foundLength = base + foundLength - to;
}

/** Returns the bytes of all occurrences of a message together, with their length in front. */
function joined(payload: Payload, field: FieldPlan, { from, to }: { from: number; to: number }): ViewedBytes {
  const parts: Buffer[] = [];
  for (let at = from; at < to; at += 2) {
    payload.at = payload.found[at + 1] as number;
    parts.push(field.group > 0 ? groupBytes(payload) : ownBytes(payload));
  }
  const content = Buffer.concat(parts);
  const bytes = Buffer.concat([lengthPrefix(content.length), content]);
  return { bytes, view: viewOver(bytes) };
}

function ownBytes(payload: Payload): Buffer {
  const length = readLength(payload);
  return payload.source.bytes.subarray(payload.at, payload.at + length);
}

function groupBytes(payload: Payload): Buffer {
  const start = payload.at;
  for (;;) {
    const end = payload.at;
    const tag = readTag(payload);
    if ((tag & 7) === 4) return payload.source.bytes.subarray(start, end);
    skipValue(payload, tag);
  }
}

function lengthPrefix(length: number): Buffer {
  const bytes: number[] = [];
  let rest = length;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  bytes.push(rest);
  return Buffer.from(bytes);
}
