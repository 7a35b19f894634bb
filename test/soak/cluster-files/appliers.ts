import type { ItemError } from '../../../src/errors.ts';
import type { Soak } from '../run.ts';
import { begin, converge, type Ended, findNothing, randomFile, whole } from './tools.ts';

const rounds = 20;

/** How a row ends that the other one has changed, and one that needs such a row. */
const lost: ReadonlySet<string> = new Set(['CHANGED_SINCE_PLAN', 'NOT_CHANGED']);

/**
 * Two people apply at the same time: the same file, then the files of two teams, then two files that contradict each other.
 * Each row that one of them has lost to the other is reported as that, and the files of the teams do not touch each other.
 */
export async function soak({ brokers, say }: Soak): Promise<void> {
  const seen = new Map<string, number>();
  const both = async (about: string, files: readonly string[]): Promise<void> => {
    const running = files.map(
      (file) => begin(brokers, ['apply', '-', '--yes', '--format', 'json', ...whole], file).ended,
    );
    const outcomes = await Promise.all(running);
    const codes = outcomes.map(({ exitCode }) => exitCode).toSorted((a, b) => (a ?? -1) - (b ?? -1));
    const ends = new Set(outcomes.flatMap(lostIn));
    const key = `${about}: exit codes ${codes.join(' and ')}${ends.size === 0 ? '' : `, ${[...ends].toSorted().join(', ')}`}`;
    seen.set(key, (seen.get(key) ?? 0) + 1);
  };
  for (let round = 0; round < rounds; round += 1) {
    const same = randomFile('soak-both', round, 6);
    await both('the same file', [same, same]);
    await converge(brokers, same);
    const teams = ['soak-first', 'soak-second'].map((prefix) => randomFile(prefix, round, 4));
    await both('files of two teams', teams);
    for (const file of teams) await findNothing(brokers, file);
    const contrary = [100, 200].map((seed) => randomFile('soak-both', round + seed, 6));
    await both('files that contradict each other', contrary);
  }
  for (const prefix of ['soak-both', 'soak-first', 'soak-second']) await converge(brokers, randomFile(prefix, 0, 0));
  for (const [key, times] of seen) say(`${times} × ${key}`);
}

/** The codes of the rows that failed. @throws if a row failed for another reason than the other applier */
function lostIn({ exitCode, stdout, stderr }: Ended): readonly string[] {
  if (exitCode === 0) return [];
  const rows = JSON.parse(stdout) as readonly { readonly error: ItemError | null }[];
  const codes = rows.flatMap(({ error }) => (error === null ? [] : [error.code]));
  if (exitCode === 6 && codes.length > 0 && codes.every((code) => lost.has(code))) return codes;
  throw new Error(
    `apply ended with ${exitCode}: ${stderr}\n${JSON.stringify(rows.filter(({ error }) => error !== null))}`,
  );
}
