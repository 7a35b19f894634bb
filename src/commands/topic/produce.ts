import { type ByteSink, partlyShown, type RawOutput } from '../../cli/command.ts';
import type { Context, Progress } from '../../context.ts';
import { CliError, type ExitCode, exitCodes, stoppedError } from '../../errors.ts';
import { grouped } from '../../format/count.ts';
import { shortList } from '../../format/name-lists.ts';
import { table } from '../../format/table.ts';
import type { PlannedRecords, Production } from '../../kafka/streams/produce/request.ts';
import { described, either, int64, listOf, maybe, row, string, truth, whole } from '../../shape/shape.ts';
import { adviseTopic } from '../not-found.ts';
import { type ProduceValues, produceArgs, produceFlags } from './input/produce-flags.ts';
import type { ProducePlan } from './input/produce-request.ts';

const place = { topic: string, partition: maybe(whole) };
/** A written record. */
const writtenRecord = row({
  ...place,
  offset: maybe(int64),
  timestamp: described(int64, 'milliseconds since the epoch'),
});
/** The records that a dry run would write to a partition; null: to any. */
const plannedRecords = row({ ...place, records: whole, dry_run: truth });

/** `topic produce` */
export const produce = partlyShown({
  summary: 'Write records from standard input to a topic',
  description: `Each line of the input is the value of a record. -f sets another format: %k key, %v value, %t topic,
%p partition (with -p), %d timestamp, %h{…} headers. The word json reads what "topic consume --format json" writes,
and csv reads CSV whose first line names the columns: key, value, header.NAME and others. See weir help formats.

Records with a key go to the partition that every Kafka client chooses for that key. The producer is idempotent: a
retry loses nothing and repeats nothing (not with --acks 0 or 1). If the input is invalid, the records before it are
written and reported.

With --schema-id or --schema-key-id, the input has JSON values, which are encoded as the schema says. A value that
does not fit ends the command.

--generate makes up records and reads no input: orders of a shop (sample), or random values that fit a schema. The
same --seed makes the same records again.`,
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
  args: produceArgs,
  flags: produceFlags,
  changes: 'creates',
  result: either(writtenRecord, listOf(plannedRecords)),
  async run(context, values): Promise<readonly PlannedRecords[] | RawOutput> {
    const { produceRequest } = await import('./input/produce-request.ts');
    const request = produceRequest(context, values);
    const kafka = await context.kafka();
    // What gives its password may ask at the terminal, from which the records may come.
    if (request.encodingOf !== undefined) await context.registry();
    const written: Written = { records: 0, progress: undefined, isStopped: false };
    const onDelivered = (records: number): void => {
      written.records += records;
      written.progress?.report({ done: written.records, unit: 'records' });
    };
    const production = await kafka.produce({ ...request, onDelivered }).catch(async (error: unknown) => {
      throw await adviseTopic(error, context);
    });
    if (values.dryRun) return await production.plan();
    return {
      type: 'raw' as const,
      pump: (sink) => pumpRecords(context, { production, written, request, values }, sink),
    };
  },
  show: {
    json: (rows) => rows.map((one) => ({ ...one, dry_run: true })),
    text: (rows, view) =>
      table(
        ['topic', 'partition', 'records'],
        rows.map(({ topic, partition, records }) => [topic, partition ?? 'any', records]),
        view,
      ),
  },
});

/** What was written so far. */
interface Written {
  records: number;
  progress: Progress | undefined;
  isStopped: boolean;
}

/** Finishes what was read when the command is to stop, and gives up when it is to stop at once; returns how to end that. */
function stopOnSignals(context: Context, production: Production, written: Written): () => void {
  context.onInterrupt(() => {
    const { pending } = production.account();
    const missing = pending > 0 ? 'all records were written' : 'all written records were reported';
    return production.giveUp(stoppedError(`stopped before ${missing}`, []));
  });
  return context.onStop(() => {
    written.isStopped = true;
    production.stop();
    const { pending } = production.account();
    return pending > 0 ? `finishing ${grouped(pending, 'record')}` : undefined;
  });
}

/** A production with what it was made of. */
interface Run {
  readonly production: Production;
  readonly written: Written;
  readonly request: Pick<ProducePlan, 'report' | 'seed'>;
  readonly values: ProduceValues;
}

async function pumpRecords(context: Context, run: Run, sink: ByteSink): Promise<ExitCode> {
  const { production, written, request, values } = run;
  const unregister = stopOnSignals(context, production, written);
  const isTyped = request.seed === undefined && values.value === undefined && context.host.stdin.isTerminal;
  if (isTyped) context.notice('reading records from the terminal; end with Ctrl-D');
  // Reports, and lines that the user types, show progress already.
  if (request.report === undefined && !isTyped) written.progress = context.progress('produce');
  try {
    await production.pump(sink);
    context.onInterrupt(undefined);
  } catch (error) {
    // The error says what has become of the records, also if a signal came before it.
    context.onInterrupt(written.isStopped && error instanceof CliError ? error : undefined);
    throw error;
  } finally {
    unregister();
    written.progress?.end();
    noticeTotal(context, run);
  }
  return exitCodes.ok;
}

/** Says how many records were written, unless every record had its own line or the error counts them. */
function noticeTotal(context: Context, { production, written, request: { report, seed }, values }: Run): void {
  const isTotal = (report === undefined || written.isStopped) && production.account().pending === 0;
  const made = seed === undefined ? '' : ` (seed ${seed})`;
  // Records that name their topics say where they are written only here.
  const to = values.topic === undefined && written.records > 0 ? ` to ${shortList(production.topics())}` : '';
  if (isTotal) context.notice(`Wrote ${grouped(written.records, 'record')}${to}${made}`);
  else if (seed !== undefined && values.seed === undefined) context.notice(`seed ${seed}`);
}
