/** Memory for large answers that is used again as soon as it is given back. */
export interface AnswerMemory {
  /** Memory of exactly `length` bytes, whose content does not matter, at the front of a buffer of its own. */
  allocate(length: number): Buffer;
  /** Takes back what `allocate` gave, or what another thread gave back in its place. Nobody may look at it any more. */
  release(memory: ArrayBufferLike): void;
}

/** Answers up to this size are small: memory of their own costs nothing. */
const smallBytes = 64 * 1024;
/** Memory beyond this size is not kept: it was for one record that is larger than all others. */
const keptBytes = 32 * 2 ** 20;
const growthBytes = 2 ** 20;
const keptPieces = 4;

/**
 * Memory that Fetch answers share. Fresh pages cost the kernel more time than filling them (1 GB: 390 ms of system
 * time against 270), and the garbage collector does not see how large they are. What is not given back is lost to
 * the collector, no more.
 */
export function createAnswerMemory(): AnswerMemory {
  const free: ArrayBufferLike[] = [];
  return {
    allocate(length) {
      if (length <= smallBytes) return Buffer.allocUnsafeSlow(length);
      const found = free.findIndex((memory) => memory.byteLength >= length);
      const [memory] = found < 0 ? [] : free.splice(found, 1);
      if (memory !== undefined) return Buffer.from(memory, 0, length);
      // What is too small now would only be in the way.
      free.length = 0;
      return Buffer.allocUnsafeSlow(Math.ceil(length / growthBytes) * growthBytes).subarray(0, length);
    },
    release(memory) {
      const isOurs = memory.byteLength > 0 && memory.byteLength % growthBytes === 0;
      if (isOurs && memory.byteLength <= keptBytes && free.length < keptPieces) free.push(memory);
    },
  };
}
