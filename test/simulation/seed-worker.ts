import { runAnySeed, type SeedKind } from './any-seed.ts';

/** A seed to run, as requested by the parent process. */
export interface SeedOrder {
  readonly seed: number;
  readonly kind: SeedKind | undefined;
}

/** The result of a seed. */
export interface SeedResult extends SeedOrder {
  readonly failures: readonly string[];
  readonly records: number;
  readonly virtualMs: number;
}

process.on('message', (order: SeedOrder) => void run(order));
process.send?.('ready');

async function run(order: SeedOrder): Promise<void> {
  const { failures, records, virtualMs } = await runAnySeed(order.seed, order.kind);
  const result: SeedResult = { ...order, failures, records, virtualMs };
  process.send?.(result);
}
