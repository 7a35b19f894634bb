import { fileURLToPath } from 'node:url';
import { programFile } from '../../format/program-file.ts';

/** The path of the program that runs the simulator: `entry.ts` beside this file, or its bundle. */
export function adminProgram(own = fileURLToPath(import.meta.url)): string {
  return programFile(own, { source: 'entry.ts', bundled: 'admin-api.js' });
}
