import { type Case, compare, type Report } from './compare.ts';
import { kafkaScript } from './kafka-tools.ts';
import { mediansTable } from './markdown.ts';
import type { BenchOptions } from './options.ts';
import { type Peer, present } from './peers.ts';
import { inWorld, type Place, weirs, withBroker } from './world.ts';

const atLeast = 15;

/** Measures commands that do little: most of their time is that of starting. */
export function run(options: BenchOptions): Promise<Report> {
  const rounds = options.scale < 1 ? options.rounds : Math.max(options.rounds, atLeast);
  return inWorld((env) =>
    withBroker(env, async (brokers) => {
      const results = await compare(startsOf({ env, brokers }), { ...options, rounds });
      return { results, text: '', page: mediansTable(results, 'ms') };
    }),
  );
}

function startsOf(place: Place): readonly Case[] {
  const { env, brokers } = place;
  const at = ['-X', `brokers=${brokers}`];
  const start = (args: readonly string[], peers: readonly Peer[] = [], quoted?: string): Case => ({
    name: `\`${args.filter((word) => !at.includes(word)).join(' ')}\``,
    contenders: [...weirs(args, env), ...present(peers)],
    ...(quoted === undefined ? {} : { quoted }),
  });
  const rpk = (...args: readonly string[]): Peer => ({ name: 'rpk', file: 'rpk', args, env });
  const list = [
    rpk('topic', 'list', ...at),
    { name: 'kcat', file: 'kcat', args: ['-L', '-b', brokers] },
    kafkaScript(place, 'TopicCommand', '--list'),
  ];
  const groups = kafkaScript(place, 'consumer.group.ConsumerGroupCommand', '--list');
  return [
    start(['--version'], [rpk('--version')]),
    start(['topic', 'create', '--help'], [rpk('topic', 'create', '--help')]),
    start(['config', 'show']),
    start(['topic', 'list', ...at], list, 'list the topics'),
    start(['group', 'list', ...at], [rpk('group', 'list', ...at), groups]),
  ];
}
