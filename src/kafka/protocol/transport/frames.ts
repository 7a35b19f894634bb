/** Receives the bytes of a socket and cuts them into frames. */
export interface Frames {
  /** The buffer that the next read from the socket may fill. */
  target(): Buffer;
  /** Accepts the first `length` bytes of the buffer that `target` returned last. */
  filled(length: number): void;
}

/** The options of a stream of frames. */
export interface FrameOptions {
  /** Called with each frame, without its length field, in memory from `allocate`. */
  readonly onFrame: (frame: Buffer) => void;
  /** Checks the length of a frame, given with its four raw bytes; throws when the length is not plausible. */
  readonly checkLength: (length: number, raw: Buffer) => void;
  /** Allocates memory for a frame; by default a new buffer. */
  readonly allocate?: Allocate;
}

/** Returns a buffer of exactly `length` bytes, not necessarily zeroed. */
export type Allocate = (length: number) => Buffer;

/** The size of the buffer for small frames and the beginnings of large ones, in bytes. */
const scratchBytes = 64 * 1024;

/**
 * Cuts the bytes of a connection into frames of the Kafka protocol: an int32 length, then that many bytes. The socket
 * writes directly into a frame that arrives in several pieces, so that a large answer, except for its beginning, is
 * copied only once, by the kernel.
 */
export function createFrames({ onFrame, checkLength, allocate = Buffer.allocUnsafeSlow }: FrameOptions): Frames {
  const scratch = Buffer.allocUnsafeSlow(scratchBytes);
  let heldBytes = 0; // bytes of an unfinished length at the start of scratch
  let frame: Buffer | undefined; // the frame being filled
  let filledTo = 0;

  function finish(complete: Buffer): void {
    frame = undefined;
    onFrame(complete);
  }

  /** Extracts the frames in `bytes`; returns the remaining bytes, fewer than a length field. */
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
    target: () => (frame === undefined ? scratch.subarray(heldBytes) : frame.subarray(filledTo)),
    filled(length) {
      if (frame !== undefined) {
        filledTo += length;
        if (filledTo === frame.length) finish(frame);
        return;
      }
      const rest = walk(scratch.subarray(0, heldBytes + length));
      heldBytes = rest.copy(scratch, 0);
    },
  };
}
