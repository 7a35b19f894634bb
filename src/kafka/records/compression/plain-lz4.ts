import { type Arena, copyInto, repeatBytes, viewOver } from '../arena.ts';
import type { ByteRange, PackRoom, UnpackRoom } from './blocks.ts';
import { lz4Damage } from './damage.ts';
import { copyLiteral, lastSeen, matchLength, slotOf } from './plain-match.ts';

/** The format wants the last 5 bytes as literals, and no match to begin within the last 12. */
const tailLiterals = 5;
const tailMatch = 12;

/** Packs greedily, with one candidate per hash; `packLz4` of the plain `Blocks`. */
export function packLz4Plain(input: Buffer, { start, end }: ByteRange, output: Buffer, room: PackRoom): number {
  const source = { bytes: input, view: viewOver(input) };
  const { view } = source;
  const target = viewOver(output);
  const lastMatch = end - tailMatch;
  lastSeen.fill(0);
  let anchor = start;
  let out = room.from;
  let at = start + 1;
  let misses = 0;
  while (at < lastMatch) {
    const word = view.getInt32(at, true);
    const slot = slotOf(word);
    const candidate = start + (lastSeen[slot] as number);
    lastSeen[slot] = at - start;
    if (view.getInt32(candidate, true) !== word) {
      // The longer nothing matches, the larger the steps: data that does not shrink passes quickly.
      at += 1 + (misses++ >>> 6);
      continue;
    }
    misses = 0;
    const more = matchLength(view, candidate + 4, at + 4, end - tailLiterals);
    const count = at - anchor;
    if (out + count + (count >>> 7) + (more >>> 7) + 8 > room.to) return -1;
    target.setUint8(out++, (Math.min(count, 15) << 4) | Math.min(more, 15));
    if (count >= 15) out = writeRest(target, out, count - 15);
    copyLiteral(source, { start: anchor, end: at }, target, out);
    out += count;
    target.setUint16(out, at - candidate, true);
    out += 2;
    if (more >= 15) out = writeRest(target, out, more - 15);
    at += 4 + more;
    anchor = at;
  }
  const count = end - anchor;
  if (out + count + (count >>> 7) + 8 > room.to) return -1;
  target.setUint8(out++, Math.min(count, 15) << 4);
  if (count >= 15) out = writeRest(target, out, count - 15);
  copyLiteral(source, { start: anchor, end }, target, out);
  return out + count;
}

function writeRest(target: DataView, start: number, value: number): number {
  let out = start;
  let rest = value;
  for (; rest >= 255; rest -= 255) target.setUint8(out++, 255);
  target.setUint8(out++, rest);
  return out;
}

/** `unpackLz4` of the plain `Blocks`. */
export function unpackLz4Plain(input: Buffer, range: ByteRange, scratch: Arena, room: UnpackRoom): void {
  const source = viewOver(input);
  const { to, oldest } = room;
  const { end } = range;
  // Up to here short pieces are moved as 16 bytes, without a branch on their length.
  const lastRead = input.length - 16;
  const lastWrite = scratch.bytes.length - 16;
  const target = scratch.view;
  let at = range.start;
  let out = scratch.length;
  while (at < end) {
    const token = input[at++] as number;
    let length = token >>> 4;
    if (length === 15) {
      let more: number;
      do {
        more = at < end ? (input[at++] as number) : 0;
        length += more;
      } while (more === 255);
    }
    if (length > end - at) throw lz4Damage('literal cut', room);
    if (length > to - out) throw lz4Damage('too long', room);
    if (length <= 16 && at <= lastRead && out <= lastWrite) {
      target.setBigUint64(out, source.getBigUint64(at, true), true);
      target.setBigUint64(out + 8, source.getBigUint64(at + 8, true), true);
    } else {
      scratch.length = out;
      copyInto(scratch, source, at, length);
    }
    out += length;
    at += length;
    if (at >= end) break;
    if (at + 2 > end) throw lz4Damage('copy cut', room);
    const distance = source.getUint16(at, true);
    at += 2;
    length = (token & 15) + 4;
    if (length === 19) {
      let more: number;
      do {
        more = at < end ? (input[at++] as number) : 0;
        length += more;
      } while (more === 255);
    }
    if (distance === 0 || distance > out - oldest) throw lz4Damage('bad copy', room);
    if (length > to - out) throw lz4Damage('too long', room);
    if (distance >= 8 && length <= 16 && out <= lastWrite) {
      target.setBigUint64(out, target.getBigUint64(out - distance, true), true);
      target.setBigUint64(out + 8, target.getBigUint64(out + 8 - distance, true), true);
    } else {
      scratch.length = out;
      repeatBytes(scratch, distance, length);
    }
    out += length;
    if (at >= end) throw lz4Damage('copy cut', room);
  }
  scratch.length = out;
}
