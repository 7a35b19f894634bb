import { CliError } from '../../errors.ts';
import type { Client } from '../client/client.ts';
import { kafkaError, kafkaErrorText } from '../errors.ts';
import { describeProducers } from '../wire/apis/describe-producers.ts';
import { nextIdentity } from './identity.ts';
import { type Batch, type Lane, laneName, type ProducerIdentity, restampLane } from './lane.ts';
import { noteAcknowledged } from './lane-flow.ts';
import { asksMemory, decideRecovery, isFencedBy, type Memory } from './lane-recovery.ts';
import { foundWarning, lostTrackWarning, recordsIn, undecidedError } from './loss.ts';

/** The options of a recovery. */
export interface RecoveryOptions {
  readonly client: Client;
  /** The identity of lanes that do not have their own. */
  readonly identity: ProducerIdentity;
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
  const { client, warn, onFound } = options;
  const code = lane.trouble?.lostTrack ?? 0;
  const identity = lane.identity ?? options.identity;
  const isUncertain = lane.queue.some((batch) => batch.isUncertain);
  let cause: unknown;
  let memory: Memory = 'unavailable';
  if (asksMemory(lane, code)) {
    memory = await askMemory(lane, leader, { client, identity }).catch((error: unknown) => {
      // Without uncertain batches the state would only show what was lost.
      if (isUncertain && error instanceof CliError && error.retryable) throw error;
      cause = error;
      return 'unavailable' as const;
    });
  }
  const recovery = decideRecovery(lane, code, identity, memory);
  if (recovery.kind === 'undecided') throw undecidedError(lane, code, cause);
  // Nothing is changed until the last request that can fail has succeeded.
  const isFenced = isFencedBy(code);
  const next = recovery.kind === 'renumber' ? await nextIdentity(client, identity, isFenced) : undefined;
  const { found, gone } = recovery;
  lane.queue = lane.queue.filter((batch) => !found.includes(batch));
  if (found.length > 0) warn(foundWarning(lane, recordsIn(found)));
  for (const batch of found) {
    noteAcknowledged(lane, batch, -1n);
    onFound(batch);
  }
  if (next === undefined) return;
  restampLane(lane, next);
  warn(lostTrackWarning(lane, code, gone));
  // The loss is reported; the offsets of the next batches may be lower.
  if (gone !== undefined && gone > 0) lane.acknowledged.recent.length = 0;
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

/** Reads the leader's state of this producer. */
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
