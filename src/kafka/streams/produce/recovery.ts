import { CliError } from '../../../errors.ts';
import type { Client } from '../../protocol/client/client.ts';
import { kafkaError, kafkaErrorText } from '../../protocol/errors.ts';
import { describeProducers } from '../../protocol/wire/apis/describe-producers.ts';
import { codes } from '../../protocol/wire/error-codes.ts';
import { nextIdentity } from './identity.ts';
import { type Batch, type Lane, laneName, type ProducerIdentity, restampLane } from './lane.ts';
import { noteAcknowledged } from './lane-flow.ts';
import { asksMemory, decideRecovery, isFencedBy, type Memory } from './lane-recovery.ts';
import { foundWarning, lostTrackWarning, recordsIn, refusedError, undecidedError } from './loss.ts';

/** The options of a recovery. */
export interface RecoveryOptions {
  readonly client: Client;
  /** The identity of lanes that do not have their own. */
  readonly identity: ProducerIdentity;
  /** The transactional id of the producer; undefined for none. */
  readonly transactionalId?: string | undefined;
  /** Called for a batch that the broker turned out to have; its offset is not known. */
  onFound(batch: Batch): void;
  warn(line: string): void;
}

/**
 * Recovers a lane whose leader has lost track of the producer (an unclean election truncated the log, or retention
 * removed its last batches): first finds out what was written, then renumbers the rest under a higher epoch, in the old
 * order. Nothing may be in flight. Makes one attempt; a retryable failure changes nothing.
 * @throws CliError if it cannot be found out whether a batch was written
 */
export async function recoverLane(lane: Lane, leader: number, options: RecoveryOptions): Promise<void> {
  const { client, warn } = options;
  const code = lane.trouble?.lostTrack ?? 0;
  const identity = lane.identity ?? options.identity;
  const { memory, cause } = asksMemory(lane, code)
    ? await recall(lane, leader, { client, identity })
    : { memory: 'unavailable' as const, cause: undefined };
  const recovery = decideRecovery(lane, code, identity, memory);
  if (recovery.kind === 'undecided') throw undecidedError(lane, code, cause);
  // Nothing is changed until the last request that can fail has succeeded.
  const isFenced = isFencedBy(code);
  const next = recovery.kind === 'renumber' ? await nextIdentity(client, identity, isFenced) : undefined;
  const { written, gone } = recovery;
  settleFound(lane, written, options);
  if (next === undefined) return;
  restampLane(lane, next);
  warn(lostTrackWarning(lane, code, gone));
  // The loss is reported; the offsets of the next batches may be lower.
  if (gone !== undefined && gone > 0) lane.acknowledged.recent.length = 0;
}

/**
 * Finds out what of a lane is in the log whose refused batch was, or whose later ones were, sent without an answer; others
 * may take its place then. Nothing may be in flight.
 * @throws CliError if that cannot be found out
 */
export async function clearDoubt(lane: Lane, leader: number, options: RecoveryOptions): Promise<void> {
  const { client, transactionalId } = options;
  const identity = lane.identity ?? options.identity;
  const { memory, cause } = await recall(lane, leader, { client, identity });
  // As after a gap: a leader without a state has nothing of the queue.
  const recovery = decideRecovery(lane, codes.OUT_OF_ORDER_SEQUENCE_NUMBER, identity, memory);
  const written = recovery.kind === 'undecided' ? undefined : recovery.written;
  const refusal = lane.queue.find((one) => one.refusal !== undefined)?.refusal;
  if (refusal === undefined) return;
  if (written === undefined) throw refusedError(lane, refusal, { retryable: false, cause });
  // These may still be on their way to a broker that hangs, which refuses them under an old epoch. A transaction has only
  // one: there a broker refuses them because of the gap before them, until others have their numbers.
  const isLate = lane.queue.some((one) => one.isUncertain && one.refusal === undefined && !written.includes(one));
  const next = isLate && transactionalId === undefined ? await nextIdentity(client, identity, false) : undefined;
  settleFound(lane, written, options);
  for (const batch of lane.queue) batch.isUncertain = false;
  if (next !== undefined) restampLane(lane, next);
}

/** Settles batches that turned out to be in the log. */
function settleFound(lane: Lane, written: readonly Batch[], { warn, onFound }: RecoveryOptions): void {
  lane.queue = lane.queue.filter((batch) => !written.includes(batch));
  if (written.length > 0) warn(foundWarning(lane, recordsIn(written)));
  for (const batch of written) {
    noteAcknowledged(lane, batch, -1n);
    onFound(batch);
  }
}

/**
 * Moves a lane to the topic that has replaced its own. What was sent by the id of the old topic is not in the new one:
 * it is sent again, under a higher epoch. What was sent by name may be: it is sent again under the same sequence
 * numbers, which the broker recognizes if it has them.
 * @returns whether the queue is renumbered
 */
export async function moveLane(lane: Lane, { client, identity }: RecoveryOptions): Promise<boolean> {
  const stamp = lane.identity ?? identity;
  const mayStray = lane.queue.some((batch) => batch.mayStray);
  const isRenumbered = stamp.producerId >= 0 && !mayStray;
  if (isRenumbered) restampLane(lane, await nextIdentity(client, stamp, false));
  lane.topicId = lane.current.id;
  lane.restart = mayStray ? { order: lane.nextOrder, isNewTopic: true } : undefined;
  lane.acknowledged.recent.length = 0;
  return isRenumbered;
}

/** Reads the leader's state of this producer, as far as that is possible. @throws an error after which to ask again */
async function recall(
  lane: Lane,
  leader: number,
  asking: Pick<RecoveryOptions, 'client' | 'identity'>,
): Promise<{ readonly memory: Memory; readonly cause: unknown }> {
  try {
    return { memory: await askMemory(lane, leader, asking), cause: undefined };
  } catch (cause) {
    // Without uncertain batches the state would only show what was lost.
    const isUncertain = lane.queue.some((batch) => batch.isUncertain);
    if (isUncertain && cause instanceof CliError && cause.retryable) throw cause;
    return { memory: 'unavailable', cause };
  }
}

async function askMemory(
  lane: Lane,
  leader: number,
  { client, identity }: Pick<RecoveryOptions, 'client' | 'identity'>,
): Promise<Memory> {
  const { topic, partition } = lane;
  const request = { topics: [{ name: topic, partitionIndexes: [partition] }] };
  const response = await client.requestOnce(describeProducers, request, { node: leader });
  const answer = response.topics[0]?.partitions[0];
  if (answer === undefined) return 'unavailable';
  const { errorCode: code } = answer;
  if (code !== 0) {
    throw kafkaError(code, `unable to describe the producers of ${laneName(lane)}: ${kafkaErrorText(code)}`);
  }
  return answer.activeProducers.find(({ producerId }) => producerId === identity.producerId) ?? 'unknown';
}
