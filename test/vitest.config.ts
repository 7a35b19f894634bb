import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  test: {
    root: here('..'),
    include: ['test/**/*.test.ts'],
    globalSetup: here('services/global-setup.ts'),
    reporters: ['default', here('services/reporter.ts')],
    maxWorkers: 2,
    // The seed is printed; `npm test -- --sequence.seed N` repeats an order.
    sequence: { shuffle: true },
    // Generous, because a slow machine must not fail tests. The benchmarks check speed.
    testTimeout: 90_000,
    hookTimeout: 180_000,
    teardownTimeout: 30_000,
  },
});
