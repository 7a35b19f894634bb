import { fileURLToPath } from 'node:url';
import { programFile } from '../../format/program-file.ts';

/** The program that runs the simulator: its source beside this file, or the file it was bundled into. */
export function controlPlaneProgram(own = fileURLToPath(import.meta.url)): string {
  return programFile(own, { source: 'entry.ts', bundled: 'control-plane.js' });
}
