import { readFileSync, writeFileSync } from 'node:fs';
import { argv, stdout } from 'node:process'; // a separate program, started by the sandbox
import { startAdminApi } from './admin-api.ts';
import { kafkaView } from './kafka-view.ts';
import { readProgramOptions } from './program-options.ts';

// Started as `node entry OPTIONS.json`. Prints one line of JSON when it is ready and runs until it is stopped.
const { kafka, listening, ...options } = readProgramOptions(readFileSync(argv[2] ?? '', 'utf8'));
void startAdminApi({ ...options, view: kafkaView(kafka) }).then(({ addresses }) => {
  writeFileSync(listening, '');
  stdout.write(`${JSON.stringify({ addresses })}\n`);
});
