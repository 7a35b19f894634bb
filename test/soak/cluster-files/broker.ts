import { setTimeout as delay } from 'node:timers/promises';
import { stringify } from 'yaml';
import { patient } from '../kills.ts';
import type { Soak } from '../run.ts';
import { begin, converge, type Ended, weir, whole } from './tools.ts';

/**
 * Each broker of three, the controller among them, loses power in the middle of an apply and comes back. The apply waits for
 * the cluster or says what it could not do; afterwards the same command makes the rest.
 */
export async function soak({ brokers, say, kill, restart }: Soak): Promise<void> {
  for (const id of [1, 2, 3]) {
    const file = manyOf(id);
    const apply = begin(brokers, ['apply', '-', '--yes', ...whole, ...patient], file);
    await delay(600 + 600 * Math.random());
    await kill(id);
    await delay(3_000);
    await restart(id);
    const outcome = await apply.ended;
    say(`broker ${id} was killed: ${told(outcome)}`);
    // A broker that is still starting answers what it was told before it went.
    const healthy = await weir(brokers, ['cluster', 'health', '--until-healthy', '--wait-timeout', '5m']);
    if (healthy.exitCode !== 0) throw new Error(`the cluster did not get healthy: ${healthy.stderr}`);
    const again = await converge(brokers, file, [...whole, ...patient]);
    say(`the same command: ${told(again)}, and diff found nothing`);
  }
  await converge(brokers, stringify({ weir: 1, owns: { topics: ['soak-power-*'], users: ['soak-power-*'] } }));
}

function told({ exitCode, stdout, seconds }: Ended): string {
  const lines = stdout.trim().split('\n');
  const made = lines.filter((line) => / OK$/.test(line)).length;
  return `exit code ${exitCode} after ${seconds.toFixed(1)} s, ${made} changes made`;
}

/** A file with enough changes for a failure in their middle, other ones for each round. */
function manyOf(round: number): string {
  const names = Array.from({ length: 60 }, (_, index) => `soak-power-${index}`);
  const configs = { 'retention.ms': 60_000 * round };
  return stringify({
    weir: 1,
    owns: { topics: ['soak-power-*'], users: ['soak-power-*'] },
    topics: Object.fromEntries(names.map((name) => [name, { partitions: 2 + round, replicas: 3, configs }])),
    users: Object.fromEntries(
      names.slice(0, 10).map((name) => [name, { password: { env: 'PASSWORD' }, iterations: 4096 + round }]),
    ),
    grants: names.slice(0, 10).map((name) => ({ principal: name, produce: names.slice(round, round + 10) })),
    quotas: names.slice(0, 10).map((user) => ({ user, producer_byte_rate: 1000 * round })),
  });
}
