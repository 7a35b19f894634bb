import type { Soak } from '../run.ts';
import { begin, converge, type Ended, findNothing, randomFile, weir, whole } from './tools.ts';

const rounds = 20;

/**
 * Two people apply at the same time: first the same file, then two files of two teams, then two files that contradict each
 * other. Nobody gets a cluster that is neither, and whoever lost is told.
 */
export async function soak({ brokers, say }: Soak): Promise<void> {
  const both = async (one: string, other: string): Promise<readonly [Ended, Ended]> =>
    (await Promise.all(
      [one, other].map((file) => begin(brokers, ['apply', '-', '--yes', ...whole], file).ended),
    )) as unknown as readonly [Ended, Ended];
  const codes = new Map<string, number>();
  const note = (kind: string, outcomes: readonly Ended[]): void => {
    const key = `${kind}: ${outcomes
      .map(({ exitCode }) => exitCode)
      .toSorted()
      .join(' and ')}`;
    codes.set(key, (codes.get(key) ?? 0) + 1);
    for (const { exitCode, stdout, stderr } of outcomes)
      if (exitCode !== 0 && exitCode !== 6) throw new Error(`apply ended with ${exitCode}: ${stderr}\n${stdout}`);
  };
  for (let round = 0; round < rounds; round += 1) {
    const same = randomFile('soak-both', round, 6);
    note('the same file', await both(same, same));
    // What one of them left to the other may have been refused to the other.
    await converge(brokers, same);
    const [first, second] = [randomFile('soak-first', round, 4), randomFile('soak-second', round, 4)];
    const teams = await both(first, second);
    note('files of two teams', teams);
    for (const file of [first, second]) await findNothing(brokers, file);
    note(
      'files that contradict each other',
      await both(randomFile('soak-both', round + 100, 4), randomFile('soak-both', round + 200, 4)),
    );
  }
  for (const prefix of ['soak-both', 'soak-first', 'soak-second'])
    await weir(brokers, ['apply', '-', '--yes', ...whole], randomFile(prefix, 0, 0));
  for (const [key, times] of codes) say(`${key}: ${times} times`);
}
