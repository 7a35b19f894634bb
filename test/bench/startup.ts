import { table } from '../../src/format/table.ts';
import { kafkaToolsClassPath } from './kafka-tools.ts';
import { alternate, type Timing } from './measure.ts';
import { missingPeers, type Peer, present } from './peers.ts';
import { type Environment, inWorld, node, runWeir, weir, withBroker } from './world.ts';

const rounds = 21;
/** Milliseconds above bare node that a command without a client may take. */
const allowed = 15;

const lines = [
  ['--version'],
  ['--help'],
  ['-X', 'list'],
  ['config', 'show'],
  ['profile', 'prompt'],
  ['topic', 'create', '--help'],
];

/** Lines that read the profile file. */
const profileLines = [
  ['config', 'show'],
  ['profile', 'prompt'],
];

/** Measures weir's start-up time above bare node, and `topic list` compared with its peers. */
export function run(): Promise<string> {
  return inWorld(async (env) => {
    const alone = aboveNode(env, lines, '');
    runWeir(env, ['profile', 'create', 'measured', '--set', 'brokers=127.0.0.1:9092']);
    const configured = aboveNode(env, profileLines, ' (with a profile)');
    const lists = await withBroker(env, (brokers) => topicLists(brokers, env));
    return `${alone}\n${configured}allowed above node: ${allowed} ms\n\n${lists}`;
  });
}

function aboveNode(env: Environment, lines: readonly (readonly string[])[], suffix: string): string {
  const bare = { name: 'node -e 0', file: node, args: ['-e', '0'], env };
  const own = lines.map((args) => ({
    name: `weir ${args.join(' ')}${suffix}`,
    file: node,
    args: [weir, ...args],
    env,
  }));
  const timings = alternate([bare, ...own], rounds);
  const [base] = timings;
  const rows = timings.map((timing) => [...cells(timing), above(timing, base, 'median'), above(timing, base, 'min')]);
  return table(['command', 'median ms', 'min', 'max', 'above node', 'by min'], rows);
}

function above(timing: Timing, base: Timing | undefined, by: 'median' | 'min'): string {
  const difference = timing[by] - (base?.[by] ?? Number.NaN);
  return `${difference < 0 ? '' : '+'}${difference.toFixed(1)}`;
}

function topicLists(brokers: string, env: Environment): string {
  const own = { name: 'weir topic list', file: node, args: [weir, 'topic', 'list', '-X', `brokers=${brokers}`], env };
  const classPath = kafkaToolsClassPath(env.XDG_CACHE_HOME ?? '');
  const tool = ['org.apache.kafka.tools.TopicCommand', '--bootstrap-server', brokers, '--list'];
  const peers: readonly Peer[] = [
    { name: 'node -e 0', file: node, args: ['-e', '0'], env },
    { name: 'kcat -L', file: 'kcat', args: ['-L', '-b', brokers] },
    {
      name: "Kafka's kafka-topics",
      file: 'java',
      args: ['-cp', classPath ?? '', ...tool],
      there: classPath !== undefined,
    },
    { name: 'rpk topic list', file: 'rpk', args: ['topic', 'list', '-X', `brokers=${brokers}`] },
    { name: 'kaf topics', file: 'kaf', args: ['topics', '-b', brokers] },
  ];
  const timings = alternate([own, ...present(peers)], 11);
  const [weirs] = timings;
  const rows = timings.map((timing) => [
    ...cells(timing),
    ...(['median', 'min'] as const).map((by) => `${(timing[by] / (weirs?.[by] ?? Number.NaN)).toFixed(2)}x`),
  ]);
  return table(['command', 'median ms', 'min', 'max', 'of weir', 'by min'], rows) + missingPeers(peers);
}

function cells({ name, median, min, max }: Timing): string[] {
  return [name, median.toFixed(1), min.toFixed(1), max.toFixed(1)];
}
