import type { MovesState, PartitionName, TopicName, WantedMove } from '../../../admin/partitions/partition-rows.ts';
import type { Context } from '../../../context.ts';
import { showTopic } from '../../../format/partition-name.ts';
import { shellWord } from '../../../format/shell-word.ts';
import { showSize } from '../../../format/size.ts';
import type { WaitOptions } from '../../../net/poll.ts';
import { type WaitValues, waitFor } from '../wait.ts';

/** Waits until partitions are where they should be, with progress on stderr. */
export async function waitForArrival(
  context: Context,
  wanted: readonly WantedMove[],
  values: WaitValues,
): Promise<MovesState> {
  const admin = await context.admin();
  return await waitFor(
    context,
    values,
    moveWait(wanted, (options) => admin.waitForMoves(wanted, options)),
  );
}

/** Waits until none of these partitions is being moved, with progress on stderr. */
export async function waitForEnd(
  context: Context,
  names: readonly PartitionName[],
  values: WaitValues,
): Promise<MovesState> {
  const admin = await context.admin();
  return await waitFor(
    context,
    values,
    moveWait(names, (options) => admin.waitForNoMoves(names, options)),
  );
}

function moveWait(names: readonly TopicName[], start: (options: WaitOptions<MovesState>) => Promise<MovesState>) {
  return { what: 'the move of partitions', show, resumeWith: resumeWith(names), start };
}

function resumeWith(names: readonly TopicName[]): string {
  const topics = [...new Set(names.map(showTopic))];
  return `weir cluster partitions move-status ${topics.length > 10 ? '' : `${topics.map(shellWord).join(' ')} `}--wait`;
}

function show({ moving, left }: MovesState): string {
  const bytes = moving.reduce((sum, one) => sum + one.bytes_left, 0);
  return `${left} left${bytes > 0 ? `, ${showSize(bytes)} to copy` : ''}`;
}
