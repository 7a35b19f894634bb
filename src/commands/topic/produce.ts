import { flag, list, optional, partlyShown, type RawOutput, toggle, type ValuesOf } from '../../cli/command.ts';
import type { Progress } from '../../context.ts';
import { CliError, exitCodes, stoppedError } from '../../errors.ts';
import { grouped } from '../../format/count.ts';
import { table } from '../../format/table.ts';
import { compressions } from '../../kafka/records/batches/compression/compressions.ts';
import type { PlannedRecords } from '../../kafka/streams/produce/request.ts';
import { duration, integer, type Kind, keyValue, maxInt32, oneOf, size, text } from '../../kinds.ts';
import { described, either, int64, listOf, maybe, row, string, whole } from '../../shape/shape.ts';
import { adviseTopic } from '../missing.ts';
import { subjectName } from '../registry/kinds.ts';
import { ratePerSecond } from './rate.ts';
import { isRecordLayout } from './record-layout.ts';
import type { SchemaChoice } from './record-schemas.ts';
import { topicName } from './topic-name.ts';

const maxId = 0xffff_ffff;

/** A schema id, or the word `topic`; an empty text is none, as in rpk. */
const schemaChoice: Kind<SchemaChoice | undefined> = {
  name: 'schema',
  hint: 'ID|topic',
  parse(text) {
    if (text === '') return undefined;
    if (text.toLowerCase() === 'topic') return 'topic';
    if (!/^\d{1,10}$/.test(text) || Number(text) > maxId) throw new Error('use a schema id, or the word topic');
    return Number(text);
  },
  show: (choice) => String(choice ?? ''),
};

/** What to make records of: samples that need no schema, or a schema. */
const generateChoice: Kind<'sample' | SchemaChoice> = {
  name: 'schema or sample',
  hint: 'sample|topic|SUBJECT|ID',
  completes: 'subject',
  offers: ['sample', 'topic'],
  parse(text) {
    if (text === 'sample' || text === 'topic') return text;
    if (/^\d{1,10}$/.test(text) && Number(text) <= maxId) return Number(text);
    return { subject: subjectName.parse(text) };
  },
  show: (choice) => (typeof choice === 'object' ? choice.subject : String(choice)),
};

/** Records that are made up, instead of input. */
const generateFlags = {
  generate: flag(generateChoice, {
    help: 'make up records instead of reading them: orders of a shop (sample), or values that fit a schema: the newest one of TOPIC-value (topic), the newest one of a subject, or the one with an id',
  }),
  num: flag(integer({ min: 1 }), { short: 'n', help: 'with --generate: the number of records' }),
  rate: flag(ratePerSecond, { help: 'with --generate: records per second (default: as many as possible)' }),
  for: flag(duration, { help: 'with --generate: how long' }),
  seed: flag(integer({ min: 0, max: maxId }), {
    help: 'with --generate: the same seed makes the same records (default: a random one, which is printed)',
  }),
};

const place = { topic: string, partition: maybe(whole) };
/** A written record. */
const writtenRecord = row({
  ...place,
  offset: maybe(int64),
  timestamp: described(int64, 'milliseconds since the epoch'),
});
/** The records that a dry run would write to a partition; null: to any. */
const plannedRecords = row({ ...place, records: whole });

/** Encoding by schemas of the registry. */
const schemaFlags = {
  schemaId: flag(schemaChoice, {
    help: 'encode values, which are JSON, by this schema: its id, or "topic" for the newest one of TOPIC-value',
  }),
  schemaKeyId: flag(schemaChoice, { help: 'the same for keys; "topic" is the newest schema of TOPIC-key' }),
  schemaType: flag(text, { help: 'full name of the Protobuf message of values, if the schema has several' }),
  schemaKeyType: flag(text, { help: 'the same for keys' }),
};

const args = { topic: optional(topicName, 'TOPIC', 'topic of the records; with %t, of those that have none') };

const flags = {
  recordFormat: flag(text, {
    short: 'f',
    help: 'input format (default "%v\\n"), or the word json (the envelope) or csv (with a header line); --format also takes one that contains %',
    takesFormat: isRecordLayout,
  }),
  outputFormat: flag(text, {
    short: 'o',
    help: 'format to print for every written record; if empty, only their number is printed, at the end',
  }),
  value: flag(text, { help: 'write one record with this value, and read no input' }),
  key: flag(text, { short: 'k', help: 'key of records that have none in the input' }),
  header: list(keyValue, { short: 'H', help: 'header of every record, before those in the input' }),
  partition: flag(integer({ min: -1, max: maxInt32 }), {
    short: 'p',
    help: 'use %p of the input, and this partition for records without one; -1 means by key, and ignores %p',
    fallback: -1,
  }),
  compression: flag(oneOf('compression', compressions), {
    short: 'z',
    help: 'compression of batches',
    fallback: 'snappy' as const,
  }),
  acks: flag(oneOf('acks', ['all', '-1', '0', '1']), {
    help: 'who must acknowledge a batch: all in-sync replicas (all, -1), the leader (1) or nobody (0)',
    fallback: 'all' as const,
  }),
  deliveryTimeout: flag(duration, {
    help: 'how long a record may take, at least 1s; 0, the default, means globals.retry_timeout for each request',
  }),
  maxMessageBytes: flag(size({ min: -1, max: maxInt32 }), {
    help: 'maximum bytes of a batch before compression; larger records are refused',
    fallback: -1,
  }),
  tombstone: toggle({ short: 'Z', help: 'treat an empty value as null' }),
  allowAutoTopicCreation: toggle({ help: 'let the broker create a missing topic, if it allows that' }),
  ...schemaFlags,
  ...generateFlags,
  jvmPartitioner: toggle({
    short: 'j',
    help: 'deprecated: keys always go where the Java client puts them',
    hidden: true,
  }),
  timestamp: flag(text, { short: 't', help: 'deprecated: nothing', hidden: true }),
};

/** The arguments and flags of `topic produce`. */
export type ProduceValues = ValuesOf<typeof args & typeof flags> & { readonly dryRun: boolean };

/** `topic produce` */
export const produce = partlyShown({
  summary: 'Write records from standard input to a topic',
  description: `Every line of the input is the value of a record, including a last line without a newline. -f sets another
format: %k key, %v value, %t topic, %p partition (with -p), %d timestamp, %h{…} headers, sizes such as %K{big32}. The
word json reads what "topic consume --format json" writes. See weir help formats for all verbs.

-f csv reads CSV whose first line names the columns. The columns key, value, topic, partition, timestamp and header.NAME
are parts of the record. Without a column value, the value is a JSON object of all other columns, as texts.

Records with a key go to the partition that every Kafka client chooses for that key; others are spread in batches. The
producer is idempotent: a retry loses nothing, repeats nothing and keeps the order of each partition (not with
--acks 0 or 1). Typed lines are sent at once, a file in batches of up to 1 MB. If the input is invalid, the records
before it are written and reported.

With --schema-id or --schema-key-id, the input has JSON values (one per line, or over several lines), which are encoded as
the schema says: Avro, Protobuf or JSON. A value that does not fit is not sent, and ends the command with its line.

--generate makes up records to try things out, and reads no input: orders of a shop with keys (sample), or random values
that fit a schema. -n, --for and --rate limit them; the same --seed makes the same records again.`,
  examples: [
    ['Type records, one per line, and end with Ctrl-D', 'topic produce orders'],
    ['One record', `topic produce orders -k o1 --value '{"id": 1}'`],
    ['A file of CSV, each line as a JSON object', "topic produce orders -f csv -o '' < orders.csv"],
    ['Keys and values from a file, with a total at the end', "topic produce orders -f '%k,%v\\n' -o '' < orders.csv"],
    [
      'The same key and header for all records, and their partitions and offsets',
      "topic produce orders -k k1 -H source=shop -o '%p %o\\n'",
    ],
    ['JSON values, encoded by the newest schema of the topic', 'topic produce orders --schema-id topic < orders.json'],
    ['A thousand made-up records with keys', 'topic produce orders --generate sample -n 1000'],
    ['Made-up records that fit the schema of the topic', 'topic produce orders --generate topic -n 1000 --seed 1'],
    ['Copy a topic, byte for byte', 'topic consume a -o :end --format json | weir topic produce b --format json'],
  ],
  apis: ['kafka', 'registry'],
  args,
  flags,
  changes: 'creates',
  result: either(writtenRecord, listOf(plannedRecords)),
  async run(context, values): Promise<readonly PlannedRecords[] | RawOutput> {
    const { produceRequest } = await import('./produce-request.ts');
    const { seed, ...request } = produceRequest(context, values);
    const kafka = await context.kafka();
    // What gives its password may ask at the terminal, from which the records may come.
    if (request.encodingOf !== undefined) await context.registry();
    let done = 0;
    let progress: Progress | undefined;
    const onDelivered = (records: number): void => {
      done += records;
      progress?.report({ done, unit: 'records' });
    };
    const production = await kafka.produce({ ...request, onDelivered }).catch(async (error: unknown) => {
      throw await adviseTopic(error, context);
    });
    if (values.dryRun) return await production.plan();
    return {
      type: 'raw' as const,
      async pump(sink) {
        let isStopped = false;
        const unregister = context.onStop(() => {
          isStopped = true;
          production.stop();
          const { pending } = production.account();
          return pending > 0 ? `finishing ${grouped(pending, 'record')}` : undefined;
        });
        context.onInterrupt(() => {
          const { pending } = production.account();
          const missing = pending > 0 ? 'all records were written' : 'all written records were reported';
          return production.giveUp(stoppedError(`stopped before ${missing}`, []));
        });
        const isTyped = seed === undefined && values.value === undefined && context.host.stdin.isTerminal;
        if (isTyped) context.notice('reading records from the terminal; end with Ctrl-D');
        // Reports, and lines that the user types, show progress already.
        if (request.report === undefined && !isTyped) progress = context.progress('produce');
        try {
          await production.pump(sink);
          context.onInterrupt(undefined);
        } catch (error) {
          // The error says what has become of the records, also if a signal came before it.
          context.onInterrupt(isStopped && error instanceof CliError ? error : undefined);
          throw error;
        } finally {
          unregister();
          progress?.end();
          // Otherwise, every record had its own line, or the error counts them.
          const isTotal = request.report === undefined || isStopped;
          if (isTotal && production.account().pending === 0) {
            context.notice(`Wrote ${grouped(done, 'record')}${seed === undefined ? '' : ` (seed ${seed})`}`);
          } else if (seed !== undefined && values.seed === undefined) context.notice(`seed ${seed}`);
        }
        return exitCodes.ok;
      },
    };
  },
  show: {
    json: (rows) => rows,
    text: (rows, view) =>
      table(
        ['topic', 'partition', 'records'],
        rows.map(({ topic, partition, records }) => [topic, partition ?? 'any', records]),
        view,
      ),
  },
});
