import { basename, dirname, join } from 'node:path';

/**
 * The path of a program of its own that belongs to the module at the path `own`: its `source` beside that module, or,
 * where that module is bundled, the file that the program was bundled into.
 */
export function programFile(own: string, { source, bundled }: { readonly source: string; readonly bundled: string }) {
  const directory = dirname(own);
  if (own.endsWith('.ts')) return join(directory, source);
  return join(basename(directory) === 'chunks' ? dirname(directory) : directory, bundled);
}
