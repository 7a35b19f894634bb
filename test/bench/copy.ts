import { existsSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Case, compare, layOut } from './compare.ts';
import { writeLines } from './datasets.ts';
import { faster, type Goal, took, verdicts } from './goals.ts';
import type { Contender } from './measure.ts';
import type { BenchOptions } from './options.ts';
import { missingPeers, type Peer, present } from './peers.ts';
import { inWorld, node, type Place, produceFile, requireWeir, weir, withBroker } from './world.ts';

/** A topic to copy. */
interface Load {
  readonly records: number;
  readonly valueBytes: number;
  readonly partitions: number;
  readonly codec: string;
  /** The size of the batches that the topic has. */
  readonly batch: string;
  readonly goals: readonly Goal[];
}

/** What the specification asks of a copy of 330 MB. */
const wholeGoals = [faster('rpk to rpk', 5), faster('kcat to kcat', 5), took(1500)];

/** Measures copying a topic to another one of the same broker. */
export function run(options: BenchOptions): Promise<string> {
  return inWorld((env) => withBroker(env, (brokers) => measure(options, { env, brokers })));
}

async function measure(options: BenchOptions, place: Place): Promise<string> {
  const cases = loadsOf(options.scale)
    .map((load) => caseOf(load, place))
    .filter(({ name }) => name.includes(options.only));
  const results = await compare(cases, options);
  return layOut(results) + missingPeers(peersOf(namesOf(), place)) + verdicts(results);
}

function loadsOf(scale: number): readonly Load[] {
  const records = Math.ceil(3_000_000 * scale);
  const whole = { records, valueBytes: 100, partitions: 1, codec: 'none', batch: '1MB', goals: wholeGoals };
  return [
    whole,
    { ...whole, partitions: 6 },
    // What producers of Kafka's own library write unless they are told otherwise.
    { ...whole, batch: '16KB', goals: [] },
    { ...whole, records: Math.ceil(1_000_000 * scale), codec: 'zstd', goals: [] },
  ];
}

interface Names {
  readonly source: string;
  readonly target: string;
}

function namesOf(): Names {
  return { source: `bench-copy-${process.pid}`, target: `bench-copy-${process.pid}-to` };
}

function caseOf({ records, valueBytes, partitions, codec, batch, goals }: Load, place: Place): Case {
  const names = namesOf();
  const { source, target } = names;
  const path = join(tmpdir(), `${source}.txt`);
  let made = false;
  const remove = (): void => {
    if (made) requireWeir(place, 'topic', 'delete', target, '--yes');
    made = false;
  };
  return {
    name: `${records} × ${valueBytes} B, ${partitions} p, ${codec}, ${batch}`,
    async begin() {
      await writeLines(path, { records, valueBytes, keyed: true });
      requireWeir(place, 'topic', 'create', source, '-p', String(partitions));
      produceFile(place, openSync(path, 'r'), source, '-f', '%k %v\\n', '-z', codec, '--max-message-bytes', batch);
      rmSync(path, { force: true });
    },
    end() {
      remove();
      requireWeir(place, 'topic', 'delete', source, '--yes');
    },
    contenders: [
      copies('weir', names, place),
      copies('weir, exactly once', names, place, '--exactly-once'),
      ...executableCopies(names, place),
      ...present(peersOf(names, place)).map(inShell),
    ],
    prepare() {
      remove();
      requireWeir(place, 'topic', 'create', target, '-p', String(partitions));
      made = true;
    },
    goals,
  };
}

function copies(name: string, { source, target }: Names, { env, brokers }: Place, ...flags: string[]): Contender {
  return { name, file: node, args: [weir, 'topic', 'copy', source, target, '-X', `brokers=${brokers}`, ...flags], env };
}

/** The executable, if it is built (`npm run executable`). */
function executableCopies(names: Names, place: Place): readonly Contender[] {
  const built = resolve('dist/weir');
  if (!existsSync(built)) return [];
  const { args, ...rest } = copies('weir, executable', names, place, '--exactly-once');
  return [{ ...rest, file: built, args: args.slice(1) }];
}

/** Pipes that keep keys and values, whatever is in them, but neither headers nor timestamps. */
function peersOf({ source, target }: Names, { brokers }: Place): readonly Peer[] {
  const layout = '%K{big32}%V{big32}%k%v';
  const rpk = `rpk topic consume ${source} -X brokers=${brokers} -o :end -f '${layout}' | rpk topic produce ${target} -X brokers=${brokers} -f '${layout}' -o ''`;
  const kcat = `kcat -C -q -e -o beginning -b ${brokers} -t ${source} -K ' ' | kcat -P -b ${brokers} -t ${target} -K ' '`;
  return [
    { name: 'rpk to rpk', file: 'rpk', args: [rpk] },
    { name: 'kcat to kcat', file: 'kcat', args: [kcat] },
  ];
}

function inShell({ args, ...peer }: Peer): Contender {
  return { ...peer, file: 'sh', args: ['-c', ...args] };
}
