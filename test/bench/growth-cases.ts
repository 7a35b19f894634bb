import { spawnSync } from 'node:child_process';
import type { Case } from './compare.ts';
import { kafkaToolsClassPath } from './kafka-tools.ts';
import type { Contender } from './measure.ts';
import { type Peer, present } from './peers.ts';
import { node, type Place, weir } from './world.ts';

/** A command of weir beside the programs that answer the same question. */
export interface GrowthCase extends Case {
  /** Runs weir's command once, outside the measurement, and counts its requests. */
  countRequests(): number;
}

interface Work {
  readonly args: readonly string[];
  readonly peers: (place: Place) => readonly Peer[];
}

const everything = ['-r', '.*'];

const works: readonly Work[] = [
  {
    args: ['topic', 'list'],
    peers: (place) => [kcat(place), topicsTool(place, '--list'), rpk(place, 'topic', 'list')],
  },
  { args: ['topic', 'describe', ...everything], peers: (place) => [topicsTool(place, '--describe')] },
  { args: ['group', 'list'], peers: (place) => [groupsTool(place, '--list'), rpk(place, 'group', 'list')] },
  { args: ['group', 'lag', ...everything], peers: () => [] },
  {
    args: ['group', 'describe', ...everything],
    peers: (place) => [groupsTool(place, '--describe', '--all-groups', '--timeout', '120000')],
  },
  { args: ['cluster', 'health'], peers: (place) => [topicsTool(place, '--describe', '--unavailable-partitions')] },
];

/** The cases to measure against a cluster, with or without peers. */
export function casesOf(place: Place, withPeers: boolean): readonly GrowthCase[] {
  return works.map(({ args, peers }) => {
    const own = weirRuns(place, args);
    return {
      name: args.slice(0, 2).join(' '),
      contenders: [own, ...(withPeers ? present(peers(place)) : [])],
      countRequests: () => countRequests(own),
    };
  });
}

/** Every program beside weir, for the line that names the missing ones. */
export function peersOf(place: Place): readonly Peer[] {
  return works.flatMap(({ peers }) => peers(place));
}

function weirRuns({ env, brokers }: Place, args: readonly string[]): Contender {
  return { name: 'weir', file: node, args: [weir, ...args, '-X', `brokers=${brokers}`], env };
}

/** The lines of the trace, which has one for each request, including those that open a connection. */
function countRequests({ name, file, args, env }: Contender): number {
  const stdio = ['ignore', 'ignore', 'pipe'] as const;
  const traced = spawnSync(file, [...args, '--trace', '-'], { env, stdio: [...stdio], encoding: 'utf8' });
  if (traced.status !== 0) throw new Error(`${name} ended with ${traced.status}: ${traced.stderr}`);
  return traced.stderr.split('\n').filter((line) => line !== '').length;
}

function kcat({ brokers }: Place): Peer {
  return { name: 'kcat -L', file: 'kcat', args: ['-L', '-b', brokers] };
}

function rpk({ brokers }: Place, ...args: readonly string[]): Peer {
  return { name: `rpk ${args.join(' ')}`, file: 'rpk', args: [...args, '-X', `brokers=${brokers}`] };
}

function topicsTool(place: Place, ...args: readonly string[]): Peer {
  return tool(place, `kafka-topics ${args.join(' ')}`, ['org.apache.kafka.tools.TopicCommand', ...args]);
}

function groupsTool(place: Place, ...args: readonly string[]): Peer {
  const [mode = ''] = args;
  const main = 'org.apache.kafka.tools.consumer.group.ConsumerGroupCommand';
  return tool(place, `kafka-consumer-groups ${mode}`, [main, ...args]);
}

function tool({ env, brokers }: Place, name: string, args: readonly string[]): Peer {
  const classPath = kafkaToolsClassPath(env.XDG_CACHE_HOME ?? '');
  return {
    name,
    file: 'java',
    args: ['-cp', classPath ?? '', ...args, '--bootstrap-server', brokers],
    there: classPath !== undefined,
  };
}
