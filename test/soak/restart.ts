import type { Readable } from 'node:stream';
import type { Soak } from './run.ts';
import { drained, feed, finish, linesOf, startWeir, type WeirProcess } from './weir-process.ts';

const topic = 'soak-restart';
const group = 'soak-group';
const partitions = 6;

/**
 * One of three brokers is killed and restarted during a produce, then every broker once during a group
 * consume: the topic holds every record once and in order, the group prints every record, and what
 * is committed is exactly what was printed.
 */
export async function soak(soak: Soak): Promise<void> {
  const { brokers, records, say } = soak;
  const flags = ['-p', String(partitions), '-r', '3', '-c', 'min.insync.replicas=2'];
  await finish('topic create', startWeir(brokers, ['topic', 'create', topic, ...flags]));
  await produceThroughRestart(soak);
  const held = await readAll(startWeir(brokers, ['topic', 'consume', topic, '-o', ':end', '-f', '%p %o %k\\n'], piped));
  if (held.total !== records || held.different !== records) {
    throw new Error(`the topic holds ${held.total} records, ${held.different} different ones, of ${records}`);
  }
  if (!held.inOrder) throw new Error('the records of a partition are out of order');
  say(`the topic holds each of ${records} records once, in the order of its partition`);
  await consumeThroughRestarts(soak, held.ends);
}

const piped = { stdout: 'pipe' } as const;

async function produceThroughRestart({ brokers, records, say, kill, restart }: Soak): Promise<void> {
  const writing = startWeir(brokers, ['topic', 'produce', topic, '-f', '%k %v\\n', '-o', ''], { stdin: 'pipe' });
  const value = 'v'.repeat(100);
  function* part(from: number, to: number): Generator<string> {
    for (let index = from; index < to; index++) yield `${index} ${value}\n`;
  }
  const { stdin } = writing.child;
  const write = async (from: number, to: number): Promise<void> => {
    for (const line of part(from, to)) {
      if (stdin?.write(line) === false) await drained(stdin);
    }
  };
  await write(0, Math.floor(records / 4));
  await kill(2);
  await write(Math.floor(records / 4), Math.floor(records / 2));
  await restart(2);
  await write(Math.floor(records / 2), records);
  await feed(writing, []);
  say(await finish('produce, with broker 2 killed and restarted', writing));
}

/** What was received, by partition. */
interface Seen {
  total: number;
  different: number;
  inOrder: boolean;
  /** The offset after the last record of each partition. */
  readonly ends: Map<number, number>;
}

/** Reads lines of partition, offset, key to the end. */
async function readAll({ child }: WeirProcess, onRecord: (seen: Seen) => void = () => undefined): Promise<Seen> {
  const seen: Seen = { total: 0, different: 0, inOrder: true, ends: new Map() };
  const [lastKey, known] = [new Map<number, number>(), new Set<number>()];
  for await (const line of linesOf(child.stdout as Readable)) {
    const [partition = 0, offset = 0, key = 0] = line.split(' ').map(Number);
    if (key <= (lastKey.get(partition) ?? -1)) seen.inOrder = false;
    lastKey.set(partition, key);
    known.add(key);
    seen.total += 1;
    seen.different = known.size;
    seen.ends.set(partition, offset + 1);
    onRecord(seen);
  }
  return seen;
}

async function consumeThroughRestarts(soak: Soak, ends: ReadonlyMap<number, number>): Promise<void> {
  const { brokers, records, say } = soak;
  const words = ['topic', 'consume', topic, '-g', group, '-f', '%p %o %k\\n', '--fetch-max-wait', '500ms'];
  // Small fetches, so that the brokers go down during the read, not after it.
  const small = ['--fetch-max-bytes', '200000', '--fetch-max-partition-bytes', '50000'];
  const member = startWeir(brokers, [...words, ...small], piped);
  let faults: Promise<void> | undefined;
  let isStopping = false;
  const { total, different } = await readAll(member, (seen) => {
    if (seen.total > records / 20) faults ??= eachBrokerOnce(soak);
    if (seen.different !== records || isStopping) return;
    isStopping = true;
    void (faults ?? Promise.resolve()).then(() => member.child.kill('SIGINT'));
  });
  await faults;
  const { peakMb, seconds } = await member.done;
  if (different !== records) throw new Error(`the group printed ${different} different records of ${records}`);
  say(`the group printed ${different} of ${records} records, ${total - different} of them again, while every broker`);
  say(`was killed once: ${seconds.toFixed(1)} s, at most ${peakMb} MB`);
  // A new record per partition: the group continues exactly there.
  const nudge = startWeir(brokers, ['topic', 'produce', topic, '-f', '%p %k\\n', '-p', '0', '-o', ''], {
    stdin: 'pipe',
  });
  await feed(
    nudge,
    Array.from({ length: partitions }, (_, partition) => `${partition} ${records + partition}\n`),
  );
  await finish('produce', nudge);
  const next = await readAll(startWeir(brokers, [...words, '-n', String(partitions)], piped));
  for (const [partition, end] of ends) {
    if (next.ends.get(partition) !== end + 1 || next.total !== partitions) {
      throw new Error(`partition ${partition} goes on before offset ${next.ends.get(partition)}, not at ${end}`);
    }
  }
  say('the group continues exactly after what was printed, in every partition');
}

/** Kills the brokers one after another; each restarts and catches up before the next is killed. */
async function eachBrokerOnce({ brokers, kill, restart }: Soak): Promise<void> {
  for (const id of [1, 2, 3]) {
    await kill(id);
    await restart(id);
    while (!(await isInSync(brokers))) await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

async function isInSync(brokers: string): Promise<boolean> {
  const asking = startWeir(brokers, ['topic', 'describe', topic, '-p', '--format', 'json'], piped);
  const lines: string[] = [];
  for await (const line of linesOf(asking.child.stdout as Readable)) lines.push(line);
  if ((await asking.done).exitCode !== 0) return false;
  const [row] = JSON.parse(lines.join('\n')) as { partitions: { isr?: number[] }[] }[];
  return row?.partitions.every(({ isr }) => isr?.length === 3) ?? false;
}
