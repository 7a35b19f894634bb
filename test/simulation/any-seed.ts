import { runCopy } from './copying.ts';
import { runRedrive } from './redriving.ts';
import { runSeed } from './run-seed.ts';
import { kinds, type Scenario } from './scenario.ts';

/** What a seed is about: one of the scenario's kinds, which a seed draws by itself, a copy, or a redrive. */
export type SeedKind = Scenario['kind'] | 'copy' | 'redrive';

/** All kinds of seeds. */
export const seedKinds: readonly SeedKind[] = [...kinds, 'copy', 'redrive'];

/** What a seed has shown. */
export interface AnyReport {
  /** What was drawn. */
  readonly plan: unknown;
  /** The violated invariants, one sentence each. */
  readonly failures: readonly string[];
  readonly story: readonly string[];
  readonly records: number;
  readonly virtualMs: number;
}

/** Runs a seed; without a kind, the seed chooses among those of the scenario. */
export async function runAnySeed(seed: number, kind: SeedKind | undefined): Promise<AnyReport> {
  if (kind === 'copy') return await runCopy(seed);
  if (kind !== 'redrive') {
    const { scenario: plan, ...report } = await runSeed(seed, kind);
    return { plan, ...report };
  }
  const { sent: records, ...report } = await runRedrive(seed);
  return { ...report, records };
}
