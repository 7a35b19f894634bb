import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Soak } from './run.ts';
import { finish, linesOf, startWeir } from './weir-process.ts';

/** What was killed so far. */
export interface Kills {
  isOver: boolean;
  kills: number;
  brokers: number;
  peakMb: number;
}

/** For commands on a machine that is busy, which elects new leaders late. */
export const patient = ['-X', 'globals.retry_timeout=5m'];

/** Kills one broker after the other; each has caught up before the next is killed. */
export async function killBrokers(
  { brokers, kill, restart }: Soak,
  topics: readonly string[],
  state: Kills,
): Promise<void> {
  for (let turn = 0; !state.isOver; turn += 1) {
    await kill((turn % 3) + 1);
    state.brokers += 1;
    await delay(3_000);
    await restart((turn % 3) + 1);
    while (!(await isInSync(brokers, topics))) await delay(500);
    await delay(5_000);
  }
}

async function isInSync(brokers: string, topics: readonly string[]): Promise<boolean> {
  const asking = startWeir(brokers, ['topic', 'describe', ...topics, '-p', '--format', 'json'], {
    stdout: 'pipe',
  });
  const lines: string[] = [];
  for await (const line of linesOf(asking.child.stdout as Readable)) lines.push(line);
  if ((await asking.done).exitCode !== 0) return false;
  const rows = JSON.parse(lines.join('\n')) as { partitions: { isr?: number[] }[] }[];
  return rows.every(({ partitions }) => partitions.every(({ isr }) => isr?.length === 3));
}

/** What a record format (`%k` and the like) prints of the committed records, by partition. */
export async function committed(
  brokers: string,
  topic: string,
  format: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const words = ['topic', 'consume', topic, '-o', ':end', '--read-committed', '-f', `%p ${format}\\n`];
  const reading = startWeir(brokers, words, { stdout: 'pipe' });
  const found = new Map<string, string[]>();
  for await (const line of linesOf(reading.child.stdout as Readable)) {
    const [partition = '', text = ''] = line.split(' ');
    const texts = found.get(partition);
    if (texts === undefined) found.set(partition, [text]);
    else texts.push(text);
  }
  await finish(`reading ${topic}`, reading);
  return found;
}
