import { exitCodes, type ItemError } from '../../errors.ts';
import type { Client } from '../client/client.ts';
import { itemErrorOf, type Outcome } from '../client/question.ts';
import { commitQuestion, type PartitionOffset } from '../groups/commits.ts';
import { groupCodes } from '../groups/verdicts.ts';
import { removeOffsets } from './offset-deletion.ts';
import type { SeekPlan, SoughtRow } from './seek-rows.ts';

/**
 * Commits the offsets of a plan with one request, and removes those that it has no offset for with another one. Moves
 * that the plan has an error for are not sent.
 */
export async function seekGroup(client: Client, { group, moves }: SeekPlan): Promise<SoughtRow[]> {
  const items = moves.flatMap(({ topic, partition, new_offset: offset, leader_epoch: leaderEpoch, error }) =>
    offset === null || error !== null ? [] : [{ topic, partition, offset, leaderEpoch }],
  );
  const nobody = { group, generation: -1, memberId: '', instanceId: undefined };
  const outcomes = await client.ask(commitQuestion(nobody), items);
  const removals = moves.filter(
    (move) => move.new_offset === null && move.prior_offset !== null && move.error === null,
  );
  const errors = new Map([
    ...(await removeOffsets(client, group, removals)),
    ...outcomes.map((outcome) => [keyOf(outcome.item), refusalOf(outcome)] as const),
  ]);
  return moves.map((move) => {
    const error = move.error ?? errors.get(keyOf(move)) ?? null;
    const { topic, partition, prior_offset, new_offset } = move;
    return { topic, partition, prior_offset, current_offset: error === null ? new_offset : prior_offset, error };
  });
}

function keyOf({ topic, partition }: { readonly topic: string; readonly partition: number }): string {
  return `${topic}/${partition}`;
}

/** The error of a commit; the codes for an unknown member mean that the group has members, of which weir is none. */
function refusalOf(outcome: Outcome<PartitionOffset, unknown>): ItemError | null {
  const error = itemErrorOf(outcome);
  const { unknownMember, illegalGeneration } = groupCodes;
  if (error?.number !== unknownMember && error?.number !== illegalGeneration) return error;
  const message = 'the group has members: stop them first';
  return { ...error, code: 'NON_EMPTY_GROUP', message, retryable: false, exit_code: exitCodes.conflict };
}
