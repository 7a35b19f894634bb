/** A pool of memory for large answers. */
export interface AnswerMemory {
  /** Returns `length` bytes, not necessarily zeroed, at the start of an ArrayBuffer that is not shared. */
  allocate(length: number): Buffer;
  /** Takes back memory from `allocate`; it must not be used any more. */
  release(memory: ArrayBufferLike): void;
}

/** Answers up to this size are not pooled: new memory for them costs little. */
const smallBytes = 64 * 1024;
/** Memory beyond this size is not kept: it held one exceptionally large record. */
const keptBytes = 32 * 2 ** 20;
const growthBytes = 2 ** 20;
const keptPieces = 4;

/**
 * Creates a pool of memory for Fetch answers. Fresh pages cost the kernel more time than filling them (1 GB: 390 ms of
 * system time against 270 ms), and the garbage collector does not see how large they are. Memory that is not released
 * is left to the collector.
 */
export function createAnswerMemory(): AnswerMemory {
  const free: ArrayBufferLike[] = [];
  return {
    allocate(length) {
      if (length <= smallBytes) return Buffer.allocUnsafeSlow(length);
      const index = free.findIndex((memory) => memory.byteLength >= length);
      const [memory] = index < 0 ? [] : free.splice(index, 1);
      if (memory !== undefined) return Buffer.from(memory, 0, length);
      // All free memory is too small for current answers.
      free.length = 0;
      return Buffer.allocUnsafeSlow(Math.ceil(length / growthBytes) * growthBytes).subarray(0, length);
    },
    release(memory) {
      const isOurs = memory.byteLength > 0 && memory.byteLength % growthBytes === 0;
      if (isOurs && memory.byteLength <= keptBytes && free.length < keptPieces) free.push(memory);
    },
  };
}
