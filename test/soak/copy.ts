import { setTimeout as delay } from 'node:timers/promises';
import { committed, type Kills, killBrokers, patient } from './kills.ts';
import type { Soak } from './run.ts';
import { drained, finish, startWeir } from './weir-process.ts';

const source = 'soak-copy';
const alone = 'soak-copy-alone';
const shared = 'soak-copy-shared';
/** Records that are written in a second. */
const rate = 2_000;

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
  const faults = killBrokers(soak, [source, alone, shared], state);
  await write(soak);
  state.isOver = true;
  await Promise.all([...copiers, faults]);
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
