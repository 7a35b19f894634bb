import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import LongestFirst from './services/longest-first.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  test: {
    root: here('..'),
    include: ['test/**/*.test.ts'],
    globalSetup: here('services/global-setup.ts'),
    setupFiles: [here('setup.ts')],
    reporters: ['default', here('services/reporter.ts')],
    // More than the processors of a small machine: many tests wait for brokers, elections and children. With two
    // processors, four workers used them for less than half of the time while the longest files ran.
    maxWorkers: 6,
    // A worker for each file takes a third of a second of processor time to start. What a file replaces it puts back.
    isolate: false,
    // V8 13.6 compiles functions again whose bytecode it dropped, and once in hundreds of runs fails a check of its own
    // there ("closure_feedback_cell_array()->length() == …"), which takes the worker with it. Workers keep what they compiled.
    execArgv: ['--no-flush-bytecode'],
    // Node.js runs the sources as they are: nothing is transformed, and calls between modules cost what they cost users.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Another order in every run, apart from the longest files, which prints its seed; `npm test -- --sequence.seed=N` repeats it.
    sequence: { shuffle: true, sequencer: LongestFirst },
    // Generous, because a slow machine must not fail tests. The benchmarks check speed.
    testTimeout: 240_000,
    hookTimeout: 300_000,
    teardownTimeout: 30_000,
    // The default of one second is for a machine with nothing else to do.
    expect: { poll: { timeout: 60_000 } },
    // The OpenID provider of the tests prints that it is not set up for production.
    onConsoleLog: (log) => !log.includes('oidc-provider '),
  },
});
