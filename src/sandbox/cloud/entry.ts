import { argv, stdout } from 'node:process'; // a program of its own, started by the sandbox
import { startControlPlane } from './control-plane.ts';
import { readOptions } from './options.ts';

// Started as `node entry OPTIONS.json`; prints one line of JSON when it answers and runs until it is ended.
const plane = await startControlPlane(readOptions(argv[2] ?? ''));
stdout.write(`${JSON.stringify({ url: plane.url })}\n`);
