import { CliError } from '../../errors.ts';
import type { Client } from '../client/client.ts';
import { kafkaError, kafkaErrorText } from '../errors.ts';
import { type ActiveProducer, describeProducers } from '../protocol/describe-producers.ts';
import { nextIdentity } from './identity.ts';
import { type Batch, type Lane, type ProducerIdentity, restampLane, sequenceAfter } from './lane.ts';

const outOfOrderSequence = 45;
const unknownProducerId = 59;
const invalidEpoch = 47;
const fenced = 90;

/** Answers that the broker has lost track of the producer, or taken it for an older one. */
export const lostTrackCodes: ReadonlySet<number> = new Set([
  outOfOrderSequence,
  unknownProducerId,
  invalidEpoch,
  fenced,
]);

/** What a recovery works with. */
export interface Recovery {
  readonly client: Client;
  /** Of lanes that have not got their own yet. */
  readonly identity: ProducerIdentity;
  /** The broker has the batch after all; its offset is not known. */
  onFound(batch: Batch): void;
  warn(line: string): void;
}

/**
 * Goes on with a lane whose broker has lost track of the producer (retention took its last batches, an unclean
 * election cut the log): what may have been written is looked for first, the rest is numbered anew under a
 * higher epoch, in its old order. Nothing may be in flight.
 * @throws CliError when nobody can say whether a batch was written
 */
export async function recoverLane(lane: Lane, recovery: Recovery): Promise<void> {
  const code = lane.lostTrack;
  const identity = lane.identity ?? recovery.identity;
  const uncertain = lane.ready.findLastIndex((batch) => batch.isUncertain);
  let gone = 0;
  // An unknown producer's batches are deleted, all of them: none can be there twice.
  if (uncertain >= 0 && code !== unknownProducerId) {
    const producer = await askForProducer(lane, identity, recovery.client);
    if (producer === undefined && code !== outOfOrderSequence) throw undecided(lane, code);
    const written = producer === undefined ? 0 : countWritten(lane.ready, producer.lastSequence);
    for (const batch of lane.ready.splice(0, written)) recovery.onFound(batch);
    for (const batch of lane.ready) batch.isUncertain = false;
    const [first] = lane.ready;
    const continues = producer !== undefined && first?.sequence === sequenceAfter(producer.lastSequence, 1);
    if (first === undefined || continues) {
      lane.lostTrack = 0;
      return;
    }
    gone = countGone(first, producer);
  } else if (code === outOfOrderSequence) {
    // Only to say what has become of the records before it: whoever cannot be asked is not insisted upon.
    const once = { request: recovery.client.requestOnce };
    const producer = await askForProducer(lane, identity, once).catch(() => undefined);
    gone = countGone(lane.ready[0], producer);
  }
  const next = await nextIdentity(recovery.client, identity, code === invalidEpoch || code === fenced);
  restampLane(lane, next);
  lane.lostTrack = 0;
  const lost = gone === 0 ? '' : `the last ${gone} records that were acknowledged are gone, `;
  recovery.warn(
    `topic "${lane.topic}" partition ${lane.partition}: the broker has lost track of the producer ` +
      `(${kafkaErrorText(code)}): ${lost}what it has not acknowledged is sent under a new epoch`,
  );
}

/** How many acknowledged records the broker does not have any more, by the sequence numbers on both sides. */
function countGone(first: Batch | undefined, producer: ActiveProducer | undefined): number {
  if (first === undefined || producer === undefined) return 0;
  return sequenceAfter(first.sequence, -producer.lastSequence - 1);
}

/** How many batches, from the first, end at or before the last sequence number that the broker has. */
function countWritten(batches: readonly Batch[], lastSequence: number): number {
  const last = batches.findIndex((batch) => sequenceAfter(batch.sequence, batch.records - 1) === lastSequence);
  return last + 1;
}

/** What the leader remembers of this producer; undefined for nothing. */
async function askForProducer(
  lane: Lane,
  identity: ProducerIdentity,
  client: Pick<Client, 'request'>,
): Promise<ActiveProducer | undefined> {
  const { topic, partition, leader, lostTrack } = lane;
  const request = { topics: [{ topic, partitions: [partition] }] };
  const response = await client.request(describeProducers, request, { node: leader }).catch((cause: unknown) => {
    if (cause instanceof CliError && cause.retryable) throw cause;
    throw undecided(lane, lostTrack, cause);
  });
  const [answer] = response.partitions;
  const code = answer?.errorCode ?? 0;
  if (code !== 0) {
    const error = kafkaError(code, `unable to ask for the producers of topic "${topic}": ${kafkaErrorText(code)}`);
    throw error.retryable ? error : undecided(lane, lostTrack, error);
  }
  return answer?.producers.find(
    (row) => Number(row.producerId) === identity.producerId && row.producerEpoch === identity.producerEpoch,
  );
}

function undecided({ topic, partition }: Lane, code: number, cause?: unknown): CliError {
  const message = `unable to produce to topic "${topic}" partition ${partition}: ${kafkaErrorText(code)}`;
  return kafkaError(code, `${message} (the last records in flight may or may not be written)`, {
    target: topic,
    retryable: false,
    hints: [`compare the end of the partition with the input: weir topic consume ${topic} -p ${partition} -o -10`],
    ...(cause === undefined ? {} : { cause }),
  });
}
