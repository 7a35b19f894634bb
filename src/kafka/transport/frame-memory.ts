import type { Allocate } from './frames.ts';

/** Frames up to this size are small: memory of their own costs nothing. */
const smallBytes = 64 * 1024;
/** Memory beyond this size is not kept: it was for one record that is larger than all others. */
const keptBytes = 32 * 2 ** 20;
const growthBytes = 2 ** 20;

/**
 * Memory for large frames that is used again in turn: a frame's bytes hold until the second large frame after it
 * begins. Fresh pages cost the kernel more time than filling them (1 GB: 390 ms of system time against 270), and
 * the garbage collector does not see how large they are.
 */
export function createFrameMemory(): Allocate {
  let current = Buffer.alloc(0);
  let other = Buffer.alloc(0);
  return (length) => {
    if (length <= smallBytes || length > keptBytes) return Buffer.allocUnsafeSlow(length);
    [current, other] = [other, current];
    if (current.length < length) current = Buffer.allocUnsafeSlow(Math.ceil(length / growthBytes) * growthBytes);
    return current.subarray(0, length);
  };
}
