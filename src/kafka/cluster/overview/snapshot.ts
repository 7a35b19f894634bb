import { CliError, type ItemError, itemErrorOf } from '../../../errors.ts';
import { byName } from '../../../format/order.ts';
import type { Client, ClusterMetadata, PartitionMetadata, TopicMetadata } from '../../protocol/client/client.ts';
import { askedMetadata } from '../../protocol/client/open-client.ts';
import { targetOf } from '../../protocol/client/targets.ts';
import type { OffsetAnswers } from '../../protocol/partitions/offsets.ts';
import { healthOf, type RegisteredBroker, registeredBrokers } from '../brokers/health.ts';
import type { ShownHealth } from '../brokers/health-rows.ts';
import { describeNamed } from '../groups/descriptions.ts';
import type { GroupDescription } from '../groups/group-rows.ts';
import { listGroups } from '../groups/listing.ts';
import { askEnds, logsOf } from '../groups/log-ends.ts';
import { readSizes } from '../topics/sizes.ts';
import type { PartitionSize } from '../topics/topic-rows.ts';
import type { MissingPart } from './overview-rows.ts';

/** A partition as one round has found it. */
export interface SeenPartition {
  readonly metadata: PartitionMetadata;
  /** The next offset; null if it could not be read. */
  readonly end: bigint | null;
  readonly sizes: PartitionSize | undefined;
  /** Why the end could not be read. */
  readonly error: ItemError | null;
}

/** A topic as one round has found it. */
export interface SeenTopic {
  readonly metadata: TopicMetadata;
  /** In order. */
  readonly partitions: readonly SeenPartition[];
}

/** A cluster as one round has found it; times are milliseconds on a monotonic clock. */
export interface Snapshot {
  readonly wallTime: number;
  readonly cluster: ClusterMetadata;
  readonly health: ShownHealth;
  /** When the ends of the logs were read. */
  readonly endsAtMs: number;
  /** When the sizes of the logs were read. */
  readonly sizesAtMs: number;
  /** When the committed offsets were read. */
  readonly groupsAtMs: number;
  /** Sorted by name. */
  readonly topics: readonly SeenTopic[];
  /** Sorted by name. */
  readonly groups: readonly GroupDescription[];
  readonly topicIds: ReadonlyMap<string, string>;
  readonly errors: readonly MissingPart[];
  /** Whether the brokers can report the sizes of their logs. */
  readonly hasSizes: boolean;
}

/**
 * Reads everything once, with a number of requests that depends on the number of brokers only: metadata, the registered
 * brokers, and from each broker the ends of the logs that it leads, the sizes of its logs, its groups, their members and
 * commits, and the starts of the logs that they read. A broker that fails leaves its part unknown; nothing is retried, because the next round asks again.
 * @param last the snapshot before; the retry rule applies to the metadata of the first one only
 * @throws CliError if no broker answers
 */
export async function readSnapshot(client: Client, last?: Snapshot): Promise<Snapshot> {
  const { clock } = client.options.deadline;
  const wallTime = clock.wallTime();
  const cluster = await client.metadata('all', last === undefined ? undefined : 'once');
  const round = ofRound(client, cluster);
  const errors: MissingPart[] = [];
  const part = async <T>(name: MissingPart['part'], read: Promise<T>, otherwise: T) => {
    const value = await read.catch((error: unknown) => {
      errors.push({ part: name, error: failureOf(client, error) });
      return otherwise;
    });
    return { value, atMs: clock.now() };
  };
  const ends = part<OffsetAnswers>('offsets', askEnds(round, cluster.topics, 'latest'), new Map());
  const [registered, sizes, groups] = await Promise.all([
    part<readonly RegisteredBroker[] | undefined>('brokers', registeredBrokers(round), undefined),
    part<ReadonlyMap<string, readonly PartitionSize[]>>(
      'sizes',
      last?.hasSizes === false ? noSizes() : readSizes(round, cluster),
      new Map(),
    ),
    part<Groups | undefined>(
      'groups',
      readGroups(round, async () => (await ends).value),
      undefined,
    ),
  ]);
  if (groups.value?.error) errors.push({ part: 'groups', error: groups.value.error });
  const { value: answers, atMs: endsAtMs } = await ends;
  const topics = cluster.topics.toSorted(byName).map((topic) => seenTopic(topic, answers, sizes.value));
  const sizeError = topics.flatMap(({ partitions }) => partitions.flatMap(sizeErrorOf)).at(0);
  if (sizeError !== undefined) errors.push({ part: 'sizes', error: sizeError });
  return {
    wallTime,
    cluster,
    health: healthOf(cluster, registered.value),
    endsAtMs,
    sizesAtMs: sizes.atMs,
    topics,
    ...groupsOf(groups, last),
    errors,
    hasSizes: last?.hasSizes !== false && !topics.some(({ partitions }) => partitions.some(isWithoutSizes)),
  };
}

/** The groups of a round; those of the round before if none could be read. */
function groupsOf(
  { value, atMs }: { readonly value: Groups | undefined; readonly atMs: number },
  last: Snapshot | undefined,
): Pick<Snapshot, 'groups' | 'topicIds' | 'groupsAtMs'> {
  if (value !== undefined) return { groups: value.groups, topicIds: value.topicIds, groupsAtMs: atMs };
  const { groups = [], topicIds = new Map<string, string>(), groupsAtMs = atMs } = last ?? {};
  return { groups, topicIds, groupsAtMs };
}

/** The client of one round: it sends nothing twice, and knows the metadata of the round. */
function ofRound(client: Client, cluster: ClusterMetadata): Client {
  return {
    ...client,
    request: (api, request, target) => client.requestOnce(api, request, targetOf(api, request, target)),
    ask: (question, items) => client.ask(question, items, 'once'),
    metadata: async (topics) => askedMetadata(cluster, topics),
  };
}

function failureOf({ options: { deadline } }: Client, error: unknown): ItemError {
  deadline.signal.throwIfAborted();
  if (error instanceof CliError && error.code !== 'CLOSED') return itemErrorOf(error);
  throw error;
}

/** The groups of a round. */
interface Groups extends Pick<Snapshot, 'groups' | 'topicIds'> {
  /** Why the groups of a broker are missing. */
  readonly error: ItemError | null;
}

async function readGroups(client: Client, ends: () => Promise<OffsetAnswers>): Promise<Groups> {
  const rows = await listGroups(client, { states: [], types: [] });
  const listed = new Map(rows.flatMap((row) => (row.group === null ? [] : [[row.group, row] as const])));
  const described = await describeNamed(client, [...listed.keys()], {
    listed,
    async logs(names) {
      const { topics } = await client.metadata(names);
      const [starts, latest] = await Promise.all([askEnds(client, topics, 'earliest'), ends()]);
      return logsOf(topics, starts, latest);
    },
  });
  return { ...described, error: rows.find(({ error }) => error !== null)?.error ?? null };
}

function seenTopic(
  metadata: TopicMetadata,
  answers: OffsetAnswers,
  sizes: ReadonlyMap<string, readonly PartitionSize[]>,
): SeenTopic {
  const ends = answers.get(metadata.name);
  const sizeOf = new Map(sizes.get(metadata.name)?.map((row) => [row.partition, row]));
  const partitions = metadata.partitions.map((partition): SeenPartition => {
    const end = ends?.get(partition.partition);
    return {
      metadata: partition,
      end: end === undefined || end.error !== undefined ? null : end.offset,
      sizes: sizeOf.get(partition.partition),
      error: end?.cause === undefined ? null : itemErrorOf(end.cause),
    };
  });
  return { metadata, partitions: partitions.sort((a, b) => a.metadata.partition - b.metadata.partition) };
}

async function noSizes(): Promise<ReadonlyMap<string, readonly PartitionSize[]>> {
  return new Map();
}

function isWithoutSizes({ sizes }: SeenPartition): boolean {
  return sizes?.replicas.some(({ error }) => error?.code === 'UNSUPPORTED_VERSION') ?? false;
}

/**
 * A broker without the API or of which the metadata says that it is down, and a topic that was deleted since the metadata
 * was read, need no message of their own.
 */
const quiet: ReadonlySet<string> = new Set([
  'UNSUPPORTED_VERSION',
  'BROKER_NOT_AVAILABLE',
  'UNKNOWN_TOPIC_OR_PARTITION',
]);

function sizeErrorOf({ sizes }: SeenPartition): readonly ItemError[] {
  return sizes?.replicas.flatMap(({ error }) => (error === null || quiet.has(error.code) ? [] : error)) ?? [];
}
