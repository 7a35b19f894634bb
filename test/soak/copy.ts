import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { committed, type Kills, killBrokers, patient } from './kills.ts';
import type { Soak } from './run.ts';
import { drained, finish, linesOf, startWeir } from './weir-process.ts';

const source = 'soak-copy';
/** Of this, one partition has records before the run only. */
const quiet = 'soak-copy-quiet';
const quietCopy = 'soak-copy-quiet-copy';
const group = 'soak-copy-readers';
const alone = 'soak-copy-alone';
const shared = 'soak-copy-shared';
/** Records that are written in a second. */
const rate = 2_000;

/**
 * A topic is copied with `--exactly-once` while it is written: by one process, and by two that share its partitions. All
 * of them are killed again and again, and so are the brokers, one after the other. Each copy holds every record once, in
 * the order of its partition. At the same time another topic is followed for longer than brokers keep offsets, without new
 * records in most of its partitions, which must not be copied again. At the end, a group moves to a copy: where it
 * continues is what it had not read.
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
  const faults = killBrokers(soak, [source, alone, shared], state);
  const idle = followQuiet(soak);
  await Promise.all([write(soak), idle.longEnough]);
  state.isOver = true;
  await Promise.all([...copiers, faults]);
  await idle.check();
  for (const line of Object.values(lines)) say(await finish(`the rest of ${line[3]}`, startWeir(brokers, line)));
  const expected = await committed(brokers, source, '%k');
  for (const topic of [alone, shared]) {
    const found = await committed(brokers, topic, '%k');
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
  await moveGroup(soak, expected);
}

/** Follows a topic with quiet partitions for longer than offsets are kept; then the next copy has nothing to copy. */
function followQuiet({ brokers, say }: Soak) {
  const line = ['topic', 'copy', quiet, quietCopy, ...patient];
  const began = (async () => {
    await finish('topic create', startWeir(brokers, ['topic', 'create', quiet, quietCopy, '-p', '6', '-r', '3']));
    await produceNumbers(brokers, quiet, 6_000);
    return startWeir(brokers, [...line, '--follow']);
  })();
  return {
    longEnough: began.then(() => delay(100_000)),
    async check() {
      const following = await began;
      following.child.kill('SIGKILL');
      await following.done;
      await finish('the copy of a quiet topic', startWeir(brokers, line));
      const found = [...(await committed(brokers, quietCopy, '%v')).values()].flat();
      if (found.length !== 6_000) throw new Error(`${found.length} records of 6,000 are in the copy of a quiet topic`);
      say('a topic without new records was copied once, also after offsets.retention.minutes');
    },
  };
}

/** Moves a group that has read a part of each partition, in transactions whose markers come late. */
async function moveGroup({ brokers, say }: Soak, expected: ReadonlyMap<string, readonly string[]>): Promise<void> {
  const moved = 'soak-copy-moved';
  await finish('topic create', startWeir(brokers, ['topic', 'create', moved, '-p', '6', '-r', '3']));
  await finish(
    'group seek',
    startWeir(brokers, ['group', 'seek', group, '--topics', source, '--to', '10', '--allow-new-group', '--yes']),
  );
  const line = ['topic', 'copy', source, moved, '--exactly-once', '--offsets', group, ...patient];
  await finish('the copy with a group', startWeir(brokers, line));
  const reading = startWeir(
    brokers,
    ['topic', 'consume', moved, '-g', group, '-o', ':end', '--read-committed', '-f', '%p %k\n'],
    { stdout: 'pipe' },
  );
  const found = new Map<string, string[]>();
  for await (const text of linesOf(reading.child.stdout as Readable)) {
    const [partition = '', key = ''] = text.split(' ');
    const keys = found.get(partition);
    if (keys === undefined) found.set(partition, [key]);
    else keys.push(key);
  }
  await finish('the group', reading);
  for (const [partition, keys] of expected) {
    const rest = keys.slice(10);
    if (found.get(partition)?.join() !== rest.join())
      throw new Error(differences(moved, partition, rest, found.get(partition)));
  }
  say('a group that moved reads on with the next record in each partition');
}

async function produceNumbers(brokers: string, topic: string, count: number): Promise<void> {
  const writing = startWeir(brokers, ['topic', 'produce', topic, '-o', '', ...patient], { stdin: 'pipe' });
  writing.child.stdin?.end(Array.from({ length: count }, (_, number) => `${number}\n`).join(''));
  await finish('produce', writing);
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
async function copyAndDie({ brokers }: Soak, line: readonly string[], state: Kills): Promise<void> {
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
