import { CliError, itemErrorOf as errorOfItem, exitCodes, type ItemError } from '../../../errors.ts';
import { partitionName } from '../../../format/partition-name.ts';
import type { Client } from '../../protocol/client/client.ts';
import { aboutTopics } from '../../protocol/client/cluster-metadata.ts';
import { itemErrorOf, type Outcome } from '../../protocol/client/question.ts';
import { metadata } from '../../protocol/wire/apis/metadata.ts';
import { codes } from '../../protocol/wire/error-codes.ts';
import { noUuid } from '../../protocol/wire/primitives.ts';
import { commitQuestion, outsider, type PartitionOffset } from '../../streams/groups/commits.ts';
import { removeOffsets } from './offset-deletion.ts';
import { offsetAfter, type PlannedSeek, type SeekPlan, type SoughtOffset } from './seek-rows.ts';

/** The offset of a partition after a seek. */
type MovedOffset = Pick<SoughtOffset, 'new_offset' | 'shift'> & { readonly error: ItemError | null };

/**
 * Commits the offsets of a plan with one request, and removes those that it has no offset for with another one. Moves
 * that the plan has an error for are not sent. Returns the offset of each partition afterwards, in the order of the plan.
 * @throws CliError (exit 6) before anything is sent if a topic was created again since it was planned
 */
export async function seekGroup(client: Client, { group, moves }: SeekPlan): Promise<readonly MovedOffset[]> {
  await checkTopics(client, group, moves);
  const items = moves.flatMap(
    ({ topic, topic_id: id, partition, new_offset: offset, leader_epoch: leaderEpoch, error }) =>
      offset === null || error !== null ? [] : [{ topic, topicId: id ?? undefined, partition, offset, leaderEpoch }],
  );
  const outcomes = await client.ask(commitQuestion(outsider(group), items, true), items);
  const removals = moves.filter(
    (move) => move.new_offset === null && move.prior_offset !== null && move.error === null,
  );
  const removed = await removeOffsets(client, group, removals).catch((error: unknown) => {
    // What was committed must be reported although the command was stopped before it could remove the rest.
    if (!(error instanceof CliError) || !outcomes.some((outcome) => outcome.error === undefined)) throw error;
    return new Map(removals.map((move) => [partitionName(move), errorOfItem(error)]));
  });
  const errors = new Map([
    ...removed,
    ...outcomes.map((outcome) => [partitionName(outcome.item), refusalOf(outcome)] as const),
  ]);
  return moves.map((move) => {
    const error = move.error ?? errors.get(partitionName(move)) ?? null;
    return { ...offsetAfter(move, error), error };
  });
}

/**
 * Compares the topics of a plan with those that the coordinator knows. The plan may be old: a person was asked in between.
 * Brokers that take commits by topic id check again.
 */
async function checkTopics(client: Client, group: string, moves: readonly PlannedSeek[]): Promise<void> {
  const planned = new Map(
    moves.flatMap(({ topic, topic_id: id, error }) => (id === null || error !== null ? [] : [[topic, id] as const])),
  );
  if (planned.size === 0) return;
  const { topics } = await client.request(metadata, aboutTopics([...planned.keys()]), { group });
  const other = topics.find(
    ({ name = '', topicId }) => topicId !== noUuid && planned.has(name) && planned.get(name) !== topicId,
  );
  if (other === undefined) return;
  const what = `topic "${other.name}" was deleted and created again after the offsets were planned`;
  throw new CliError(exitCodes.conflict, `unable to seek group "${group}": ${what}`, {
    code: 'TOPIC_RECREATED',
    target: other.name ?? '',
    hints: ['nothing was changed: run the command again to plan with the new topic'],
  });
}

/** The error of a commit; the codes for an unknown member mean that the group has members, of which weir is none. */
function refusalOf(outcome: Outcome<PartitionOffset, unknown>): ItemError | null {
  const error = itemErrorOf(outcome);
  const isOfMember = error?.number === codes.UNKNOWN_MEMBER_ID || error?.number === codes.ILLEGAL_GENERATION;
  if (error === null || !isOfMember) return error;
  const message = 'the group has members: stop them first';
  return { ...error, code: 'NON_EMPTY_GROUP', message, retryable: false, exit_code: exitCodes.conflict };
}
