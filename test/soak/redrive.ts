import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { committed, type Kills, killBrokers, patient } from './kills.ts';
import type { Soak } from './run.ts';
import { feed, finish, startWeir } from './weir-process.ts';

const dead = 'soak-letters';
/** The modes, each with destinations of its own; the last one refuses letters without a key. */
const modes = ['once', 'least'] as const;
const destinations = ['first', 'second', 'compacted'] as const;
/** Letters that a run puts back in a second, so that it is killed in the middle. */
const rate = 2_000;
/** Every so many letters go to the compacted topic; half of these are refused. */
const compactedEvery = 50;
/** Of more, so many would be refused that their offsets do not fit into what brokers store (4,096 bytes). */
const mostRecords = 200_000;

type Mode = (typeof modes)[number];

/**
 * Dead letters are put back while they arrive, with and without `--exactly-once`, each mode to topics of its own. Every run is
 * killed, and so are the brokers, one after the other. In the end each letter is in its topic: once, in the order of
 * its partition, or at least once; and those that their topic refuses are left.
 */
export async function soak(given: Soak): Promise<void> {
  const soak = { ...given, records: Math.min(given.records, mostRecords) };
  const { brokers, records, say } = soak;
  const flags = ['-p', '6', '-r', '3', '-c', 'min.insync.replicas=2'];
  const topics = modes.flatMap((mode) => destinations.map((destination) => topicOf(mode, destination)));
  const [compacted, others] = [topics.filter(isCompacted), topics.filter((topic) => !isCompacted(topic))];
  const policy = ['-c', 'cleanup.policy=compact', '-c', 'min.cleanable.dirty.ratio=1'];
  await finish('topic create', startWeir(brokers, ['topic', 'create', dead, ...others, ...flags]));
  await finish('topic create', startWeir(brokers, ['topic', 'create', ...compacted, ...flags, ...policy]));
  const state = { isOver: false, kills: 0, brokers: 0, peakMb: 0 };
  const writing = write(soak).then(() => {
    state.isOver = true;
  });
  const over = { isOver: false, kills: 0, brokers: 0, peakMb: 0 };
  const faults = killBrokers(soak, [dead, ...topics], over);
  await Promise.all([writing, ...modes.map((mode) => redriveAndDie(soak, lineOf(mode), state))]);
  over.isOver = true;
  await faults;
  const letters = await committed(brokers, dead, '%v');
  for (const mode of modes) await checkRest(soak, mode, records);
  const repeats = { once: 0, least: 0 };
  for (const mode of modes) {
    for (const destination of destinations) repeats[mode] += await compare(soak, { mode, destination, letters });
  }
  if (repeats.once > 0) throw new Error(`with --exactly-once ${repeats.once} letters are there again`);
  say(`${state.kills} runs and ${over.brokers} brokers were killed; each of ${records} letters was put back once`);
  say(`without --exactly-once at least once: ${repeats.least} are there again; at most ${state.peakMb} MB`);
}

function topicOf(mode: Mode, destination: string): string {
  return `soak-${mode}-${destination}`;
}

function isCompacted(topic: string): boolean {
  return topic.endsWith('compacted');
}

function lineOf(mode: Mode): readonly string[] {
  const line = [
    'topic',
    'redrive',
    dead,
    '--yes',
    '--to',
    `header:${mode}`,
    '--partitions-by',
    'same',
    '-g',
    `soak-${mode}`,
  ];
  return [...line, ...(mode === 'once' ? ['--exactly-once'] : []), ...patient];
}

/** Where a letter goes, by its number. */
function destinationOf(number: number): (typeof destinations)[number] {
  if (number % compactedEvery === 0) return 'compacted';
  return number % 3 === 0 ? 'first' : 'second';
}

function isRefused(number: number): boolean {
  return number % (compactedEvery * 2) === 0;
}

async function write({ brokers, records, say }: Soak): Promise<void> {
  const writing = startWeir(brokers, ['topic', 'produce', dead, '--format', 'json', '-o', '', ...patient], {
    stdin: 'pipe',
  });
  // What has ended it is said by its own error.
  writing.child.stdin?.on('error', () => undefined);
  await feed(writing, lettersOf(records));
  say(await finish('produce', writing));
}

function* lettersOf(records: number): Iterable<string> {
  for (let number = 0; number < records; number += 1) {
    const headers = modes.map((mode) => ({ key: mode, value: topicOf(mode, destinationOf(number)) }));
    const key = isRefused(number) ? null : `k${number}`;
    yield `${JSON.stringify({ key, value: String(number), headers })}\n`;
  }
}

/** Runs one redrive after the other, each until it is killed, until one comes to the end of all letters. */
async function redriveAndDie({ brokers }: Soak, line: readonly string[], state: Kills): Promise<void> {
  for (;;) {
    const hasAll = state.isOver;
    const run = startWeir(brokers, [...line, '--rate', String(rate)]);
    const ending = new AbortController();
    const killing = delay(3_000 + Math.random() * 7_000, undefined, { signal: ending.signal }).then(
      () => run.child.kill('SIGKILL'),
      () => false,
    );
    const { exitCode, stderr, peakMb } = await run.done;
    ending.abort();
    state.peakMb = Math.max(state.peakMb, peakMb);
    if (exitCode === null && (await killing)) state.kills += 1;
    else if (stderr.includes('weir: ')) throw new Error(`a run ended with ${exitCode}: ${stderr}`);
    else if (hasAll) return;
  }
}

/** Nothing is left but what is refused. */
async function checkRest({ brokers }: Soak, mode: Mode, records: number): Promise<void> {
  const last = startWeir(brokers, [...lineOf(mode), '--format', 'json'], { stdout: 'pipe' });
  const rows = JSON.parse(await text(last.child.stdout as Readable)) as { records: number; error: unknown }[];
  await last.done;
  const left = rows.reduce((sum, row) => sum + row.records, 0);
  const expected = Math.ceil(records / (compactedEvery * 2));
  if (left !== expected || rows.some(({ error }) => error === null)) {
    throw new Error(`a repetition leaves ${left} letters, not ${expected}: ${JSON.stringify(rows)}`);
  }
}

interface Compared {
  readonly mode: Mode;
  readonly destination: string;
  readonly letters: ReadonlyMap<string, readonly string[]>;
}

/** Compares a topic with the letters for it; returns how many are there again. */
async function compare({ brokers }: Soak, { mode, destination, letters }: Compared): Promise<number> {
  const topic = topicOf(mode, destination);
  const found = await committed(brokers, topic, '%v');
  let repeats = 0;
  for (const [partition, values] of letters) {
    const expected = values.filter(
      (value) => destinationOf(Number(value)) === destination && !isRefused(Number(value)),
    );
    const there = found.get(partition) ?? [];
    const first = [...new Set(there)];
    if (first.join() !== expected.join()) {
      const known = new Set(first);
      const missing = expected.filter((value) => !known.has(value));
      throw new Error(
        `partition ${partition} of ${topic}: ${missing.length} of ${expected.length} are missing, or in another order`,
      );
    }
    repeats += there.length - first.length;
  }
  return repeats;
}
