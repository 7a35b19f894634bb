import { writeFileSync } from 'node:fs';
import { argv, env, stdout } from 'node:process'; // a separate program, started by the sandbox
import { startControlPlane } from './control-plane.ts';
import { readOptions } from './options.ts';

// Started as `node entry OPTIONS.json`. Prints one line of JSON when it is ready and runs until it is stopped.
// The variable is for demos and tests that cannot wait in real time; weir itself never sets it.
const testControls = env.SIMULATOR_TEST_CONTROLS === '1';
const options = readOptions(argv[2] ?? '');
const plane = await startControlPlane({ ...options, testControls });
if (options.listening !== undefined) writeFileSync(options.listening, '');
stdout.write(`${JSON.stringify({ url: plane.url })}\n`);
