import { basename, dirname, join } from 'node:path';

/**
 * The path of a separate program used by the module at `own`: the file `source` next to that module or, if the module
 * is bundled, the bundle `bundled`.
 */
export function programFile(file: string, { source, bundled }: { readonly source: string; readonly bundled: string }) {
  const directory = dirname(file);
  if (file.endsWith('.ts')) return join(directory, source);
  return join(basename(directory) === 'chunks' ? dirname(directory) : directory, bundled);
}

/** Whether a file is inside the executable: Bun shows them below `/$bunfs`, and below `B:\~BUN` on Windows. */
export function isEmbedded(path: string): boolean {
  return /^(\/\$bunfs\/|B:[\\/]~BUN[\\/])/.test(path);
}
