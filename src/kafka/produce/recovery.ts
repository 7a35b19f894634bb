import { CliError } from '../../errors.ts';
import type { Client } from '../client/client.ts';
import { kafkaError, kafkaErrorText } from '../errors.ts';
import { describeProducers } from '../protocol/describe-producers.ts';
import { nextIdentity } from './identity.ts';
import { type Batch, type Lane, laneName, type ProducerIdentity, restampLane } from './lane.ts';
import { noteAcknowledged } from './lane-flow.ts';
import { asksMemory, decideRecovery, isFencedBy, type Memory } from './lane-recovery.ts';
import { foundWarning, lostTrackWarning, undecidedError } from './loss.ts';

/** What a recovery works with. */
export interface RecoveryOptions {
  readonly client: Client;
  /** Of lanes that have not got their own yet. */
  readonly identity: ProducerIdentity;
  /** The broker has the batch after all; its offset is not known. */
  onFound(batch: Batch): void;
  warn(line: string): void;
}

/**
 * Goes on with a lane whose leader has lost track of the producer (an unclean election cut the log, retention took its
 * last batches): what may have been written is looked for first, the rest is numbered anew under a higher epoch, in its
 * old order. Nothing may be in flight. One try: a failure that is retryable changes nothing.
 * @throws CliError when nobody can say whether a batch was written
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
      // Without uncertain batches it would only tell what was lost.
      if (isUncertain && error instanceof CliError && error.retryable) throw error;
      cause = error;
      return 'unavailable' as const;
    });
  }
  const recovery = decideRecovery(lane, code, identity, memory);
  if (recovery.kind === 'undecided') throw undecidedError(lane, code, cause);
  // Nothing changes before the last request that can fail.
  const isFenced = isFencedBy(code);
  const next = recovery.kind === 'renumber' ? await nextIdentity(client, identity, isFenced) : undefined;
  const { found, gone } = recovery;
  lane.queue = lane.queue.filter((batch) => !found.includes(batch));
  if (found.length > 0) warn(foundWarning(lane, recordsOf(found)));
  for (const batch of found) {
    noteAcknowledged(lane, batch, -1n);
    onFound(batch);
  }
  if (next === undefined) return;
  for (const batch of lane.queue) batch.isUncertain = false;
  restampLane(lane, next);
  warn(lostTrackWarning(lane, code, gone));
  // What is gone is reported; the offsets of the next batches may be lower.
  if (gone !== undefined && gone > 0) lane.acknowledged.recent.length = 0;
}

function recordsOf(batches: readonly Batch[]): number {
  return batches.reduce((sum, { records }) => sum + records, 0);
}

/** What the leader remembers of this producer. */
async function askMemory(
  lane: Lane,
  leader: number,
  { client, identity }: Pick<RecoveryOptions, 'client' | 'identity'>,
): Promise<Memory> {
  const { topic, partition } = lane;
  const request = { topics: [{ topic, partitions: [partition] }] };
  const response = await client.requestOnce(describeProducers, request, { node: leader });
  const [answer] = response.partitions;
  if (answer === undefined) return 'unavailable';
  const { errorCode: code } = answer;
  if (code !== 0) {
    throw kafkaError(code, `unable to ask for the producers of ${laneName(lane)}: ${kafkaErrorText(code)}`);
  }
  return answer.producers.find(({ producerId }) => Number(producerId) === identity.producerId) ?? 'unknown';
}
