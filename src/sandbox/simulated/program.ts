import { fileURLToPath } from 'node:url';
import { programFile } from '../../format/program-file.ts';

/** The program that runs simulated brokers: its source beside this file, or the file it was bundled into. */
export function simulatedProgram(own = fileURLToPath(import.meta.url)): string {
  return programFile(own, { source: 'entry.ts', bundled: 'simulated-brokers.js' });
}
