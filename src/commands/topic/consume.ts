import { command, flag, list, many, toggle, type ValuesOf } from '../../cli/command.ts';
import type { Progress } from '../../context.ts';
import { exitCodes } from '../../errors.ts';
import { balancers, groupProtocols } from '../../kafka/groups/balancers.ts';
import { decodeErrorChoices } from '../../kafka/record-language/decode-options.ts';
import { recordEnvelope } from '../../kafka/record-language/record-rows.ts';
import { boolean, duration, int32Id, integer, maxInt32, oneOf, size, text } from '../../kinds.ts';
import { groupOrPattern } from '../group/group-name.ts';
import { adviseTopic } from '../missing.ts';
import { offsetText } from './offset-text.ts';
import { isRecordLayout } from './record-layout.ts';
import { topicOrPattern } from './topic-name.ts';

const maxBytes = size({ min: 1, max: maxInt32 });

const balancerWord = oneOf('balancer', [...balancers, 'uniform'] as const);

/** A balancer. Other tools have `-b` for brokers. */
const balancer: typeof balancerWord = {
  ...balancerWord,
  parse(value) {
    if (/[:.]/.test(value)) throw new Error('not a balancer; for brokers, use -X brokers=HOST:PORT');
    return balancerWord.parse(value);
  },
};

const args = { topics: many(topicOrPattern, 'TOPIC', 'names of the topics, or regular expressions with --regex') };

const flags = {
  offset: flag(offsetText, {
    short: 'o',
    help: 'where to start and stop: start, end, N, +N, -N, @TIME, N:M, :end, …',
    fallback: 'start',
  }),
  partitions: list(int32Id, {
    short: 'p',
    help: 'read only these partitions of every topic',
    splits: true,
  }),
  regex: toggle({
    short: 'r',
    help: 'treat topics as regular expressions that match anywhere in a name; includes new topics',
  }),
  group: flag(groupOrPattern, { short: 'g', help: 'join this consumer group' }),
  balancer: flag(balancer, {
    short: 'b',
    help: 'how the group assigns partitions (default: one that all members support)',
  }),
  groupProtocol: flag(oneOf('group protocol', groupProtocols), {
    help: 'assignment by the group leader (classic) or the coordinator (consumer); default: what the group uses',
  }),
  instanceId: flag(text, { help: 'static membership: a restart within the session timeout causes no rebalance' }),
  recordFormat: flag(text, {
    short: 'f',
    help: 'record format, for example "%k %v\\n", or the word json; --format also takes one that contains %',
    takesFormat: isRecordLayout,
  }),
  num: flag(integer({ min: 0 }), {
    short: 'n',
    help: 'stop after N records of all partitions together; 0 means never',
    fallback: 0,
  }),
  prettyPrint: flag(boolean, { help: 'print indented JSON (default: on a terminal only)', bare: 'true' }),
  metaOnly: toggle({ help: 'print JSON with the size of the value instead of the value' }),
  readCommitted: toggle({
    help: 'omit records of open and aborted transactions; a range to end stops before the first open one',
  }),
  printControlRecords: toggle({ help: 'also print the markers that end transactions' }),
  fetchMaxBytes: flag(maxBytes, { help: 'maximum bytes per fetch from a broker', fallback: 8 << 20 }),
  fetchMaxPartitionBytes: flag(maxBytes, { help: 'maximum bytes per partition in a fetch', fallback: 4 << 20 }),
  fetchMaxWait: flag(duration, { help: 'how long a broker waits for records (default: globals.fetch_max_wait)' }),
  rack: flag(text, { help: 'rack of this client, to read from a nearby replica', fallback: '' }),
  useSchemaRegistry: list({ ...text, hint: 'key|value', choices: ['key', 'value'] } as const, {
    help: 'decode keys and values (or only key or value) by the schemas that they name',
    bare: 'key,value',
    splits: true,
  }),
  onDecodeError: flag(oneOf('choice', decodeErrorChoices), {
    help: 'if a field cannot be decoded: print its bytes (raw, the default), leave the record out, or fail',
  }),
  commit: toggle({ help: 'deprecated: a group always commits', hidden: true }),
};

/** The arguments and flags of `topic consume`. */
export type ConsumeValues = ValuesOf<typeof args & typeof flags>;

/** `topic consume` */
export const consume = command({
  summary: 'Print the records of topics',
  description: `Prints records as they arrive until interrupted, or until -n or --offset ends the read. Without -f, every
record is one JSON object: on one line, or indented on a terminal (--pretty-print=false turns that off).

-f takes a record format: %k key, %v value, %t topic, %p partition, %o offset, %h{%k=%v } headers, %d timestamp
(%d{strftime[%FT%TZ]}), %T %K %V %H sizes and counts, and the escapes \\n \\t \\r \\\\ \\xNN. No newline is added: end the
format with \\n. See weir help formats for all verbs.

--offset is start, end, N, +N (from the start), -N (from the end), @TIME, or a range such as N:M, :end, @-1h:end. The
last ten records of each partition are -10:end. See weir help offsets for all forms. With --group, committed offsets
take precedence, and exactly what was printed is committed, every 5 s and at the end.

With -r, a regular expression may match anywhere in the name of a topic: -r 'ord' reads orders and records. Use ^ and $
to match the whole name, as in topic list, describe and delete.

With --use-schema-registry, keys and values that start with a schema id (or have one in a header) are printed as JSON,
whether they are Avro, Protobuf or JSON. In the JSON output they are JSON values instead of strings, and
value_schema_id names the schema. Nothing changes for null.`,
  examples: [
    ['All records as JSON, then new ones', 'topic consume orders'],
    ['The last ten keys and values of each partition', "topic consume orders -o -10:end -f '%k %v\\n'"],
    ['All records that are in the topic now', "topic consume orders -o :end -f '%p:%o %v\\n'"],
    ['Values decoded by their schemas', 'topic consume orders --use-schema-registry=value'],
    ['Share the work with the other members of a group', 'topic consume orders -g billing'],
  ],
  apis: ['kafka', 'registry'],
  args,
  flags,
  changes: 'reads',
  result: recordEnvelope,
  async run(context, values) {
    const { consumeRequest } = await import('./consume-request.ts');
    const request = await consumeRequest(context, values);
    const kafka = await context.kafka();
    let progress: Progress | undefined;
    const onPrinted = (done: number): void => progress?.report({ done, unit: 'records' });
    const consumption = await kafka.consume({ ...request, onPrinted }).catch(async (error: unknown) => {
      throw await adviseTopic(error, context);
    });
    return {
      type: 'raw' as const,
      async pump(sink) {
        let isStopped = false;
        const unregister = context.onStop(() => {
          isStopped = true;
          consumption.stop();
        });
        // An endless read has no progress, and on a terminal the records themselves are visible.
        const isBounded = request.range.end !== undefined || values.num > 0;
        if (isBounded && !context.host.stdout.isTerminal) progress = context.progress('consume');
        try {
          const isEndless = request.range.end === undefined;
          if (!consumption.hasTopics) context.notice(noTopics(values.topics, isEndless));
          const printed = await consumption.pump(sink);
          if (printed === 0 && !isEndless && consumption.hasTopics && !isStopped) {
            context.notice(`the range ${values.offset} contains no records`);
          }
        } finally {
          unregister();
          progress?.end();
          const undecoded = request.decode?.summary();
          if (undecoded !== undefined) context.notice(undecoded);
        }
        return exitCodes.ok;
      },
    };
  },
  show: { text: () => '' },
});

function noTopics(patterns: readonly string[], isEndless: boolean): string {
  const none = `no topic matches ${patterns.join(' ')}`;
  return isEndless ? `${none} yet; waiting for one (press Ctrl-C to stop)` : none;
}
