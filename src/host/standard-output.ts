import { constants, fstatSync, openSync, type Stats, statSync, writeSync } from 'node:fs';

/** Writes as much as standard output takes at once, and returns how many bytes that was: 0 if only its stream can write. */
export type DirectWrite = (bytes: Uint8Array) => number;

/**
 * Writes to a file, a pipe or /dev/null before the stream of the descriptor is opened, which takes longer than many
 * commands run. It never waits for a reader, and reports no error: the stream meets it again and reports it.
 */
export function directWriteTo(descriptor: number): DirectWrite {
  let target: { readonly descriptor: number | undefined } | undefined;
  return (bytes) => {
    try {
      target ??= { descriptor: targetOf(descriptor) };
      return target.descriptor === undefined ? 0 : writeSync(target.descriptor, bytes);
    } catch {
      target = { descriptor: undefined };
      return 0;
    }
  };
}

function targetOf(descriptor: number): number | undefined {
  const stats = fstatSync(descriptor);
  if (stats.isFile() || isNull(stats)) return descriptor;
  // Opened again, because programs that share the descriptor would not expect it to become non-blocking. Only Linux opens
  // the pipe itself by this path; where it is missing, the stream writes.
  if (stats.isFIFO()) return openSync(`/proc/self/fd/${descriptor}`, constants.O_WRONLY | constants.O_NONBLOCK);
  return undefined;
}

/** Whether an open file is /dev/null. */
export function isNull(stats: Stats): boolean {
  return stats.isCharacterDevice() && stats.rdev === statSync('/dev/null', { throwIfNoEntry: false })?.rdev;
}
