import { exitCodes, type ItemError } from '../../../errors.ts';
import { partitionName } from '../../../format/partition-name.ts';
import type { Client } from '../../protocol/client/client.ts';
import { itemErrorOf, type Located, questionOf } from '../../protocol/client/question.ts';
import { kafkaItemError } from '../../protocol/errors.ts';
import { byPartition, groupByTopic } from '../../protocol/partitions/by-topic.ts';
import { offsetDelete } from '../../protocol/wire/apis/offset-delete.ts';
import { codes } from '../../protocol/wire/error-codes.ts';
import type { TopicPartition } from '../../streams/groups/subscription.ts';
import { type FoundGroup, findGroups } from './found-groups.ts';
import { groupError, shareError } from './group-error.ts';
import { readCommits } from './group-offsets.ts';
import type { DeletedOffsetRow, DeleteOffsetsCall } from './group-rows.ts';

/**
 * Deletes committed offsets of a group, or checks in a dry run which ones would be deleted. A topic without partitions
 * means all its partitions that have a committed offset. Rows are sorted by topic and partition.
 * @throws CliError when the group does not exist or cannot be read
 */
export async function deleteOffsets(client: Client, call: DeleteOffsetsCall): Promise<DeletedOffsetRow[]> {
  const { group, dryRun } = call;
  const what = `delete offsets of group "${group}"`;
  const [found] = await findGroups(client, [group]);
  if (found?.error) throw groupError(what, group, found.error);
  if (found?.type === 'share') throw shareError(what, group);
  const own = (await readCommits(client, [group])).get(group);
  if (own?.error) throw groupError(what, group, own.error);
  const committed = new Map((own?.offsets ?? []).map((one) => [partitionName(one), one.offset]));
  const rows = selected(call, committed);
  const items = rows.flatMap(({ topic, partition, error }) =>
    partition === null || error !== null ? [] : [{ topic, partition }],
  );
  const errors = dryRun ? refusals(found, items) : await removeOffsets(client, group, items);
  return rows.map((row) => {
    const error = row.error ?? errors.get(partitionName(row)) ?? null;
    return { ...row, status: error === null ? 'OK' : 'ERROR', dry_run: dryRun, error };
  });
}

type Place = { readonly topic: string; readonly partition: number | null };

/** The rows of the call, without those given twice. */
function selected(
  { topics }: DeleteOffsetsCall,
  committed: ReadonlyMap<string, bigint>,
): readonly Omit<DeletedOffsetRow, 'status' | 'dry_run'>[] {
  const places = new Map<string, Place>();
  for (const { topic, partitions } of topics) {
    const numbers = partitions ?? partitionsOf(topic, committed);
    for (const partition of numbers.length === 0 ? [null] : numbers) {
      const place = { topic, partition };
      places.set(partitionName(place), place);
    }
  }
  return [...places.values()].sort(byPartition).map((place) => {
    const offset = committed.get(partitionName(place)) ?? null;
    return { ...place, offset, error: offset === null ? nothingCommitted : null };
  });
}

/** The partitions of a topic that have a committed offset. */
function partitionsOf(topic: string, committed: ReadonlyMap<string, bigint>): readonly number[] {
  const prefix = `${topic}/`;
  const own = [...committed.keys()].filter((key) => key.startsWith(prefix));
  return own.map((key) => Number(key.slice(prefix.length)));
}

/** Why an offset can neither be deleted nor shifted. */
export const nothingCommitted: ItemError = {
  code: 'NO_COMMITTED_OFFSET',
  number: null,
  message: 'the group has no committed offset here',
  retryable: false,
  exit_code: exitCodes.notFound,
};

/** What the coordinator would refuse: offsets of topics that a member reads. */
function refusals(found: FoundGroup | undefined, items: readonly TopicPartition[]): Map<string, ItemError | null> {
  const read = new Set(found?.members.flatMap(({ assignment }) => assignment.map(({ topic }) => topic)));
  return new Map(
    items.map((item) => [
      partitionName(item),
      read.has(item.topic) ? kafkaItemError(codes.GROUP_SUBSCRIBED_TO_TOPIC) : null,
    ]),
  );
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
    request: (items: readonly Located<TopicPartition>[]) => ({
      groupId: group,
      topics: groupByTopic(items.map(({ item }) => item)).map(([name, own]) => ({
        name,
        partitions: own.map(({ partition: partitionIndex }) => ({ partitionIndex })),
      })),
    }),
    rows: ({ topics }) =>
      topics.flatMap(({ name: topic, partitions }) =>
        partitions.map((row) => [partitionName({ topic, partition: row.partitionIndex }), row] as const),
      ),
  });
}
