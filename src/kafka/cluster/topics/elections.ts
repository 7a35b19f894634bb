import type { ItemError } from '../../../errors.ts';
import { partitionName } from '../../../format/partition-name.ts';
import type { Client, PartitionMetadata, TopicMetadata } from '../../protocol/client/client.ts';
import type { CodedRow } from '../../protocol/client/question.ts';
import { itemErrorOf, type Outcome, questionOf } from '../../protocol/client/question.ts';
import { untilVisible } from '../../protocol/client/visibility.ts';
import { kafkaItemError } from '../../protocol/errors.ts';
import { groupByTopic } from '../../protocol/partitions/by-topic.ts';
import { partitionsInOrder, readSelection } from '../../protocol/partitions/topic-selection.ts';
import { electLeaders as electLeadersApi } from '../../protocol/wire/apis/elect-leaders.ts';
import { codes } from '../../protocol/wire/error-codes.ts';
import type { ElectionRow, ElectionType, ElectLeadersCall } from './topic-rows.ts';

/** The protocol's numbers. */
const electionTypes: Readonly<Record<ElectionType, number>> = { preferred: 0, unclean: 1 };

/** How long the controller waits for the elections, in milliseconds. */
const controllerTimeoutMs = 5000;

/** A partition that needs an election. */
interface Candidate {
  readonly topic: string;
  readonly partition: number;
  readonly metadata: PartitionMetadata;
}

/** Elects leaders where they are needed, with one request; returns rows sorted by topic and partition. */
export async function electLeaders(client: Client, call: ElectLeadersCall): Promise<ElectionRow[]> {
  const { topics } = await readSelection(client, { topics: call.topics, regex: false, internal: true });
  const rows = topics.flatMap((topic) => rowsOf(topic, call));
  const candidates = rows.filter((row): row is Candidate => 'metadata' in row);
  const results = call.dryRun ? new Map() : await elect(client, candidates, call.type);
  return rows.map((row) => {
    if (!('metadata' in row)) return row;
    return results.get(partitionName(row)) ?? expectedRow(row, call);
  });
}

/** What an election would give: only a replica in sync can become the leader, unless the election is unclean. */
function expectedRow(candidate: Candidate, { type, dryRun }: ElectLeadersCall): ElectionRow {
  if (type === 'unclean') return electedRow(candidate, null, dryRun);
  const { replicas, isr, offlineReplicas } = candidate.metadata;
  const [first = -1] = replicas;
  if (isr.includes(first) && !offlineReplicas.includes(first)) return electedRow(candidate, first, dryRun);
  return failedRow(candidate, kafkaItemError(codes.PREFERRED_LEADER_NOT_AVAILABLE), dryRun);
}

/** The partitions of a topic that need an election; of those that do not, the ones that were named. */
function rowsOf(
  { name: topic, errorCode, ...metadata }: TopicMetadata,
  call: ElectLeadersCall,
): (Candidate | ElectionRow)[] {
  const unread = (partition: number | null, code: number): ElectionRow => ({
    topic,
    partition,
    status: 'ERROR',
    old_leader: null,
    new_leader: null,
    dry_run: call.dryRun,
    error: kafkaItemError(code),
  });
  if (errorCode !== 0) return [unread(null, errorCode)];
  const known = partitionsInOrder({ name: topic, errorCode, ...metadata });
  const missing = call.partitions.filter((number) => !known.some(({ partition }) => partition === number));
  const rows = known.flatMap((partition): (Candidate | ElectionRow)[] => {
    const isNamed = call.partitions.includes(partition.partition);
    if (call.partitions.length > 0 && !isNamed) return [];
    const isNeeded = call.type === 'preferred' ? partition.leader !== partition.replicas[0] : partition.leader < 0;
    if (isNeeded) return [{ topic, partition: partition.partition, metadata: partition }];
    return isNamed ? [unneeded({ topic, partition: partition.partition, metadata: partition }, call.dryRun)] : [];
  });
  return [...rows, ...missing.map((partition) => unread(partition, codes.UNKNOWN_TOPIC_OR_PARTITION))];
}

async function elect(
  client: Client,
  candidates: readonly Candidate[],
  type: ElectionType,
): Promise<ReadonlyMap<string, ElectionRow>> {
  const outcomes = await client.ask(electionOf(type), candidates);
  const done = outcomes.filter(({ error }) => error === undefined).map(({ item }) => item);
  const leaders = await readLeaders(client, done);
  return new Map(outcomes.map((outcome) => [partitionName(outcome.item), resultOf(outcome, leaders)]));
}

function electionOf(type: ElectionType) {
  return questionOf({
    api: electLeadersApi,
    what: ({ topic, partition }: Candidate) => `elect a leader of topic "${topic}" partition ${partition}`,
    keyOf: (item: Candidate) => partitionName(item),
    request: (items: readonly Candidate[]) => ({
      electionType: electionTypes[type],
      topicPartitions: groupByTopic(items).map(([topic, own]) => ({
        topic,
        partitions: own.map(({ partition }) => partition),
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
async function readLeaders(client: Client, elected: readonly Candidate[]): Promise<ReadonlyMap<string, number>> {
  const leaders = new Map<string, number>();
  const names = [...new Set(elected.map(({ topic }) => topic))];
  await untilVisible(client, async () => {
    if (names.length === 0) return true;
    for (const { name: topic, partitions } of (await client.metadata(names)).topics)
      for (const { partition, leader } of partitions) leaders.set(partitionName({ topic, partition }), leader);
    return elected.every((one) => leaders.get(partitionName(one)) !== one.metadata.leader);
  });
  return leaders;
}

function resultOf(outcome: Outcome<Candidate, CodedRow>, leaders: ReadonlyMap<string, number>): ElectionRow {
  const { item, row } = outcome;
  if (row?.errorCode === codes.ELECTION_NOT_NEEDED) return unneeded(item, false);
  const error = itemErrorOf(outcome);
  if (error === null) return electedRow(item, leaders.get(partitionName(item)) ?? null, false);
  return failedRow(item, error, false);
}

function failedRow({ topic, partition, metadata }: Candidate, error: ItemError | null, dryRun: boolean): ElectionRow {
  return { topic, partition, status: 'ERROR', old_leader: metadata.leader, new_leader: null, dry_run: dryRun, error };
}

function electedRow({ topic, partition, metadata }: Candidate, leader: number | null, dryRun: boolean): ElectionRow {
  return {
    topic,
    partition,
    status: 'OK',
    old_leader: metadata.leader,
    new_leader: leader,
    dry_run: dryRun,
    error: null,
  };
}

function unneeded({ topic, partition, metadata: { leader } }: Candidate, dryRun: boolean): ElectionRow {
  const leaders = { old_leader: leader, new_leader: leader };
  return { topic, partition, status: 'NOT_NEEDED', ...leaders, dry_run: dryRun, error: null };
}
