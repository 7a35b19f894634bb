import type { Readable } from 'node:stream';
import type { Soak } from './run.ts';
import { drained, finish, linesOf, startWeir, type WeirProcess } from './weir-process.ts';

const topic = 'soak-truncation';
const group = 'soak-truncation-group';
/** Longer than two brokers need to stop and one to restart. */
const patient = ['-X', 'globals.retry_timeout=2m'];

/** A record with its offset in the log. */
interface Placed {
  readonly offset: number;
  readonly value: string;
}

/**
 * An unclean election really cuts a log: the follower is killed, the leader accepts records alone and is killed,
 * the follower returns and leads. An unbounded read and a group that has committed past the cut notice it and
 * continue where the logs diverge. The idempotent producer continues without duplicates, and exactly the records
 * that only the lost leader acknowledged are lost.
 */
export async function soak(soak: Soak): Promise<void> {
  const { brokers, say, kill, restart } = soak;
  const part = Math.max(100, Math.floor(soak.records / 10));
  const flags = ['-p', '1', '-r', '2', '-c', 'unclean.leader.election.enable=true', '-c', 'min.insync.replicas=1'];
  await finish('topic create', startWeir(brokers, ['topic', 'create', topic, ...flags]));
  const first = await untilPartition(brokers, ({ isr, leader }) => isr.length === 2 && leader >= 0);
  const [leader, follower] = [first.leader, first.isr.find((id) => id !== first.leader) ?? -1];

  const reading = watch(startWeir(brokers, ['topic', 'consume', topic, '-f', '%o %v\\n', ...patient], piped));
  const producing = watch(
    startWeir(brokers, ['topic', 'produce', topic, '-o', '%o %v\\n', ...patient], { stdin: 'pipe', stdout: 'pipe' }),
  );
  await write(producing, 'both', part);
  await has(producing, part);
  await kill(follower);
  await untilPartition(brokers, ({ isr }) => isr.length === 1 && isr[0] === leader);
  await write(producing, 'leader-only', part);
  await has(producing, 2 * part);
  await has(reading, 2 * part);
  const before = ['topic', 'consume', topic, '-g', group, '-f', '%o %v\\n', ...patient];
  await finish('group', startWeir(brokers, [...before, '-n', String(2 * part)]));

  // Some of these are in flight when the leader is killed.
  await write(producing, 'after', 10);
  await kill(leader);
  await restart(follower);
  await untilPartition(brokers, (now) => now.leader === follower);
  await write(producing, 'after', 2 * part, 10);
  producing.process.child.stdin?.end();
  const wrote = await ended(producing);
  say(`the log was cut at offset ${part}; produce said: ${wrote.stderr.trim()}`);

  const held = await readAll(brokers);
  checkProduced({ acknowledged: producing.lines, held, part });
  const lost = 4 * part - held.length;
  if (!wrote.stderr.includes(`acknowledged records were lost (the last ${lost})`)) {
    throw new Error(`${lost} records are lost, and produce did not say so: ${wrote.stderr}`);
  }
  say(
    `nothing is there twice, order is kept; ${lost} records are lost, all of them acknowledged by the lost leader alone`,
  );

  await until(() => reading.lines.at(-1)?.value === held.at(-1)?.value);
  reading.process.child.kill('SIGINT');
  const read = await ended(reading);
  checkWarned('the endless read', read.stderr, part);
  expectSame('the endless read', reading.lines.slice(-(held.length - part)), held.slice(part));
  const again = watch(startWeir(brokers, [...before, '-n', String(held.length - part)], piped));
  checkWarned('the group', (await ended(again)).stderr, part);
  expectSame('the group', again.lines, held.slice(part));
  say(`an endless read and a group said that offsets ${part} and up were cut, and read on at ${part}`);
  await restart(leader);
  await untilPartition(brokers, ({ isr }) => isr.length === 2);
}

const piped = { stdout: 'pipe' } as const;

/** A process whose lines of offset and value are kept. */
interface Watched {
  readonly process: WeirProcess;
  readonly lines: Placed[];
  readonly closed: Promise<void>;
}

function watch(process: WeirProcess): Watched {
  const lines: Placed[] = [];
  const collect = async (): Promise<void> => {
    for await (const line of linesOf(process.child.stdout as Readable)) {
      const [offset = '', value = ''] = line.split(' ');
      lines.push({ offset: Number(offset), value });
    }
  };
  return { process, lines, closed: collect() };
}

async function ended({ process, closed }: Watched): Promise<{ readonly stderr: string }> {
  await closed;
  const { exitCode, stderr } = await process.done;
  // Null: the signal ended it.
  if (exitCode !== 0 && exitCode !== null) throw new Error(`weir ended with ${exitCode}: ${stderr.slice(0, 1000)}`);
  return { stderr };
}

/** Writes the values of a label with these numbers. */
async function write({ process }: Watched, label: string, to: number, from = 0): Promise<void> {
  const { stdin } = process.child;
  for (let index = from; index < to; index += 1) {
    if (stdin?.write(`${label}-${index}\n`) === false) await drained(stdin);
  }
}

async function has({ lines, process }: Watched, count: number): Promise<void> {
  await until(() => lines.length >= count || process.child.exitCode !== null);
  if (lines.length < count) throw new Error(`weir ended early: ${(await process.done).stderr}`);
}

async function until(isDone: () => boolean | Promise<boolean>): Promise<void> {
  const limit = performance.now() + 120_000;
  while (!(await isDone())) {
    if (performance.now() > limit) throw new Error('nothing has happened for two minutes');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

interface Partition {
  readonly leader: number;
  readonly isr: readonly number[];
}

async function untilPartition(brokers: string, isSo: (partition: Partition) => boolean): Promise<Partition> {
  let last: Partition = { leader: -1, isr: [] };
  await until(async () => {
    const asking = startWeir(brokers, ['topic', 'describe', topic, '-p', '--format', 'json'], piped);
    const lines: string[] = [];
    for await (const line of linesOf(asking.child.stdout as Readable)) lines.push(line);
    if ((await asking.done).exitCode !== 0) return false;
    const [row] = JSON.parse(lines.join('\n')) as { partitions: Partial<Partition>[] }[];
    const { leader = -1, isr = [] } = row?.partitions[0] ?? {};
    last = { leader, isr };
    return isSo(last);
  });
  return last;
}

async function readAll(brokers: string): Promise<readonly Placed[]> {
  const reading = watch(startWeir(brokers, ['topic', 'consume', topic, '-o', ':end', '-f', '%o %v\\n'], piped));
  await ended(reading);
  return reading.lines;
}

/** Acknowledged records that are missing were after the cut; all others exist once, in order. */
function checkProduced(what: { acknowledged: readonly Placed[]; held: readonly Placed[]; part: number }): void {
  const { acknowledged, held, part } = what;
  const wanted = [
    ...Array.from({ length: part }, (_, index) => `both-${index}`),
    ...Array.from({ length: part }, (_, index) => `leader-only-${index}`),
    ...Array.from({ length: 2 * part }, (_, index) => `after-${index}`),
  ];
  const there = new Map(held.map(({ value, offset }) => [value, offset]));
  if (there.size !== held.length) throw new Error(`${held.length - there.size} records are there twice`);
  const kept = wanted.filter((value) => there.has(value));
  if (kept.join() !== held.map(({ value }) => value).join()) throw new Error('the records are out of order');
  const told = new Map(acknowledged.map(({ value, offset }) => [value, offset]));
  for (const value of wanted.filter((one) => !there.has(one))) {
    if ((told.get(value) ?? -1) < part)
      throw new Error(`${value} is lost, and was not acknowledged by the lost leader`);
  }
  for (const [value, offset] of there) {
    if (told.get(value) !== offset) throw new Error(`${value} is at offset ${offset}, produce said ${told.get(value)}`);
  }
}

function checkWarned(who: string, stderr: string, cut: number): void {
  const said = `partition 0: a new leader has truncated the log and lost offsets ${cut} to `;
  if (!stderr.includes(said)) throw new Error(`${who} did not say where the log was cut: ${stderr}`);
}

function expectSame(who: string, got: readonly Placed[], wanted: readonly Placed[]): void {
  const show = (lines: readonly Placed[]): string => lines.map(({ offset, value }) => `${offset}=${value}`).join();
  if (show(got) !== show(wanted)) throw new Error(`${who} printed ${got.length} records that are not those of the log`);
}
