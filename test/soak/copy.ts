import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Soak } from './run.ts';
import { drained, finish, linesOf, startWeir } from './weir-process.ts';

const source = 'soak-copy';
const alone = 'soak-copy-alone';
const shared = 'soak-copy-shared';
/** Records that are written in a second. */
const rate = 2_000;
/** A machine that is busy elects new leaders late. */
const patient = ['-X', 'globals.retry_timeout=5m'];

/**
 * A topic is copied with `--exactly-once` while it is written: by one process, and by two that share its partitions. All
 * of them are killed again and again, and so are the brokers, one after the other. Each copy holds every record once, in
 * the order of its partition.
 */
export async function soak(soak: Soak): Promise<void> {
  const { brokers, records, say } = soak;
  const flags = ['-p', '6', '-r', '3', '-c', 'min.insync.replicas=2'];
  await finish('topic create', startWeir(brokers, ['topic', 'create', source, alone, shared, ...flags]));
  const lines = {
    alone: ['topic', 'copy', source, alone, '--exactly-once', ...patient],
    shared: ['topic', 'copy', source, shared, '--exactly-once', '-g', 'soak-copiers', ...patient],
  };
  const state = { isOver: false, kills: 0, brokers: 0, peakMb: 0 };
  const copiers = [lines.alone, lines.shared, lines.shared].map((line) => copyAndDie(soak, line, state));
  const faults = killBrokers(soak, state);
  await write(soak);
  state.isOver = true;
  await Promise.all([...copiers, faults]);
  for (const line of Object.values(lines)) say(await finish(`the rest of ${line[3]}`, startWeir(brokers, line)));
  const expected = await valuesOf(brokers, source);
  for (const topic of [alone, shared]) {
    const found = await valuesOf(brokers, topic);
    for (const [partition, values] of expected) {
      if (found.get(partition)?.join() !== values.join())
        throw new Error(differences(topic, partition, values, found.get(partition)));
    }
  }
  const total = [...expected.values()].reduce((sum, values) => sum + values.length, 0);
  if (total !== records) throw new Error(`the source holds ${total} records of ${records}`);
  say(
    `${state.kills} copiers and ${state.brokers} brokers were killed; both copies hold each of ${total} records once, in order`,
  );
  say(`at most ${state.peakMb} MB`);
}

interface State {
  isOver: boolean;
  kills: number;
  brokers: number;
  peakMb: number;
}

async function write({ brokers, records, say }: Soak): Promise<void> {
  const writing = startWeir(brokers, ['topic', 'produce', source, '-f', '%k %v\\n', '-o', '', ...patient], {
    stdin: 'pipe',
  });
  const { stdin } = writing.child;
  // What has ended it is said by its own error.
  stdin?.on('error', () => undefined);
  const began = performance.now();
  const value = 'v'.repeat(100);
  for (let written = 0; written < records && writing.child.exitCode === null; await delay(20)) {
    const due = Math.min(records, Math.ceil(((performance.now() - began) / 1_000) * rate));
    for (; written < due && stdin?.writable; written++) {
      if (!stdin.write(`${written} ${value}\n`)) await drained(stdin);
    }
  }
  stdin?.end();
  say(await finish('produce', writing));
}

/** Runs one copier after the other, each until it is killed. */
async function copyAndDie({ brokers }: Soak, line: readonly string[], state: State): Promise<void> {
  while (!state.isOver) {
    const copier = startWeir(brokers, [...line, '--follow']);
    const killed = delay(1_000 + Math.random() * 9_000).then(() => copier.child.kill('SIGKILL'));
    const { exitCode, stderr, peakMb } = await copier.done;
    if (exitCode !== null) throw new Error(`a copier ended with ${exitCode}: ${stderr}`);
    await killed;
    state.kills += 1;
    state.peakMb = Math.max(state.peakMb, peakMb);
  }
}

/** Kills one broker after the other; each has caught up before the next is killed. */
async function killBrokers({ brokers, kill, restart }: Soak, state: State): Promise<void> {
  for (let turn = 0; !state.isOver; turn += 1) {
    await kill((turn % 3) + 1);
    state.brokers += 1;
    await delay(3_000);
    await restart((turn % 3) + 1);
    while (!(await isInSync(brokers))) await delay(500);
    await delay(5_000);
  }
}

async function isInSync(brokers: string): Promise<boolean> {
  const asking = startWeir(brokers, ['topic', 'describe', source, alone, shared, '-p', '--format', 'json'], {
    stdout: 'pipe',
  });
  const lines: string[] = [];
  for await (const line of linesOf(asking.child.stdout as Readable)) lines.push(line);
  if ((await asking.done).exitCode !== 0) return false;
  const rows = JSON.parse(lines.join('\n')) as { partitions: { isr?: number[] }[] }[];
  return rows.every(({ partitions }) => partitions.every(({ isr }) => isr?.length === 3));
}

/** The keys of the committed records, by partition. */
async function valuesOf(brokers: string, topic: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const words = ['topic', 'consume', topic, '-o', ':end', '--read-committed', '-f', '%p %k\\n'];
  const reading = startWeir(brokers, words, { stdout: 'pipe' });
  const found = new Map<string, string[]>();
  for await (const line of linesOf(reading.child.stdout as Readable)) {
    const [partition = '', key = ''] = line.split(' ');
    const keys = found.get(partition);
    if (keys === undefined) found.set(partition, [key]);
    else keys.push(key);
  }
  await finish(`reading ${topic}`, reading);
  return found;
}

function differences(
  topic: string,
  partition: string,
  expected: readonly string[],
  found: readonly string[] = [],
): string {
  const known = new Set(found);
  const missing = expected.filter((key) => !known.has(key)).length;
  return `partition ${partition} of ${topic}: ${missing} of ${expected.length} records are missing, ${found.length - known.size} are there again`;
}
