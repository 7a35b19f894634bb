/** The largest request that Kafka's brokers take (`socket.request.max.bytes`), in bytes. */
export const frameLimit = 104_857_600;

/** Cuts a stream of bytes into frames: four bytes of length, then so many bytes. */
export interface FrameReader {
  /**
   * Takes in what came, which must stay as it is; calls back with each frame that is whole, without its length.
   * False: a length is none, or above the limit, and the connection is of no more use.
   */
  push(chunk: Buffer, take: (frame: Buffer) => void): boolean;
}

/** A reader at the beginning of a stream. A frame takes memory only as its bytes come, whatever its length says. */
export function createFrameReader(): FrameReader {
  let chunks: Buffer[] = [];
  let held = 0;
  const whole = (): Buffer => {
    const [only] = chunks;
    const bytes = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, held);
    chunks = [bytes];
    return bytes;
  };
  /** How many bytes the next step needs: those of the length, or of the frame with its length. */
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
