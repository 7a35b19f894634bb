import { setTimeout as delay } from 'node:timers/promises';
import { stringify } from 'yaml';
import { count } from '../../../src/format/count.ts';
import { patient } from '../kills.ts';
import type { Soak } from '../run.ts';
import { begin, converge, type Ended, findNothing, weir, whole } from './tools.ts';

/** How long a broker may be behind the controller, or start, in milliseconds. */
const patienceMs = 60_000;

/**
 * Each broker of three, the controller among them, loses power in the middle of an apply and comes back. The apply waits for
 * the cluster or says what it could not do; the same command makes the rest, while the broker starts. Then `diff` finds
 * nothing, whichever broker it asks.
 */
export async function soak({ brokers, say, kill, restart }: Soak): Promise<void> {
  const flags = [...whole, ...patient];
  for (const [at, address] of brokers.split(',').entries()) {
    const id = at + 1;
    const file = manyOf(id);
    const apply = begin(brokers, ['apply', '-', '--yes', ...flags], file);
    await delay(300 + 600 * Math.random());
    await kill(id);
    await delay(3_000);
    await restart(id);
    say(`broker ${id} was killed: ${told(await apply.ended)}`);
    const again = await weir(brokers, ['apply', '-', '--yes', ...flags], file);
    say(`the same command: ${told(again)}`);
    if (again.exitCode !== 0) throw new Error(`apply ended with ${again.exitCode}: ${again.stderr}\n${again.stdout}`);
    say(`diff found nothing after ${await untilNothing(brokers, file, flags)}`);
    say(`so did broker ${id} after ${await untilNothing(address, file, flags)}`);
    const healthy = await weir(brokers, ['cluster', 'health', '--until-healthy', '--wait-timeout', '5m']);
    if (healthy.exitCode !== 0) throw new Error(`the cluster did not get healthy: ${healthy.stderr}`);
  }
  await converge(brokers, stringify({ weir: 1, owns: { topics: ['soak-power-*'] } }));
}

/**
 * Waits until diff finds nothing. Brokers answer from their own copies of the metadata, which follow the controller: one may
 * be late while the cluster elects another controller, and weir may ask another one than the command before did.
 */
async function untilNothing(brokers: string, file: string, flags: readonly string[]): Promise<string> {
  const startedAt = performance.now();
  for (let tries = 1; ; tries += 1) {
    try {
      await findNothing(brokers, file, flags);
      return `${((performance.now() - startedAt) / 1000).toFixed(1)} s, ${count(tries, 'run')}`;
    } catch (error) {
      if (performance.now() - startedAt > patienceMs) throw error;
      await delay(250);
    }
  }
}

function told({ exitCode, stdout, stderr, seconds }: Ended): string {
  const lines = stdout.trim().split('\n');
  const made = lines.filter((line) => / OK$/.test(line)).length;
  const why = exitCode === 0 ? '' : `: ${stderr.trim().split('\n')[0]}`;
  return `exit code ${exitCode} after ${seconds.toFixed(1)} s, ${made} changes made${why}`;
}

/**
 * A file with enough changes for a failure in their middle, other ones for each round. It has no users: if one was deleted
 * since the last snapshot of the metadata, a Kafka broker that starts may list none of those created after it (4.1.1 and
 * 4.4.0: ScramDelta.apply drops a mechanism that is empty for a moment).
 */
function manyOf(round: number): string {
  const names = Array.from({ length: 60 }, (_, index) => `soak-power-${index}`);
  const configs = { 'retention.ms': 60_000 * round };
  return stringify({
    weir: 1,
    owns: { topics: ['soak-power-*'] },
    topics: Object.fromEntries(names.map((name) => [name, { partitions: 2 + round, replicas: 3, configs }])),
    grants: names.slice(0, 10).map((name) => ({ principal: name, produce: names.slice(round, round + 10) })),
    quotas: names.slice(0, 10).map((user) => ({ user, producer_byte_rate: 1000 * round })),
  });
}
