import { basename } from 'node:path';
import { argv } from 'node:process'; // where the process begins, as in bin/weir.js
import { isEmbedded } from './host/program-file.ts';
import { runProcess } from './main.ts';

/** The programs of a sandbox by the names that their bundles have: the executable is their file and their interpreter. */
const programs: Readonly<Record<string, (() => Promise<unknown>) | undefined>> = {
  'admin-api.js': () => import('./sandbox/admin/entry.ts'),
  'control-plane.js': () => import('./sandbox/cloud/entry.ts'),
  'simulated-brokers.js': () => import('./sandbox/simulated/entry.ts'),
};

const [, , first = ''] = argv;
const program = isEmbedded(first) ? programs[basename(first)] : undefined;
if (program === undefined) void runProcess();
else {
  // What Node.js leaves to a program: its own path, then its arguments.
  argv.splice(1, 1);
  void program();
}
