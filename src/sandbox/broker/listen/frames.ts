/** The size in bytes of the largest request that Kafka's brokers accept (`socket.request.max.bytes`). */
export const frameLimit = 104_857_600;

/** Splits a stream of bytes into frames, each prefixed with its length in four bytes. */
interface FrameReader {
  /**
   * Consumes a chunk, which must not be changed afterward, and calls `take` with each complete frame, without its
   * length. Returns false when a length is negative or above the limit; the connection is then unusable.
   */
  push(chunk: Buffer, take: (frame: Buffer) => void): boolean;
}

/** Creates a reader for the start of a stream. Memory grows with the bytes received, not with the announced length. */
export function createFrameReader(): FrameReader {
  let chunks: Buffer[] = [];
  let held = 0;
  const whole = (): Buffer => {
    const [only] = chunks;
    const bytes = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, held);
    chunks = [bytes];
    return bytes;
  };
  /** The number of bytes that the next step needs: the length field, or the frame including it. */
  let needed = 4;
  return {
    push(chunk, take) {
      chunks.push(chunk);
      held += chunk.length;
      while (held >= needed) {
        const bytes = whole();
        const size = bytes.readInt32BE(0);
        if (size < 0 || size > frameLimit) return false;
        needed = 4 + size;
        if (held < needed) return true;
        const frame = bytes.subarray(4, needed);
        chunks = held === needed ? [] : [bytes.subarray(needed)];
        held -= needed;
        needed = 4;
        take(frame);
      }
      return true;
    },
  };
}
