import type { ItemError } from '../../../errors.ts';
import { partitionName } from '../../../format/partition-name.ts';
import type { Client, PartitionMetadata, TopicMetadata } from '../../protocol/client/client.ts';
import { itemErrorOf, questionOf } from '../../protocol/client/question.ts';
import { untilVisible } from '../../protocol/client/visibility.ts';
import { kafkaItemError } from '../../protocol/errors.ts';
import { groupByTopic } from '../../protocol/partitions/by-topic.ts';
import { partitionsInOrder, readSelection } from '../../protocol/partitions/topic-selection.ts';
import { electLeaders as electLeadersApi } from '../../protocol/wire/apis/elect-leaders.ts';
import { codes } from '../../protocol/wire/error-codes.ts';
import type { ElectedPartition, ElectionCall, ElectionType, Planned } from './topic-rows.ts';

/** The protocol's numbers. */
const electionTypes: Readonly<Record<ElectionType, number>> = { preferred: 0, unclean: 1 };

/** How long the controller waits for the elections, in milliseconds. */
const controllerTimeoutMs = 5000;

/** A partition as planned, and why its election would fail, as far as is known. */
type PlannedElection = Planned<ElectedPartition> & { readonly expected?: ItemError | null };

/** Finds the partitions that need an election, and those that were named; returns rows sorted by topic and partition. */
export async function planElections(client: Client, call: ElectionCall): Promise<PlannedElection[]> {
  const { topics } = await readSelection(client, { topics: call.topics, regex: false, internal: true });
  return topics.flatMap((topic) => plannedElections(topic, call));
}

function plannedElections(topic: TopicMetadata, { type, partitions: named }: ElectionCall): PlannedElection[] {
  const unread = (partition: number | null, code: number): PlannedElection => ({
    topic: topic.name,
    partition,
    old_leader: null,
    new_leader: null,
    error: kafkaItemError(code),
  });
  if (topic.errorCode !== 0) return [unread(null, topic.errorCode)];
  const planned = partitionsInOrder(topic).map((one) => plannedElection(topic.name, one, type));
  if (named.length === 0) return planned.filter(({ status }) => status === undefined);
  const missing = named.filter((number) => !planned.some(({ partition }) => partition === number));
  return [
    ...planned.filter(({ partition }) => partition !== null && named.includes(partition)),
    ...missing.map((partition) => unread(partition, codes.UNKNOWN_TOPIC_OR_PARTITION)),
  ];
}

function plannedElection(topic: string, metadata: PartitionMetadata, type: ElectionType): PlannedElection {
  const { partition, leader, replicas, isr, offlineReplicas } = metadata;
  const [first = -1] = replicas;
  const planned = { topic, partition, old_leader: leader, error: null };
  if (type === 'preferred' ? leader === first : leader >= 0)
    return { ...planned, new_leader: leader, status: 'NOT_NEEDED' };
  if (type === 'unclean') return { ...planned, new_leader: null };
  // Only a replica in sync can become the preferred leader.
  const isReady = isr.includes(first) && !offlineReplicas.includes(first);
  return {
    ...planned,
    new_leader: first,
    expected: isReady ? null : kafkaItemError(codes.PREFERRED_LEADER_NOT_AVAILABLE),
  };
}

/** Elects leaders of planned partitions with one request; returns what became of each. */
export async function electLeaders(
  client: Client,
  planned: readonly ElectedPartition[],
  type: ElectionType,
): Promise<Pick<PlannedElection, 'new_leader' | 'status' | 'error'>[]> {
  const outcomes = await client.ask(electionOf(type), planned);
  const elected = outcomes.filter(({ error }) => error === undefined).map(({ item }) => item);
  const leaders = await readLeaders(client, elected);
  return outcomes.map((outcome) => {
    const { item, row } = outcome;
    if (row?.errorCode === codes.ELECTION_NOT_NEEDED)
      return { new_leader: item.old_leader, status: 'NOT_NEEDED', error: null };
    const error = itemErrorOf(outcome);
    return { new_leader: error === null ? (leaders.get(partitionName(item)) ?? null) : null, error };
  });
}

function electionOf(type: ElectionType) {
  return questionOf({
    api: electLeadersApi,
    what: ({ topic, partition }: ElectedPartition) => `elect a leader of topic "${topic}" partition ${partition}`,
    keyOf: (item: ElectedPartition) => partitionName(item),
    request: (items: readonly ElectedPartition[]) => ({
      electionType: electionTypes[type],
      topicPartitions: groupByTopic(items).map(([topic, topicItems]) => ({
        topic,
        partitions: topicItems.map(({ partition }) => partition ?? -1),
      })),
      timeoutMs: controllerTimeoutMs,
    }),
    rows: ({ replicaElectionResults }) =>
      replicaElectionResults.flatMap(({ topic, partitionResult }) =>
        partitionResult.map((row) => [partitionName({ topic, partition: row.partitionId }), row] as const),
      ),
  });
}

/** Reads the leaders of partitions, again until a broker reports that each of them has changed. */
async function readLeaders(client: Client, elected: readonly ElectedPartition[]): Promise<ReadonlyMap<string, number>> {
  const leaders = new Map<string, number>();
  const names = [...new Set(elected.map(({ topic }) => topic))];
  await untilVisible(client, async () => {
    if (names.length === 0) return true;
    for (const { name: topic, partitions } of (await client.metadata(names)).topics)
      for (const { partition, leader } of partitions) leaders.set(partitionName({ topic, partition }), leader);
    return elected.every((one) => leaders.get(partitionName(one)) !== one.old_leader);
  });
  return leaders;
}
