import { resolve } from 'node:path';

/** The executable that the tests are about, if `WEIR_EXECUTABLE` names one; else they are about the build for Node.js. */
export const executable = process.env.WEIR_EXECUTABLE;

/** The first two words of a line that starts weir as a process: the pinned Node.js (`env` for the executable), and weir. */
export const [runner, weir] =
  executable === undefined
    ? [resolve('node_modules/node/bin/node'), resolve('bin/weir.js')]
    : ['/usr/bin/env', resolve(executable)];
