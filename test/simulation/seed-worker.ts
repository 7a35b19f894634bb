import { runSeed } from './run-seed.ts';
import type { Scenario } from './scenario.ts';

/** One seed to run, as the parent process asks for it. */
export interface SeedOrder {
  readonly seed: number;
  readonly kind: Scenario['kind'] | undefined;
}

/** What came of it. */
export interface SeedResult extends SeedOrder {
  readonly failures: readonly string[];
  readonly records: number;
  readonly virtualMs: number;
}

process.on('message', (order: SeedOrder) => void run(order));
process.send?.('ready');

async function run(order: SeedOrder): Promise<void> {
  const { failures, records, virtualMs } = await runSeed(order.seed, order.kind);
  const result: SeedResult = { ...order, failures, records, virtualMs };
  process.send?.(result);
}
