import type { ClusterMetadata } from '../../protocol/client/client.ts';
import { isRetriable } from '../../protocol/errors.ts';
import type { PartitionOffset } from '../groups/commits.ts';
import type { CommitOutcome } from '../groups/member.ts';
import { printedEpoch } from './epochs.ts';
import { absentOf } from './group-share.ts';
import { type GroupWork, setAside } from './group-work.ts';
import { recreationWarning } from './leaders.ts';
import { compareTopic, createPosition, type PartitionPosition, startOver } from './position.ts';

/**
 * Commits the offsets printed since the last commit, once any pending commit is finished: an older commit must not
 * overwrite a newer one.
 * @returns why some offsets are not committed, if the membership is the reason
 */
export function commitPrinted(work: GroupWork): Promise<CommitOutcome['refused']> {
  const turn = work.committing.then(() => {
    // The one before was repeated for as long as may be: another one would take as long again.
    if (work.failure !== undefined && !work.isClosing) throw work.failure;
    return commitMoved(work);
  });
  work.committing = turn.catch(() => undefined);
  return turn;
}

async function commitMoved(work: GroupWork): Promise<CommitOutcome['refused']> {
  // Commits may move backwards: after a log truncation, the replacement records must not be skipped.
  const moved = work.positions.filter((position) => position.printed !== position.committed);
  if (moved.length === 0) return undefined;
  const positionOf = new Map(moved.map((position) => [offsetOf(position), position]));
  const { committed, unknown, refused } = await work.membership.commit([...positionOf.keys()]);
  for (const item of committed) {
    const position = positionOf.get(item);
    if (position !== undefined) position.committed = item.offset;
  }
  if (unknown.length > 0 && !work.isClosing) await checkUnknown(work, unknown);
  return refused;
}

function offsetOf(position: PartitionPosition): PartitionOffset {
  const { topic, topicId, partition, printed } = position;
  return { topic, topicId, partition, offset: printed, leaderEpoch: printedEpoch(position) };
}

/**
 * Sets aside partitions that metadata does not know either; the coordinator alone may not know a new topic yet. Those of
 * a topic that was deleted and created again are read from their start.
 */
async function checkUnknown(work: GroupWork, unknown: readonly PartitionOffset[]): Promise<void> {
  try {
    const metadata = await work.client.metadata([...new Set(unknown.map(({ topic }) => topic))]);
    setAside(work, absentOf(metadata, unknown));
    startOverWith(work, metadata);
  } catch (error) {
    if (!isRetriable(error)) throw error;
  }
}

/** Replaces the positions in topics that have replaced those being read; what was fetched of those is still printed. */
function startOverWith(work: GroupWork, { topics }: ClusterMetadata): void {
  const idOf = new Map(topics.map(({ name, id }) => [name, id]));
  const replaced = work.positions.filter(
    (position) => !position.done && compareTopic(position, idOf.get(position.topic)) === 'recreated',
  );
  if (replaced.length === 0) return;
  const next = new Map(replaced.map((position) => [position, successorOf(position, idOf.get(position.topic) ?? '')]));
  for (const position of replaced) position.done = true;
  work.positions = work.positions.map((position) => next.get(position) ?? position);
  work.hasChanged = true;
  for (const topic of new Set(replaced.map((position) => position.topic))) {
    work.request.warn(recreationWarning(topic, false));
  }
  work.wake();
}

function successorOf(position: PartitionPosition, id: string): PartitionPosition {
  const next = createPosition({ ...position, epoch: -1 });
  next.formerIds = position.formerIds;
  startOver(next, id);
  return next;
}
