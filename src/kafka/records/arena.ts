/**
 * A growing run of bytes that is filled from the front and used again: finished output waits here
 * until it is handed to a stream.
 */
export interface Arena {
  /** Replaced by a larger one when it grows; never keep it across a `reserve`. */
  bytes: Buffer;
  /** How many of `bytes` are filled. */
  length: number;
}

/** An empty arena of `capacity` bytes. */
export function createArena(capacity = 1 << 16): Arena {
  return { bytes: Buffer.allocUnsafeSlow(Math.max(capacity, 64)), length: 0 };
}

/** Makes room for `extra` more bytes; what is filled stays. */
export function reserve(arena: Arena, extra: number): void {
  const needed = arena.length + extra;
  if (needed > arena.bytes.length) grow(arena, needed);
}

function grow(arena: Arena, needed: number): void {
  const larger = Buffer.allocUnsafeSlow(Math.max(needed, arena.bytes.length * 2));
  arena.bytes.copy(larger, 0, 0, arena.length);
  arena.bytes = larger;
}

/** The filled bytes, as a view: valid until the arena is written to again. The arena is empty after. */
export function takeBytes(arena: Arena): Buffer {
  const taken = arena.bytes.subarray(0, arena.length);
  arena.length = 0;
  return taken;
}

/** Appends `source[start, start + length)`; the source may be the arena's own buffer. */
export function appendRange(arena: Arena, source: Uint8Array, start: number, length: number): void {
  if (length <= 0) return;
  reserve(arena, length);
  copyInto(arena, source, start, length);
}

/** Appends one byte. */
export function appendByte(arena: Arena, byte: number): void {
  reserve(arena, 1);
  arena.bytes[arena.length++] = byte;
}

/** Appends text that is known to be ASCII. */
export function appendAscii(arena: Arena, text: string): void {
  const { length } = text;
  reserve(arena, length);
  const { bytes } = arena;
  let at = arena.length;
  for (let i = 0; i < length; i++) bytes[at++] = text.charCodeAt(i);
  arena.length = at;
}

/** Below this a loop is faster than any call that leaves JavaScript. */
const loopBytes = 12;

/**
 * Appends where there is room already. Within one buffer `copyWithin` takes 16 ns where `Buffer.copy`
 * takes 30 (Node 24), so a hot path gains by keeping input and output together.
 */
export function copyInto(arena: Arena, source: Uint8Array, start: number, length: number): void {
  const { bytes: target, length: at } = arena;
  if (length <= loopBytes) {
    for (let i = 0; i < length; i++) target[at + i] = source[start + i] as number;
  } else if (target === source) {
    target.copyWithin(at, start, start + length);
  } else if (Buffer.isBuffer(source)) {
    source.copy(target, at, start, start + length);
  } else {
    target.set(source.subarray(start, start + length), at);
  }
  arena.length = at + length;
}
