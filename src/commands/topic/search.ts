import { command, flag, many } from '../../cli/command.ts';
import { exitCodes, usageError } from '../../errors.ts';
import { grouped } from '../../format/count.ts';
import { commandText } from '../../format/shell-word.ts';
import { recordEnvelope } from '../../kafka/records/language/record-rows.ts';
import { integer } from '../../kinds.ts';
import { offsetText } from './offset-text.ts';
import { conditionFlags, explainFlag, formatFlags, jsonFlags, readingFlags, topicFlags } from './records/flags.ts';
import { topicOrPattern } from './topic-name.ts';

/** What only a read without an end has. */
const withoutGroup = {
  idle: undefined,
  tail: undefined,
  group: undefined,
  balancer: undefined,
  groupProtocol: undefined,
  instanceId: undefined,
  printControlRecords: false,
  commit: false,
};

/** `topic search` */
export const search = command({
  summary: 'Find records in topics',
  description: `Examines every record that is in the topic now, or in the range of --offset, and prints those that
match all conditions. Exits with code 3 if there are none. Standard error reports how many matched; to see only that,
use -f ''.

--where takes an expression (CEL), such as value.customer.id == 17; see weir help where. Fields of Avro and Protobuf
need --use-schema-registry. A missing field makes a condition unknown: the record does not match, and is counted at
the end.

The search skips whole batches that cannot match; --explain shows how.

In text output, each match is a line with PARTITION:OFFSET, the key and the value, separated by tabs; with several
topics, the topic comes first.`,
  examples: [
    ['Orders of a customer', "topic search orders --where 'value.customer.id == 17'"],
    ['A text anywhere in the last hour', 'topic search orders -o @-1h --contains CHARGEBACK'],
    ['All records with a key', 'topic search orders --key customer-17'],
    ['By a header, in all topics that begin with pay', "topic search -r '^pay' --header trace-id=4bf92f35"],
    ['Tombstones, as JSON', "topic search orders --where 'value == null' --format json"],
    ['Fields of Avro', `topic search orders --use-schema-registry=value --where 'value.status in ["FAILED", "LOST"]'`],
  ],
  apis: ['kafka', 'registry'],
  args: { topics: many(topicOrPattern, 'TOPIC', 'names of the topics, or regular expressions with --regex') },
  flags: {
    ...conditionFlags,
    offset: flag(offsetText, {
      short: 'o',
      help: 'what to search: -N (the last N offsets of each partition), @-1h, @TIME:TIME, N:M, …',
      fallback: ':end',
    }),
    ...topicFlags,
    num: flag(integer({ min: 0 }), { short: 'n', help: 'stop after N matches; 0 means never', fallback: 0 }),
    ...formatFlags,
    ...jsonFlags,
    ...readingFlags,
    ...explainFlag,
  },
  changes: 'reads',
  result: recordEnvelope,
  async run(context, values) {
    const { hasConditions } = await import('./records/conditions.ts');
    if (!hasConditions(values)) {
      const [topic = 'TOPIC', text = 'TEXT'] = values.topics;
      const contains = commandText`weir topic search ${topic} --contains ${text}`;
      const meant = values.topics.length === 2 ? ` (to find a text: ${contains})` : '';
      throw usageError('there is nothing to search for', {
        hints: [`add --where, --key, --header or --contains${meant}`, 'to print all records, use: weir topic consume'],
      });
    }
    const { consumeRequest } = await import('./consume-request.ts');
    const { printRecords } = await import('./records/print-records.ts');
    const request = await consumeRequest(context, { ...withoutGroup, ...values }, 'search');
    return printRecords(context, request, {
      async ending({ printed, hasTopics, isStopped, notice, emptiness }) {
        const records = request.filter?.scanned() ?? 0;
        const scanned = grouped(records, 'record');
        const isCut = printed >= request.limit;
        const isUnclear = printed === 0 && (request.filter?.undecided() ?? 0) > 0;
        const isEmpty = records === 0 && hasTopics && !isStopped && !isCut;
        const none = isEmpty ? `: ${await emptiness(values.offset)}` : '';
        const more = isUnclear ? ' are known to match' : isCut ? ` (stopped by -n ${values.num})` : '';
        notice(`${grouped(printed)} of ${scanned}${more}${none}`);
        return printed > 0 || isStopped ? exitCodes.ok : exitCodes.notFound;
      },
    });
  },
  show: { text: () => '' },
});
