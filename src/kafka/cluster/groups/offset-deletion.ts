import { exitCodes, type ItemError } from '../../../errors.ts';
import { partitionName } from '../../../format/partition-name.ts';
import type { Client } from '../../protocol/client/client.ts';
import { itemErrorOf, questionOf } from '../../protocol/client/question.ts';
import { kafkaItemError } from '../../protocol/errors.ts';
import { byPartition, groupByTopic, rowsByPartition } from '../../protocol/partitions/by-topic.ts';
import { offsetDelete } from '../../protocol/wire/apis/offset-delete.ts';
import { codes } from '../../protocol/wire/error-codes.ts';
import type { TopicPartition } from '../../streams/groups/subscription.ts';
import { groupError, shareError } from './group-error.ts';
import { readCommits } from './group-offsets.ts';
import type { DeletedOffset, OffsetDeletionCall, TopicSelection } from './group-rows.ts';
import { findGroups } from './group-states.ts';

/** A committed offset to delete, and why it cannot be. */
type PlannedDeletion = DeletedOffset & { readonly error: ItemError | null };

/**
 * Plans to delete committed offsets of a group. A topic without partitions means all its partitions that have a committed
 * offset. The plan is sorted by topic and partition.
 * @throws CliError when the group does not exist or cannot be read
 */
export async function planOffsetDeletion(
  client: Client,
  { group, topics }: OffsetDeletionCall,
): Promise<readonly PlannedDeletion[]> {
  const what = `delete offsets of group "${group}"`;
  const [current] = await findGroups(client, [group]);
  if (current?.error) throw groupError(what, group, current.error);
  if (current?.type === 'share') throw shareError(what, group);
  const commits = (await readCommits(client, [group])).get(group);
  if (commits?.error) throw groupError(what, group, commits.error);
  const committed = new Map((commits?.offsets ?? []).map((one) => [partitionName(one), one.offset]));
  const subscribed = new Set(current?.members.flatMap(({ assignment }) => assignment.map(({ topic }) => topic)));
  return selectedPartitions(topics, committed).map((partition) => {
    const offset = committed.get(partitionName(partition)) ?? null;
    return { ...partition, offset, error: refusalOf(partition.topic, offset, subscribed) };
  });
}

/** Why an offset cannot be deleted: there is none, or a member reads the topic. */
function refusalOf(topic: string, offset: bigint | null, subscribed: ReadonlySet<string>): ItemError | null {
  if (offset === null) return nothingCommitted;
  return subscribed.has(topic) ? kafkaItemError(codes.GROUP_SUBSCRIBED_TO_TOPIC) : null;
}

interface SelectedPartition {
  readonly topic: string;
  readonly partition: number | null;
}

/** The partitions of the selected topics, without those given twice; null for a topic without committed offsets. */
function selectedPartitions(
  topics: readonly TopicSelection[],
  committed: ReadonlyMap<string, bigint>,
): readonly SelectedPartition[] {
  const selected = new Map<string, SelectedPartition>();
  for (const { topic, partitions } of topics) {
    const numbers = partitions ?? partitionsOf(topic, committed);
    for (const partition of numbers.length === 0 ? [null] : numbers) {
      selected.set(partitionName({ topic, partition }), { topic, partition });
    }
  }
  return [...selected.values()].sort(byPartition);
}

/** The partitions of a topic that have a committed offset. */
function partitionsOf(topic: string, committed: ReadonlyMap<string, bigint>): readonly number[] {
  const prefix = `${topic}/`;
  const keys = [...committed.keys()].filter((key) => key.startsWith(prefix));
  return keys.map((key) => Number(key.slice(prefix.length)));
}

/** Why an offset can neither be deleted nor shifted. */
export const nothingCommitted: ItemError = {
  code: 'NO_COMMITTED_OFFSET',
  number: null,
  message: 'the group has no committed offset here',
  retryable: false,
  exit_code: exitCodes.notFound,
};

/** Deletes planned offsets of a group; returns the error of each, in their order. */
export async function deleteOffsets(client: Client, group: string, planned: readonly DeletedOffset[]) {
  const items = planned.flatMap(({ topic, partition }) => (partition === null ? [] : [{ topic, partition }]));
  const errors = await removeOffsets(client, group, items);
  return planned.map((one) => ({ error: errors.get(partitionName(one)) ?? null }));
}

/** Deletes committed offsets with one request; returns an error or null by the key `TOPIC/PARTITION`. */
export async function removeOffsets(
  client: Client,
  group: string,
  items: readonly TopicPartition[],
): Promise<Map<string, ItemError | null>> {
  const outcomes = await client.ask(removal(group), items);
  return new Map(outcomes.map((outcome) => [partitionName(outcome.item), itemErrorOf(outcome)]));
}

function removal(group: string) {
  return questionOf({
    api: offsetDelete,
    what: ({ topic, partition }: TopicPartition) => `delete the offset of topic "${topic}" partition ${partition}`,
    target: () => ({ group }),
    keyOf: partitionName,
    request: (items: readonly TopicPartition[]) => ({
      groupId: group,
      topics: groupByTopic(items).map(([name, topicItems]) => ({
        name,
        partitions: topicItems.map(({ partition: partitionIndex }) => ({ partitionIndex })),
      })),
    }),
    rows: ({ topics }) => rowsByPartition(topics),
  });
}
