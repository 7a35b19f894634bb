import { type ViewedBytes, viewOver } from '../../../bytes/arena.ts';
import type { FieldPlan, MessagePlan } from './message-plan.ts';
import { type Payload, readLength, readTag, skipValue } from './payload.ts';

/** Sorts the notes of a message by field; those of one field stay in their order. */
export function sortFound({ found, foundLength }: Payload, base: number): void {
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
export function keepLastOfOneofs(payload: Payload, base: number, { fields }: MessagePlan): void {
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
export function joined(payload: Payload, field: FieldPlan, { from, to }: { from: number; to: number }): ViewedBytes {
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
