import { type ItemError, notFoundError } from '../../../errors.ts';
import type { Client, TopicMetadata } from '../../protocol/client/client.ts';
import { itemErrorOf, questionOf } from '../../protocol/client/question.ts';
import { kafkaItemError } from '../../protocol/errors.ts';
import { readSelection } from '../../protocol/partitions/topic-selection.ts';
import type { RequestOf, ResponseOf } from '../../protocol/wire/api.ts';
import { describeLogDirs as describeLogDirsApi } from '../../protocol/wire/apis/describe-log-dirs.ts';
import { codes } from '../../protocol/wire/error-codes.ts';
import { isEmpty, notAllowed } from '../topics/sizes.ts';
import { registeredBrokers } from './health.ts';
import type { DescribeLogDirsCall, LogDirRow } from './log-dir-rows.ts';
import { aggregated } from './log-dir-sums.ts';

type Answer = ResponseOf<typeof describeLogDirsApi>;
type LogDir = Answer['results'][number];

/** The row of everything that does not apply. */
const blank: LogDirRow = {
  broker: null,
  dir: null,
  topic: null,
  partition: null,
  size: null,
  offset_lag: null,
  is_future: null,
  total_bytes: null,
  usable_bytes: null,
  error: null,
};

/**
 * Describes the log directories with one request per broker. A broker, a directory or a topic that cannot be
 * described has a row with its error.
 */
export async function describeLogDirs(client: Client, call: DescribeLogDirsCall): Promise<LogDirRow[]> {
  const topics =
    call.topics.length === 0
      ? undefined
      : (await readSelection(client, { topics: call.topics, regex: false, internal: true })).topics;
  const missing = (topics ?? []).flatMap(({ name, errorCode }): LogDirRow[] =>
    errorCode === 0 ? [] : [{ ...blank, topic: name, error: kafkaItemError(errorCode) }],
  );
  const existing = topics?.filter(({ errorCode }) => errorCode === 0);
  if (existing?.length === 0) return missing;
  return [...missing, ...aggregated(await askBrokers(client, call.broker, existing), call)];
}

/** Asks the brokers once: a broker that is down must not keep the answers of the others waiting. */
async function askBrokers(
  client: Client,
  only: number | undefined,
  topics: readonly TopicMetadata[] | undefined,
): Promise<LogDirRow[]> {
  const [{ brokers }, registered = []] = await Promise.all([client.metadata([]), registeredBrokers(client)]);
  const serving = brokers.map(({ id }) => id);
  const down = registered.map(({ id }) => id).filter((id) => !serving.includes(id));
  const chosen = (ids: readonly number[]): number[] => ids.filter((id) => only === undefined || id === only);
  if (chosen([...serving, ...down]).length === 0) {
    throw notFoundError(`unable to describe log directories: broker ${only} is not in the cluster`, {
      code: 'BROKER_NOT_FOUND',
      hints: ['list the brokers with: weir cluster info -b'],
    });
  }
  const outcomes = await client.ask(questionAbout(topics), chosen(serving), 'once');
  const empty = outcomes.flatMap(({ item, row }) => (row !== undefined && isEmpty(row) ? [item] : []));
  const hidden = empty.length > 0 && (await client.isRedpanda()) === true ? await holders(client, topics) : new Set();
  return [
    ...outcomes.flatMap((outcome) => {
      const denial = empty.includes(outcome.item) && hidden.has(outcome.item) ? notAllowed : null;
      const error = itemErrorOf(outcome) ?? denial;
      return error === null ? rowsOf(outcome.item, outcome.row) : [{ ...blank, broker: outcome.item, error }];
    }),
    ...chosen(down).map((broker): LogDirRow => ({ ...blank, broker, error: notServing })),
  ];
}

/** The brokers that have replicas of the topics. */
async function holders(client: Client, topics: readonly TopicMetadata[] | undefined): Promise<ReadonlySet<number>> {
  const { topics: all } = topics === undefined ? await client.metadata('all') : { topics };
  return new Set(all.flatMap(({ partitions }) => partitions.flatMap(({ replicas }) => replicas)));
}

const notServing: ItemError | null = kafkaItemError(
  codes.BROKER_NOT_AVAILABLE,
  'the broker is registered but not serving',
);

function questionAbout(topics: readonly TopicMetadata[] | undefined) {
  const request: RequestOf<typeof describeLogDirsApi> = {
    topics: topics?.map(({ name, partitions }) => ({
      topic: name,
      partitions: partitions.map(({ partition }) => partition),
    })),
  };
  return questionOf({
    api: describeLogDirsApi,
    what: (broker: number) => `describe the log directories of broker ${broker}`,
    target: (node: number) => ({ node }),
    // Each broker is asked about itself only.
    keyOf: () => '',
    request: () => request,
    rows: (response) => [['', response] as const],
  });
}

function rowsOf(broker: number, answer: Answer | undefined): LogDirRow[] {
  return (answer?.results ?? []).flatMap((dir) => [dirRow(broker, dir), ...replicaRows(broker, dir)]);
}

/** The row of the directory itself, to which its replicas are added. */
function dirRow(broker: number, { logDir, errorCode, totalBytes, usableBytes }: LogDir): LogDirRow {
  const error = kafkaItemError(errorCode);
  const volume = { total_bytes: orUnknown(totalBytes), usable_bytes: orUnknown(usableBytes) };
  return { ...blank, broker, dir: logDir, size: error === null ? 0n : null, ...volume, error };
}

/** Brokers send -1 for what they do not know. */
function orUnknown(bytes: bigint): bigint | null {
  return bytes < 0n ? null : bytes;
}

function replicaRows(broker: number, { logDir, topics }: LogDir): LogDirRow[] {
  return topics.flatMap(({ name: topic, partitions }) =>
    partitions.map(({ partitionIndex, partitionSize, offsetLag, isFutureKey }) => ({
      ...blank,
      broker,
      dir: logDir,
      topic,
      partition: partitionIndex,
      size: partitionSize,
      offset_lag: offsetLag,
      is_future: isFutureKey,
    })),
  );
}
