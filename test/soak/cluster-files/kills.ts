import { setTimeout as delay } from 'node:timers/promises';
import type { Soak } from '../run.ts';
import { begin, converge, differences, randomFile, whole } from './tools.ts';

const rounds = 50;

/**
 * Somebody pulls the plug of an apply, at a moment that nobody chose, fifty times. What is left is a cluster between two
 * files; the same command then makes it as the file says.
 */
export async function soak({ brokers, say }: Soak): Promise<void> {
  const prefix = 'soak-kills';
  let usualMs = 1500;
  const found = { before: 0, between: 0, after: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const file = randomFile(prefix, round, 8);
    const planned = await differences(brokers, file);
    const apply = begin(brokers, ['apply', '-', '--yes', ...whole], file);
    await delay(usualMs * (0.2 + 0.8 * Math.random()));
    apply.child.kill('SIGKILL');
    const { exitCode, seconds } = await apply.ended;
    if (exitCode !== null) usualMs = seconds * 1000;
    const left = await differences(brokers, file);
    if (left === 0) found.after += 1;
    else if (left === planned) found.before += 1;
    else found.between += 1;
    await converge(brokers, file);
  }
  await converge(brokers, randomFile(prefix, 0, 0));
  const { before, between, after } = found;
  say(`${rounds} × kill -9: ${before} before the first change, ${between} between changes, ${after} after the last`);
  say('the same command made the cluster as the file says each time, and diff found nothing');
}
