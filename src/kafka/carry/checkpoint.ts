import { CliError } from '../../errors.ts';
import { outsider } from '../streams/groups/commits.ts';
import { isDamage } from './failures.ts';
import { groupInUse, storeOffsets } from './stored-offsets.ts';
import { followJump, type TransferState } from './transfer.ts';
import { confirmTopics, isSettled, until, whileTopicsUnknown } from './writing.ts';

/**
 * How often progress is stored, in milliseconds: what a killed process writes again without transactions. At first sooner, and
 * then after twice the time: also a process that is killed again and again gets ahead.
 */
export const firstStoreMs = 50;
const mostStoreMs = 1_000;
/**
 * How often the progress of all partitions is stored, whether they got further or not, in milliseconds: brokers forget
 * each offset of a group without members by the time of its own commit. The least that `offsets.retention.minutes` can be is one.
 */
const storeAllEveryMs = 30_000;

/** Stores progress if that is due; without transactions, writing goes on meanwhile. */
export async function storeIfDue(state: TransferState): Promise<void> {
  const { client, transfer, membership, storeMs } = state;
  const now = client.options.deadline.clock.now();
  if (now < state.storeAt) return;
  state.storeAt = now + storeMs;
  if (transfer.destination.transactions !== undefined) {
    return await (membership === undefined ? store(state) : finish(state));
  }
  state.storeMs = Math.min(storeMs * 2, mostStoreMs);
  state.storing = state.storing
    .then(() => store(state))
    .catch((error: unknown) => {
      // The next heartbeat has the member join again.
      if (membership === undefined || !isRefused(error)) state.failure ??= error;
      state.fetcher.wake();
    });
}

/** Waits until everything is written, and stores that. In a group, others may own the partitions by now. */
export async function finish(state: TransferState): Promise<void> {
  const { writing, transfer, membership, parts } = state;
  await until(writing, () => isSettled(writing));
  await state.storing;
  try {
    await store(state);
  } catch (error) {
    if (membership === undefined || !isRefused(error)) throw error;
    for (const position of parts.keys()) position.done = true;
    parts.clear();
    await transfer.destination.transactions?.abort();
    membership.requestRejoin();
  }
}

/** Carries what is before damage, so that the next run begins with it; then fails. */
export async function finishBefore(state: TransferState, error: unknown): Promise<never> {
  if (isDamage(error)) await finish(state);
  throw error;
}

function isRefused(error: unknown): boolean {
  return error instanceof CliError && error.code === groupInUse;
}

/** Stores how far the partitions are carried; in a transaction, together with what was written. */
export async function store(state: TransferState): Promise<void> {
  const { writing, transfer } = state;
  const { isDry, transactions } = transfer.destination;
  if (isDry) return;
  if (transactions !== undefined) await until(writing, () => isSettled(writing));
  if (transactions?.isOpen) await confirmTopics(writing);
  await storeReached(state);
}

/** Stores what is acknowledged; in a transaction, nothing may be in flight. */
export async function storeReached(state: TransferState): Promise<void> {
  const { client, writing, parts, transfer } = state;
  const { client: target, transactions } = transfer.destination;
  const now = client.options.deadline.clock.now();
  // There may be no record after a jump for long; nothing else moves what counts as printed.
  for (const part of parts.values()) {
    const { jumps, printed } = part.position;
    followJump(transfer, part, { jumps, offset: printed });
  }
  const isAllDue = now >= state.storeAllAt;
  const due = [...parts.values()].filter(({ trail, stored }) => isAllDue || trail.reached !== stored);
  const reached = new Map(due.map((part) => [part, part.trail.reached]));
  const committer = committerOf(state);
  const offsets = transfer.progress.offsets(due);
  const kept = { ...writing.written };
  await whileTopicsUnknown(writing, transactions === undefined ? 'OffsetCommit' : 'TxnOffsetCommit', () =>
    transactions === undefined ? storeOffsets(target, committer, offsets) : transactions.commit(committer, offsets),
  );
  state.stored = kept;
  if (isAllDue) state.storeAllAt = now + storeAllEveryMs;
  for (const [part, offset] of reached) part.stored = offset;
}

/** Stores what can be told after a failure. */
export async function storeLast(state: TransferState): Promise<void> {
  const { transfer, parts, writing } = state;
  const { client: target, isDry } = transfer.destination;
  const { lastOffsets } = transfer.progress;
  if (lastOffsets === undefined || isDry) return await store(state);
  const offsets = lastOffsets([...parts.values()], writing.batches.values());
  const stored = { ...writing.written };
  await storeOffsets(target, committerOf(state), offsets);
  state.stored = stored;
}

function committerOf({ membership, transfer }: TransferState) {
  return membership?.committer ?? outsider(transfer.progress.group);
}
