import { type Arena, copyInto, repeatBytes, viewOver } from '../arena.ts';
import type { ByteRange } from './blocks.ts';
import { snappyDamage } from './damage.ts';
import { copyLiteral, lastSeen, matchLength, slotOf } from './plain-match.ts';

/** Matches do not begin within the last bytes, so that words are read whole. */
const tailBytes = 15;

/** Packs greedily, with one candidate per hash; `packSnappy` of the plain `Blocks`. */
export function packSnappyPlain(input: Buffer, { start, end }: ByteRange, output: Buffer, from: number): number {
  const source = { bytes: input, view: viewOver(input) };
  const { view } = source;
  const target = viewOver(output);
  const lastMatch = end - tailBytes;
  lastSeen.fill(0);
  let anchor = start;
  let out = from;
  let at = start + 1;
  let misses = 0;
  while (at < lastMatch) {
    const word = view.getInt32(at, true);
    const slot = slotOf(word);
    const candidate = start + (lastSeen[slot] as number);
    lastSeen[slot] = at - start;
    if (view.getInt32(candidate, true) !== word) {
      // The longer nothing matches, the larger the steps: data that does not shrink passes quickly.
      at += 1 + (misses++ >>> 5);
      continue;
    }
    misses = 0;
    if (at > anchor) {
      out = writeLiteralTag(target, out, at - anchor);
      copyLiteral(source, { start: anchor, end: at }, target, out);
      out += at - anchor;
    }
    const length = 4 + matchLength(view, candidate + 4, at + 4, end);
    out = writeCopy(target, out, at - candidate, length);
    at += length;
    anchor = at;
  }
  if (anchor === end) return out;
  out = writeLiteralTag(target, out, end - anchor);
  copyLiteral(source, { start: anchor, end }, target, out);
  return out + end - anchor;
}

function writeLiteralTag(target: DataView, out: number, length: number): number {
  const value = length - 1;
  if (value < 60) {
    target.setUint8(out, value << 2);
    return out + 1;
  }
  if (value < 256) {
    target.setUint16(out, (60 << 2) | (value << 8), true);
    return out + 2;
  }
  target.setUint8(out, 61 << 2);
  target.setUint16(out + 1, value, true);
  return out + 3;
}

function writeCopy(target: DataView, from: number, distance: number, length: number): number {
  let out = from;
  let rest = length;
  // A copy takes 64 bytes at most; 60 leaves 4 or more for the next, the least a short one takes.
  for (; rest >= 68; rest -= 64) out = writeLongCopy(target, out, distance, 64);
  if (rest > 64) {
    out = writeLongCopy(target, out, distance, 60);
    rest -= 60;
  }
  if (rest >= 12 || distance >= 2048) return writeLongCopy(target, out, distance, rest);
  target.setUint8(out, ((distance >>> 8) << 5) | ((rest - 4) << 2) | 1);
  target.setUint8(out + 1, distance & 255);
  return out + 2;
}

function writeLongCopy(target: DataView, out: number, distance: number, length: number): number {
  target.setUint8(out, ((length - 1) << 2) | 2);
  target.setUint16(out + 1, distance, true);
  return out + 3;
}

/** `unpackSnappy` of the plain `Blocks`. */
export function unpackSnappyPlain(input: Buffer, range: ByteRange, scratch: Arena, to: number): void {
  const { end } = range;
  const from = scratch.length;
  const source = viewOver(input);
  // Up to here short pieces are moved as 16 bytes, without a branch on their length.
  const lastRead = input.length - 16;
  const lastWrite = scratch.bytes.length - 16;
  const target = scratch.view;
  let at = range.start;
  let out = from;
  while (at < end) {
    const tag = input[at++] as number;
    const kind = tag & 3;
    let length = (tag >>> 2) + 1;
    if (kind === 0) {
      if (length > 60) {
        const extra = length - 60;
        if (at + extra > end) throw snappyDamage('literal cut');
        length = input.readUIntLE(at, extra) + 1;
        at += extra;
      }
      if (length > end - at || length > to - out) throw snappyDamage('too long');
      if (length <= 16 && at <= lastRead && out <= lastWrite) {
        target.setBigUint64(out, source.getBigUint64(at, true), true);
        target.setBigUint64(out + 8, source.getBigUint64(at + 8, true), true);
      } else {
        scratch.length = out;
        copyInto(scratch, source, at, length);
      }
      at += length;
      out += length;
      continue;
    }
    const width = kind === 3 ? 4 : kind;
    if (at + width > end) throw snappyDamage('copy cut');
    let distance: number;
    if (kind === 1) {
      length = ((tag >>> 2) & 7) + 4;
      distance = ((tag >>> 5) << 8) | (input[at] as number);
    } else distance = kind === 2 ? source.getUint16(at, true) : source.getUint32(at, true);
    at += width;
    if (distance === 0 || distance > out - from || length > to - out) throw snappyDamage('bad copy');
    if (distance >= 8 && length <= 16 && out <= lastWrite) {
      target.setBigUint64(out, target.getBigUint64(out - distance, true), true);
      target.setBigUint64(out + 8, target.getBigUint64(out + 8 - distance, true), true);
    } else {
      scratch.length = out;
      repeatBytes(scratch, distance, length);
    }
    out += length;
  }
  scratch.length = out;
}
