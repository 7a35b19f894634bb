import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The program that runs the simulator: its source beside this file, or the file it was bundled into. */
export function controlPlaneProgram(own = fileURLToPath(import.meta.url)): string {
  const directory = dirname(own);
  if (own.endsWith('.ts')) return join(directory, 'entry.ts');
  return join(basename(directory) === 'chunks' ? dirname(directory) : directory, 'control-plane.js');
}
