import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Case, compare, layOut } from './compare.ts';
import { writeLines } from './datasets.ts';
import { faster, type Goal, verdicts } from './goals.ts';
import type { BenchOptions } from './options.ts';
import { missingPeers, present } from './peers.ts';
import { type Load, peersOf, weirWrites } from './produce-contenders.ts';
import { fromPipe } from './redirect.ts';
import { inWorld, type Place, requireWeir, withBroker } from './world.ts';

/** Measures writing a file of lines to a topic, acknowledged by all replicas. */
export function run(options: BenchOptions): Promise<string> {
  return inWorld((env) => withBroker(env, (brokers) => measure(options, { env, brokers })));
}

async function measure(options: BenchOptions, place: Place): Promise<string> {
  const topic = `bench-produce-${process.pid}`;
  const loads = loadsOf(options.scale);
  const cases = loads.map((load) => caseOf(load, topic, place)).filter(({ name }) => name.includes(options.only));
  const results = await compare(cases, options);
  const [first] = loads;
  const missing = first === undefined ? '' : missingPeers(peersOf(first, topic, place));
  return layOut(results) + missing + verdicts(results);
}

function loadsOf(scale: number): readonly Load[] {
  const small = { records: Math.ceil(1_000_000 * scale), valueBytes: 100, keyed: false, piped: false };
  const large = { ...small, records: Math.ceil(300_000 * scale), valueBytes: 1024 };
  return [
    { ...small, partitions: 1, codec: 'none' },
    { ...small, partitions: 1, codec: 'none', piped: true },
    { ...small, partitions: 6, codec: 'none' },
    { ...small, partitions: 6, codec: 'none', keyed: true },
    { ...large, partitions: 1, codec: 'none' },
    { ...large, partitions: 6, codec: 'none' },
    ...['gzip', 'snappy', 'lz4', 'zstd'].map((codec) => ({ ...small, partitions: 1, codec })),
  ];
}

function nameOf({ valueBytes, partitions, codec, keyed, piped }: Load): string {
  return `${valueBytes} B, ${partitions} p, ${codec}${keyed ? ', keys' : ''}${piped ? ', from a pipe' : ''}`;
}

/** The goals of the specification of performance for this case. */
function goalsOf({ valueBytes, codec }: Load): readonly Goal[] {
  const others = ['rpk', 'kaf', 'kafkactl', 'kafkajs'].map((peer) => faster(peer, 4));
  if (codec !== 'none') return [faster('kcat', 0.9), ...others];
  if (valueBytes === 100) return [faster('kcat', 1.15), ...others];
  return [faster('kcat', 1), { peer: 'kcat', kind: 'cpu', limit: 0.5 }, ...others];
}

function caseOf(load: Load, topic: string, place: Place): Case {
  const path = join(tmpdir(), `${topic}.txt`);
  const all = [weirWrites(load, topic, place), ...present(peersOf(load, topic, place))];
  let made = false;
  const remove = (): void => {
    if (made) requireWeir(place, 'topic', 'delete', topic, '--yes');
    made = false;
  };
  return {
    name: nameOf(load),
    ...(load.piped ? {} : { input: path }),
    begin: () => writeLines(path, load),
    end() {
      rmSync(path, { force: true });
      remove();
    },
    contenders: load.piped ? all.map((one) => fromPipe(one, path)) : all,
    // A new topic for every run, so that no program is affected by another's records.
    prepare() {
      remove();
      requireWeir(place, 'topic', 'create', topic, '-p', String(load.partitions));
      made = true;
    },
    goals: goalsOf(load),
  };
}
