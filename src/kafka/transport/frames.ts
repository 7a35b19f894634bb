/** Where socket bytes go, and what becomes of them. */
export interface Frames {
  /** The bytes that the next read from the socket may fill. */
  target(): Buffer;
  /** Takes the first `length` bytes of the buffer that `target` gave last. */
  filled(length: number): void;
}

/** What a stream of frames needs to know. */
export interface FrameOptions {
  /** Gets each frame without its length, in memory that `allocate` gave. */
  readonly onFrame: (frame: Buffer) => void;
  /** Judges a length as announced, with the four bytes it came in; throws when it cannot be one. */
  readonly checkLength: (length: number, raw: Buffer) => void;
  /** Memory for a frame; of its own when left out. */
  readonly allocate?: Allocate;
}

/** Gives memory of exactly `length` bytes, whose content does not matter. */
export type Allocate = (length: number) => Buffer;

/** The size of the buffer that small frames and the beginnings of large ones are read through. */
const scratchBytes = 64 * 1024;

/**
 * Cuts the bytes of a connection into frames of the Kafka protocol: an int32 length, then as many bytes.
 * A frame that does not arrive in one piece is filled by the socket directly, so that a large answer is
 * copied once in the kernel and, but for its beginning, never again.
 */
export function createFrames({ onFrame, checkLength, allocate = Buffer.allocUnsafeSlow }: FrameOptions): Frames {
  const scratch = Buffer.allocUnsafeSlow(scratchBytes);
  let kept = 0; // bytes of an unfinished length at the start of scratch
  let frame: Buffer | undefined; // the frame being filled
  let filledTo = 0;

  function finish(complete: Buffer): void {
    frame = undefined;
    onFrame(complete);
  }

  /** Walks whole frames in `bytes`; returns what is left, less than a length field. */
  function walk(bytes: Buffer): Buffer {
    let at = 0;
    while (bytes.length - at >= 4) {
      const length = bytes.readInt32BE(at);
      checkLength(length, bytes.subarray(at, at + 4));
      at += 4;
      const body = allocate(length);
      const here = bytes.copy(body, 0, at, Math.min(bytes.length, at + length));
      at += here;
      if (here < length) {
        frame = body;
        filledTo = here;
        return bytes.subarray(at);
      }
      onFrame(body);
    }
    return bytes.subarray(at);
  }

  return {
    target: () => (frame === undefined ? scratch.subarray(kept) : frame.subarray(filledTo)),
    filled(length) {
      if (frame !== undefined) {
        filledTo += length;
        if (filledTo === frame.length) finish(frame);
        return;
      }
      const rest = walk(scratch.subarray(0, kept + length));
      kept = rest.copy(scratch, 0);
    },
  };
}
