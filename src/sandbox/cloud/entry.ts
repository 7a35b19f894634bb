import { writeFileSync } from 'node:fs';
import { argv, stdout } from 'node:process'; // a separate program, started by the sandbox
import { startControlPlane } from './control-plane.ts';
import { readOptions } from './options.ts';

// Started as `node entry OPTIONS.json`. Prints one line of JSON when it is ready and runs until it is stopped.
const options = readOptions(argv[2] ?? '');
void startControlPlane(options).then(({ url }) => {
  if (options.listening !== undefined) writeFileSync(options.listening, '');
  stdout.write(`${JSON.stringify({ url })}\n`);
});
