import { nextTurn } from '../../clock.ts';
import { codes } from '../protocol/wire/error-codes.ts';
import type { FetchedChunk } from '../streams/consume/answer.ts';
import type { PartitionPosition } from '../streams/consume/position.ts';
import type { Lane } from '../streams/produce/lane.ts';
import { finishBefore, storeIfDue } from './checkpoint.ts';
import { readFailure } from './failures.ts';
import type { Parcel, Portion } from './portions.ts';
import { isForbidden } from './transactions.ts';
import { followJump, type SourcePart, type Transfer, type TransferState } from './transfer.ts';
import {
  addBatch,
  isCrowded,
  type ParcelOrigin,
  release,
  type SharedMemory,
  until,
  whileTopicsUnknown,
} from './writing.ts';

/** After how many bytes of answers and rebuilt batches, before compression, their garbage is collected. */
const garbageBytes = 32 << 20;

/** Hands what has arrived to the writing. */
export async function forward(state: TransferState, chunks: readonly FetchedChunk[]): Promise<void> {
  const { writing, parts } = state;
  const memory = chunks[0]?.records.buffer;
  if (memory === undefined) return;
  const shared: SharedMemory = { memory, uses: 1 };
  collectDue(state, memory.byteLength);
  for (const chunk of chunks) {
    const part = parts.get(chunk.position);
    if (part !== undefined) await forwardChunk(state, { part, chunk, shared });
  }
  release(writing, shared);
  writing.sender.pump();
}

interface Arrived {
  readonly part: SourcePart;
  readonly chunk: FetchedChunk;
  readonly shared: SharedMemory;
}

async function forwardChunk(state: TransferState, { part, chunk, shared }: Arrived): Promise<void> {
  const { transfer, porter } = state;
  checkSource(transfer, chunk.position);
  followJump(transfer, part, { jumps: chunk.jumps, offset: chunk.from });
  const { partition, end } = chunk.position;
  for (let { from } = chunk; ; ) {
    try {
      for (const portion of porter.portions({ ...chunk, from, partition, end }, part.origin)) {
        await forwardPortion(state, { part, shared }, portion);
        from = portion.upTo;
      }
      return;
    } catch (error) {
      if (!(await transfer.records.resolves(error))) await finishBefore(state, readFailure(error, chunk.position));
    }
    // A chunk with pauses, as of a redrive with a rate, takes long.
    checkFailures(state);
    if (state.isStopped) return;
    await storeIfDue(state);
  }
}

/** Fails if the source is not the topic any more that the work began with. */
export function checkSource({ source }: Transfer, { formerIds }: PartitionPosition): void {
  if (formerIds.length > 0) throw source.recreated();
}

/** Fails if writing or storing has failed. */
export function checkFailures({ failure, writing }: TransferState): void {
  if (failure !== undefined) throw failure;
  if (writing.sender.failure !== undefined) throw writing.sender.failure;
}

async function forwardPortion(
  state: TransferState,
  { part, shared }: Pick<Arrived, 'part' | 'shared'>,
  portion: Portion,
): Promise<void> {
  const { transfer, writing } = state;
  const { position, trail } = part;
  const { parcels, upTo } = portion;
  const step = trail.add(upTo, parcels.length, transfer.records.onPortion(part, portion));
  const addressed = parcels.map((parcel) => ({ parcel, lane: transfer.destination.laneOf(parcel.partition) }));
  for (const { parcel, lane } of await admit(state, addressed, { step, position, trail })) {
    addBatch(writing, parcel, lane, { step, position, trail, shared });
  }
  part.handed = upTo;
  writing.sender.pump();
  if (parcels.every(({ adoptedAt }) => adoptedAt !== undefined)) return;
  // Building takes long, and much may come of a small answer: sockets are served in between, and memory is bounded.
  if (isCrowded(writing)) await until(writing, () => !isCrowded(writing) || state.isStopped);
  for (const { writer } of parcels) collectDue(state, writer.size);
  await nextTurn();
}

/** Collects garbage if there is much by now. */
function collectDue(state: TransferState, bytes: number): void {
  state.garbage += bytes;
  if (state.garbage < garbageBytes) return;
  state.garbage = 0;
  collectGarbage();
}

/** The part of Bun that is used. */
interface BunGlobal {
  readonly Bun?: { gc(isSynchronous: boolean): void };
}

/**
 * Frees buffers that nothing uses any more, in about ten milliseconds. Only Bun needs that, which lets them grow until
 * its heap has doubled, and on a machine with much memory twice more.
 */
function collectGarbage(): void {
  (globalThis as BunGlobal).Bun?.gc(true);
}

interface Addressed {
  readonly parcel: Parcel;
  readonly lane: Lane;
}

/** Includes the partitions in the transaction; returns what may be written to those that are not refused. */
async function admit(
  { transfer, writing, pool }: TransferState,
  all: readonly Addressed[],
  { step, position, trail }: Pick<ParcelOrigin, 'step' | 'position' | 'trail'>,
): Promise<readonly Addressed[]> {
  const { transactions, onLeft } = transfer.destination;
  if (transactions === undefined) return all;
  const include = (some: readonly Addressed[]): Promise<void> =>
    whileTopicsUnknown(writing, 'AddPartitionsToTxn', () =>
      transactions.include(some.map(({ lane: { topic, partition } }) => ({ topic, partition }))),
    );
  try {
    await include(all);
    return all;
  } catch (error) {
    if (!isForbidden(error) || onLeft === undefined) throw error;
  }
  const admitted: Addressed[] = [];
  for (const one of all) {
    try {
      await include([one]);
      admitted.push(one);
    } catch (error) {
      if (!isForbidden(error)) throw error;
      const { writer } = one.parcel;
      const refusal = { code: codes.TOPIC_AUTHORIZATION_FAILED, reason: undefined, indexes: [] };
      onLeft({ position, offsets: pool.offsets.get(writer) ?? [], topic: one.lane.topic }, refusal);
      trail.acknowledge(step);
      pool.release(writer);
    }
  }
  return admitted;
}
