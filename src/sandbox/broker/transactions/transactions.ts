import { codes } from '../../../kafka/protocol/wire/error-codes.ts';
import type { Cluster, ProducerIdentity, Transaction, Transactions } from '../cluster-parts.ts';
import { writeMarkers } from './markers.ts';

/** Creates coordinators without transactional ids. */
export function createTransactions(cluster: () => Cluster): Transactions {
  const transactions = new Map<string, Transaction>();
  const admit = (id: string, producer: ProducerIdentity): Transaction | number => {
    const transaction = transactions.get(id);
    if (transaction === undefined || transaction.producerId !== producer.producerId)
      return codes.INVALID_PRODUCER_ID_MAPPING;
    return transaction.epoch === producer.epoch ? transaction : codes.PRODUCER_FENCED;
  };
  const add = (id: string, producer: ProducerIdentity, into: (transaction: Transaction) => void): number => {
    const transaction = admit(id, producer);
    if (typeof transaction === 'number') return transaction;
    if (isEnding(transaction)) return codes.CONCURRENT_TRANSACTIONS;
    begin(cluster(), transaction);
    into(transaction);
    return codes.NONE;
  };
  return {
    get: (id) => transactions.get(id),
    all: () => transactions.values(),
    init: (id, timeoutMs, current) =>
      init(cluster(), transactionOf(cluster(), transactions, id), { timeoutMs, current }),
    addPartitions: (id, producer, partitions) =>
      add(id, producer, (transaction) => {
        for (const partition of partitions) transaction.partitions.add(partition);
      }),
    addGroup: (id, producer, group) => add(id, producer, (transaction) => void transaction.groups.add(group)),
    end(id, producer, committed) {
      const transaction = admit(id, producer);
      return typeof transaction === 'number' ? transaction : endByClient(cluster(), transaction, committed);
    },
    verify(id, producer, partition) {
      if (id === undefined) return codes.INVALID_TXN_STATE;
      const transaction = admit(id, producer);
      if (typeof transaction === 'number') {
        return transaction === codes.PRODUCER_FENCED ? codes.INVALID_PRODUCER_EPOCH : transaction;
      }
      if (isEnding(transaction)) return codes.NOT_ENOUGH_REPLICAS;
      return transaction.partitions.has(partition) ? codes.NONE : codes.INVALID_TXN_STATE;
    },
  };
}

function isEnding({ state }: Transaction): boolean {
  return state === 'PrepareCommit' || state === 'PrepareAbort';
}

function transactionOf(cluster: Cluster, transactions: Map<string, Transaction>, id: string): Transaction {
  const transaction = transactions.get(id);
  if (transaction !== undefined) return transaction;
  const made: Transaction = {
    id,
    producerId: cluster.nextProducerId(),
    lastProducerId: -1n,
    epoch: -1,
    lastEpoch: -1,
    timeoutMs: 0,
    state: 'Empty',
    partitions: new Set(),
    groups: new Set(),
    startedAt: -1,
    cancelTimeout: undefined,
  };
  transactions.set(id, made);
  return made;
}

interface Init {
  readonly timeoutMs: number;
  readonly current: ProducerIdentity;
}

/** Initializes a producer. One that sends its identity may continue after an error; any other fences it (KIP-360). */
function init(
  cluster: Cluster,
  transaction: Transaction,
  { timeoutMs, current }: Init,
): ProducerIdentity & { readonly errorCode: number } {
  const refused = (errorCode: number) => ({ errorCode, producerId: -1n, epoch: -1 });
  const isNamed = current.producerId >= 0n;
  if (isNamed && !isOwner(transaction, current)) return refused(codes.PRODUCER_FENCED);
  if (isEnding(transaction)) return refused(codes.CONCURRENT_TRANSACTIONS);
  if (transaction.state === 'Ongoing') {
    // A producer with an outdated epoch must not end another producer's transaction.
    if (isNamed && current.epoch !== transaction.epoch) return refused(codes.PRODUCER_FENCED);
    abortAndFence(cluster, transaction);
    return refused(codes.CONCURRENT_TRANSACTIONS);
  }
  if (!isNamed || transaction.epoch === -1 || current.epoch === transaction.epoch) renew(cluster, transaction, isNamed);
  else if (current.epoch !== transaction.lastEpoch) return refused(codes.PRODUCER_FENCED);
  transaction.timeoutMs = timeoutMs;
  transaction.state = 'Empty';
  return { errorCode: codes.NONE, producerId: transaction.producerId, epoch: transaction.epoch };
}

/** Gives the producer its next epoch, or a new id once the epochs of the old one are used up. */
function renew(cluster: Cluster, transaction: Transaction, isNamed: boolean): void {
  transaction.lastEpoch = isNamed ? transaction.epoch : -1;
  transaction.epoch += 1;
  if (!isExhausted(transaction.epoch - 1)) return;
  transaction.lastProducerId = transaction.producerId;
  transaction.producerId = cluster.nextProducerId();
  transaction.epoch = 0;
}

function isOwner(transaction: Transaction, current: ProducerIdentity): boolean {
  if (transaction.epoch === -1 || current.producerId === transaction.producerId) return true;
  return current.producerId === transaction.lastProducerId && isExhausted(current.epoch);
}

function begin(cluster: Cluster, transaction: Transaction): void {
  if (transaction.state === 'Ongoing') return;
  transaction.state = 'Ongoing';
  transaction.startedAt = cluster.clock.wallTime();
  transaction.cancelTimeout = cluster.clock.after(transaction.timeoutMs, () => abortAndFence(cluster, transaction));
}

/** Aborts a transaction in a new epoch that no producer gets, which fences the producer that opened it. */
function abortAndFence(cluster: Cluster, transaction: Transaction): void {
  transaction.epoch += 1;
  finish(cluster, transaction, false);
}

function endByClient(cluster: Cluster, transaction: Transaction, committed: boolean): number {
  const isWanted = transaction.state.endsWith(committed ? 'Commit' : 'Abort');
  if (transaction.state === 'Ongoing') {
    finish(cluster, transaction, committed);
    return codes.NONE;
  }
  if (transaction.state === 'Empty' || !isWanted) return codes.INVALID_TXN_STATE;
  return isEnding(transaction) ? codes.CONCURRENT_TRANSACTIONS : codes.NONE;
}

function finish(cluster: Cluster, transaction: Transaction, committed: boolean): void {
  transaction.cancelTimeout?.();
  transaction.cancelTimeout = undefined;
  transaction.state = committed ? 'PrepareCommit' : 'PrepareAbort';
  writeMarkers(cluster, transaction, committed, () => {
    transaction.partitions.clear();
    transaction.groups.clear();
    transaction.startedAt = -1;
    transaction.state = committed ? 'CompleteCommit' : 'CompleteAbort';
  });
}

/** Checks whether an epoch must be followed by a new producer id. */
function isExhausted(epoch: number): boolean {
  return epoch >= 32_766;
}
