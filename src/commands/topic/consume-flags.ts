import { flag, many, toggle, type ValuesOf } from '../../cli/command.ts';
import { balancers, groupProtocols } from '../../kafka/streams/groups/balancer-words.ts';
import { duration, integer, oneOf, text } from '../../kinds.ts';
import { groupOrPattern } from '../group-name.ts';
import { offsetText } from './offset-text.ts';
import { conditionFlags, explainFlag, formatFlags, jsonFlags, readingFlags, topicFlags } from './records/flags.ts';
import { topicOrPattern } from './topic-name.ts';

const balancerWord = oneOf('balancer', [...balancers, 'uniform'] as const);

/** A balancer. Other tools have `-b` for brokers. */
const balancer: typeof balancerWord = {
  ...balancerWord,
  parse(value) {
    if (/[:.]/.test(value)) throw new Error('not a balancer; for brokers, use -X brokers=HOST:PORT');
    return balancerWord.parse(value);
  },
};

/** The arguments of `topic consume`. */
export const consumeArgs = {
  topics: many(topicOrPattern, 'TOPIC', 'names of the topics, or regular expressions with --regex'),
};

/** The flags of `topic consume`. */
export const consumeFlags = {
  offset: flag(offsetText, {
    short: 'o',
    help: 'where to start and stop: start, end, N, +N, -N, @TIME, N:M, :end, …',
    fallback: 'start',
  }),
  ...topicFlags,
  group: flag(groupOrPattern, { short: 'g', help: 'join this consumer group' }),
  balancer: flag(balancer, {
    short: 'b',
    help: 'how the group assigns partitions (default: one that all members support)',
  }),
  groupProtocol: flag(oneOf('group protocol', groupProtocols), {
    help: 'assignment by the group leader (classic) or the coordinator (consumer); default: what the group uses',
  }),
  instanceId: flag(text, { help: 'static membership: a restart within the session timeout causes no rebalance' }),
  ...formatFlags,
  num: flag(integer({ min: 0 }), {
    short: 'n',
    help: 'stop after N records of all partitions together; 0 means never',
    fallback: 0,
  }),
  idle: flag(duration, { help: 'stop when no record has come for this long' }),
  tail: flag(integer({ min: 1 }), {
    help: 'print the last N records of all partitions together, in the order of their times, then stop',
  }),
  ...jsonFlags,
  printControlRecords: toggle({ help: 'also print the markers that end transactions' }),
  ...readingFlags,
  ...conditionFlags,
  ...explainFlag,
  commit: toggle({ help: 'deprecated: a group always commits', hidden: true }),
};

/** The arguments and flags of `topic consume`. */
export type ConsumeValues = ValuesOf<typeof consumeArgs & typeof consumeFlags>;
