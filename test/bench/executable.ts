import { existsSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Case, compare, layOut, type Result } from './compare.ts';
import { peersOf as consumePeers, type Format, json, type Topic, values, weirReads } from './consume-contenders.ts';
import { writeLines } from './datasets.ts';
import { faster, type Goal, verdicts, within } from './goals.ts';
import type { Contender } from './measure.ts';
import type { BenchOptions } from './options.ts';
import { missingPeers, type Peer, present } from './peers.ts';
import { type Load, peersOf as producePeers, weirWrites } from './produce-contenders.ts';
import { fromPipe } from './redirect.ts';
import { inWorld, node, type Place, produceFile, requireWeir, weir, withBroker } from './world.ts';

const executable = resolve('dist/weir');
const onNode = 'weir on Node.js';
const startRounds = 21;
const startGoals: Readonly<Record<string, readonly Goal[]>> = {
  '--version': [within(15)],
  'completion of topics': [within(15)],
  'topic list': [faster('rpk', 1)],
};

/** Measures the executable beside weir on Node.js, rpk and kcat: starts, then reading and writing a million records. */
export function run(options: BenchOptions): Promise<string> {
  if (!existsSync(executable)) throw new Error(`there is no ${executable}: npm run executable`);
  return inWorld((env) => withBroker(env, (brokers) => measure(options, { env, brokers })));
}

async function measure(options: BenchOptions, place: Place): Promise<string> {
  const isWanted = ({ name }: { readonly name: string }): boolean => name.includes(options.only);
  const rounds = Math.max(options.rounds, startRounds);
  const starts = await compare(startsOf(place).filter(isWanted), { ...options, rounds });
  const bulk = await bulkOf(options, place);
  const results = [...starts, ...bulk];
  return layOut(results) + missingPeers([{ name: 'rpk', file: 'rpk', args: [] }]) + verdicts(results);
}

function startsOf({ env, brokers }: Place): readonly Case[] {
  const at = ['-X', `brokers=${brokers}`];
  const start = (name: string, args: readonly string[], peers: readonly Peer[] = []): Case => ({
    name,
    contenders: [...both({ name: 'weir', file: node, args: [weir, ...args], env }), ...present(peers)],
    goals: startGoals[name] ?? [],
  });
  const rpk = (...args: readonly string[]): Peer => ({ name: 'rpk', file: 'rpk', args, env });
  return [
    start('--version', ['--version'], [rpk('--version')]),
    start('config show', ['config', 'show']),
    start('topic create --help', ['topic', 'create', '--help'], [rpk('topic', 'create', '--help')]),
    start('completion of topics', ['__complete', 'topics', '', ...at]),
    start('topic list', ['topic', 'list', ...at], [rpk('topic', 'list', ...at)]),
    start('group list', ['group', 'list', ...at], [rpk('group', 'list', ...at)]),
  ];
}

/** The executable, then the same line on Node.js. */
function both(contender: Contender): readonly Contender[] {
  const { args, ...rest } = contender;
  return [
    { ...rest, file: executable, args: args.filter((word) => word !== weir), name: 'weir' },
    { ...contender, name: onNode },
  ];
}

async function bulkOf(options: BenchOptions, place: Place): Promise<readonly Result[]> {
  const shape = { records: Math.ceil(1_000_000 * options.scale), valueBytes: 100, partitions: 1, codec: 'none' };
  const topic: Topic = { ...shape, name: `bench-executable-${process.pid}`, manyWays: false };
  const path = join(tmpdir(), `${topic.name}.txt`);
  await writeLines(path, { ...shape, keyed: false });
  requireWeir(place, 'topic', 'create', topic.name, '-p', '1');
  produceFile(place, openSync(path, 'r'), topic.name);
  try {
    const cases = [
      ...[values, json].map((format) => reading(topic, format, place)),
      ...[false, true].map((piped) => writing({ ...shape, keyed: false, piped }, path, place)),
    ];
    return await compare(
      cases.filter(({ name }) => name.includes(options.only)),
      options,
    );
  } finally {
    rmSync(path, { force: true });
    requireWeir(place, 'topic', 'delete', topic.name, '--yes');
  }
}

function reading(topic: Topic, format: Format, place: Place): Case {
  const peers = consumePeers(topic, format, place).filter(isPeer);
  return {
    name: `consume, ${format.name}`,
    contenders: [...both(weirReads(topic, format, place)), ...present(peers)],
    goals: [faster(onNode, 0.9), faster('rpk', 1)],
  };
}

function writing(load: Load, path: string, place: Place): Case {
  const topic = `bench-executable-${process.pid}-written`;
  const peers = producePeers(load, topic, place).filter(isPeer);
  const contenders = [...both(weirWrites(load, topic, place)), ...present(peers)];
  let isThere = false;
  const remove = (): void => {
    if (isThere) requireWeir(place, 'topic', 'delete', topic, '--yes');
    isThere = false;
  };
  return {
    name: load.piped ? 'produce, from a pipe' : 'produce',
    ...(load.piped ? {} : { input: path }),
    contenders: load.piped ? contenders.map((one) => fromPipe(one, path)) : contenders,
    // A new topic for every run, so that no program is affected by another's records.
    prepare() {
      remove();
      requireWeir(place, 'topic', 'create', topic, '-p', '1');
      isThere = true;
    },
    end: remove,
    goals: [faster(onNode, 0.9), ...(load.piped ? [] : [faster('rpk', 1)])],
  };
}

function isPeer({ name }: Peer): boolean {
  return name === 'rpk' || name === 'kcat';
}
