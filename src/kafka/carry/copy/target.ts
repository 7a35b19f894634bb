import { CliError, exitCodes, type ItemError, rephrased } from '../../../errors.ts';
import { grouped } from '../../../format/count.ts';
import { commandText } from '../../../format/shell-word.ts';
import { createConfigReader } from '../../cluster/topics/configs.ts';
import { isForbidden } from '../../cluster/topics/topic-config-words.ts';
import type { TopicCreation } from '../../cluster/topics/topic-rows.ts';
import { createTopics } from '../../cluster/topics/topics.ts';
import type { Client, TopicMetadata } from '../../protocol/client/client.ts';
import { askOffsets } from '../../protocol/partitions/offsets.ts';
import { offsetTimes } from '../../protocol/wire/apis/list-offsets.ts';
import { createStickyPartitioner } from '../../records/batches/partitioner.ts';
import { createLane } from '../../streams/produce/lane.ts';
import { openProduceTopic, type ProduceTopic, updateTopic } from '../../streams/produce/topics.ts';
import { errorAt, hintAt, placeName, recreatedTarget } from './errors.ts';
import { idOf, isSameId, type PlannedPair } from './pair.ts';
import type { CopyRequest, TopicPair } from './request.ts';
import { warnOfRetention } from './retention.ts';

/** The destination as it is, or as it will be once it is created. */
export async function openTarget(
  { target: { client, profile }, creates }: CopyRequest,
  { source, target }: TopicPair,
  topics: readonly TopicMetadata[],
): Promise<{ readonly topic: ProduceTopic; readonly isMissing: boolean }> {
  try {
    return { topic: await openProduceTopic(client, target, false), isMissing: false };
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== 'UNKNOWN_TOPIC_OR_PARTITION') throw errorAt(profile, error);
    if (!creates) {
      const hints = ['create it like the source with: --create'];
      throw errorAt(profile, rephrased(error, error.message, { hints }));
    }
    const count = topics.find(({ name }) => name === source)?.partitions.length ?? 0;
    return { topic: unmadeTopic(target, count), isMissing: true };
  }
}

function unmadeTopic(name: string, partitions: number): ProduceTopic {
  const lanes = Array.from({ length: partitions }, (_, partition) => createLane(name, partition, -1));
  return {
    name,
    identity: { id: undefined, former: new Set() },
    lanes,
    sticky: createStickyPartitioner(),
    available: [],
    isLeaderless: true,
  };
}

/** Configs that name brokers of the source's cluster. */
const ownConfigs: ReadonlySet<string> = new Set([
  'leader.replication.throttled.replicas',
  'follower.replication.throttled.replicas',
]);

/** How to create missing destinations: with the partitions of their sources, and what was configured for those. */
export async function creationsOf(
  source: Client,
  pairs: readonly TopicPair[],
  topics: readonly TopicMetadata[],
  isOneCluster: boolean,
): Promise<ReadonlyMap<TopicPair, TopicCreation>> {
  if (pairs.length === 0) return new Map();
  const read = await createConfigReader(source)(pairs.map((pair) => pair.source));
  return new Map(
    pairs.map((pair) => {
      const { configs = [], error = null } = read.get(pair.source) ?? {};
      if (error !== null) throw configsError(pair, error);
      const topic = topics.find(({ name }) => name === pair.source);
      const creation: TopicCreation = {
        topic: pair.target,
        partitions: topic?.partitions.length ?? 1,
        // Another cluster may have fewer brokers.
        replicas: isOneCluster ? (topic?.partitions[0]?.replicas.length ?? -1) : -1,
        configs: configs.flatMap(({ key, value, source: from }) =>
          from === 'DYNAMIC_TOPIC_CONFIG' && value !== null && !ownConfigs.has(key) && !isForbidden(key, value)
            ? [[key, value] as const]
            : [],
        ),
      };
      return [pair, creation];
    }),
  );
}

function configsError({ source }: TopicPair, { code, message, exit_code: exitCode, retryable }: ItemError): CliError {
  return new CliError(exitCode, `unable to read the configs of topic "${source}": ${message}`, {
    code,
    target: source,
    retryable,
    hints: ['create the destination before, and leave out --create'],
  });
}

/** A destination that is created, for messages. */
export function likeSource({ source, target }: PlannedPair, request: CopyRequest): string {
  const name = placeName(target.name, request.target.profile);
  return `"${name}" with the partitions and configs of "${placeName(source.name, request.profile)}"`;
}

/** Creates the destination if it is missing. */
export async function withTarget(source: Client, pair: PlannedPair, request: CopyRequest): Promise<PlannedPair> {
  const { creation } = pair;
  const { client } = request.target;
  if (creation === undefined) return pair;
  const [{ error } = { error: null }] = await createTopics(client, { topics: [creation], ifNotExists: true });
  if (error !== null) {
    const { code, message, exit_code: exitCode, retryable } = error;
    throw new CliError(
      exitCode,
      `unable to create topic "${pair.target.name}" like "${pair.source.name}": ${message}`,
      {
        code,
        target: pair.target.name,
        retryable,
        hints: ['create the destination with configs of its own, and leave out --create'],
      },
    );
  }
  request.notice(`created ${likeSource(pair, request)}`);
  const target = await openProduceTopic(client, pair.target.name, false);
  const made = { ...pair, target, targetId: idOf(target.identity.id) };
  await warnOfRetention(source, request, [made]);
  return made;
}

/** Every record needs a partition to go to. */
export function checkPartitions({ name, partitions }: TopicMetadata, target: ProduceTopic, request: CopyRequest): void {
  if (request.isByKey) return;
  const [have, needed] = [target.lanes.length, Math.max(-1, ...partitions.map(({ partition }) => partition)) + 1];
  if (have >= needed) {
    if (have > partitions.length && request.partitions.length === 0)
      request.notice(morePartitions(name, target, request));
    return;
  }
  const { profile } = request.target;
  const place = placeName(target.name, profile);
  const message = `unable to copy topic "${name}" with its partitions: topic "${place}" has ${have}, not ${needed}`;
  throw new CliError(exitCodes.conflict, message, {
    code: 'TOO_FEW_PARTITIONS',
    target: target.name,
    hints: [
      'write each record to the partition of its key: --partitions-by key',
      hintAt(profile, commandText`or add partitions: weir topic add-partitions ${target.name} -n ${needed - have}`),
    ],
  });
}

function morePartitions(name: string, target: ProduceTopic, request: CopyRequest): string {
  const [to, from] = [placeName(target.name, request.target.profile), placeName(name, request.profile)];
  return (
    `topic "${to}" has more partitions than "${from}": clients will look for keys in other partitions ` +
    'than the copied ones (--partitions-by key moves them there)'
  );
}

/** Takes up partitions that the destination has got since. @throws CliError if it was deleted and created again */
export async function growTarget({ source, target }: PlannedPair, { target: { client } }: CopyRequest): Promise<void> {
  const { topics } = await client.metadata([target.name]);
  const now = topics.find(({ name, errorCode }) => name === target.name && errorCode === 0);
  if (now === undefined) return;
  // Brokers that are asked by name would write to the new one.
  if (!isSameId(idOf(target.identity.id), idOf(now.id))) throw recreatedTarget(source.name, target.name);
  updateTopic(target, now);
}

/** The error if the destination has records: a copy after which it has those of others, or some twice, must be asked for. */
export async function refusalOfRecords(
  { target: { client, profile } }: CopyRequest,
  { name, lanes }: ProduceTopic,
): Promise<CliError | undefined> {
  const [starts, ends] = await Promise.all(
    [offsetTimes.earliest, offsetTimes.latest].map((time) =>
      askOffsets(client, [{ name, partitions: lanes }], { time, isolation: 'uncommitted' }),
    ),
  );
  let records = 0n;
  for (const { partition } of lanes) {
    const [first, last] = [starts?.get(name)?.get(partition), ends?.get(name)?.get(partition)];
    const cause = first?.cause ?? last?.cause;
    if (cause !== undefined) throw cause;
    if (first !== undefined && last !== undefined) records += last.offset - first.offset;
  }
  if (records === 0n) return undefined;
  const message = `topic "${placeName(name, profile)}" is not empty (${grouped(Number(records), 'record')}), and no earlier copy has stored how far it got`;
  return new CliError(exitCodes.conflict, message, {
    code: 'DESTINATION_NOT_EMPTY',
    target: name,
    hints: [
      'add the copied records to those that are there: --append',
      'brokers keep the progress of a copy for 7 days after its last run (offsets.retention.minutes; on Redpanda group_offset_retention_sec)',
    ],
  });
}
