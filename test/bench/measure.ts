import { spawnSync } from 'node:child_process';

/** A command line to measure. */
export interface Contender {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Summary of several measurements. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** How long one contender took, in milliseconds. */
export interface Timing extends Spread {
  readonly name: string;
}

/**
 * Runs the contenders in turns (A B A B …), so that a busy moment affects all of them, and
 * returns the median, minimum and maximum of each. Two uncounted rounds warm the caches.
 */
export function alternate(contenders: readonly Contender[], rounds: number): readonly Timing[] {
  const taken = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  for (let round = -2; round < rounds; round++) {
    for (const { name, file, args, env } of contenders) {
      const startedAt = performance.now();
      const { status, stderr, error } = spawnSync(file, args, { env: env ?? process.env, maxBuffer: 1 << 28 });
      const milliseconds = performance.now() - startedAt;
      if (status !== 0) throw new Error(`${name} ended with ${status ?? error?.message}: ${stderr}`);
      if (round >= 0) taken.get(name)?.push(milliseconds);
    }
  }
  return [...taken].map(([name, times]) => ({ name, ...spreadOf(times) }));
}

/** Median, minimum and maximum. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  return { median: medianOf(sorted), min: sorted[0] ?? Number.NaN, max: sorted.at(-1) ?? Number.NaN };
}

function medianOf(sorted: readonly number[]): number {
  const middle = sorted.length >> 1;
  const [low = Number.NaN, high = Number.NaN] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[middle]];
  return (low + high) / 2;
}

/** Whether a program is on the PATH. */
export function isInstalled(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
}
