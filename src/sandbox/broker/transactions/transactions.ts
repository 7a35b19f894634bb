import { codes } from '../../../kafka/protocol/wire/error-codes.ts';
import type { Cluster, ProducerIdentity, Transaction, Transactions } from '../cluster-parts.ts';
import { writeMarkers } from './markers.ts';

/** Creates coordinators without transactional ids. */
export function createTransactions(cluster: () => Cluster): Transactions {
  const known = new Map<string, Transaction>();
  const admitted = (id: string, producer: ProducerIdentity): Transaction | number => {
    const found = known.get(id);
    if (found === undefined || found.producerId !== producer.producerId) return codes.INVALID_PRODUCER_ID_MAPPING;
    return found.epoch === producer.epoch ? found : codes.PRODUCER_FENCED;
  };
  const add = (id: string, producer: ProducerIdentity, into: (found: Transaction) => void): number => {
    const found = admitted(id, producer);
    if (typeof found === 'number') return found;
    if (isEnding(found)) return codes.CONCURRENT_TRANSACTIONS;
    begin(cluster(), found);
    into(found);
    return codes.NONE;
  };
  return {
    get: (id) => known.get(id),
    all: () => known.values(),
    init: (id, timeoutMs, current) => init(cluster(), transactionOf(cluster(), known, id), { timeoutMs, current }),
    addPartitions: (id, producer, partitions) =>
      add(id, producer, (found) => {
        for (const partition of partitions) found.partitions.add(partition);
      }),
    addGroup: (id, producer, group) => add(id, producer, (found) => void found.groups.add(group)),
    end(id, producer, committed) {
      const found = admitted(id, producer);
      return typeof found === 'number' ? found : endByClient(cluster(), found, committed);
    },
    verify(id, producer, partition) {
      if (id === undefined) return codes.INVALID_TXN_STATE;
      const found = admitted(id, producer);
      if (typeof found === 'number') {
        return found === codes.PRODUCER_FENCED ? codes.INVALID_PRODUCER_EPOCH : found;
      }
      if (isEnding(found)) return codes.NOT_ENOUGH_REPLICAS;
      return found.partitions.has(partition) ? codes.NONE : codes.INVALID_TXN_STATE;
    },
  };
}

function isEnding({ state }: Transaction): boolean {
  return state === 'PrepareCommit' || state === 'PrepareAbort';
}

function transactionOf(cluster: Cluster, known: Map<string, Transaction>, id: string): Transaction {
  const found = known.get(id);
  if (found !== undefined) return found;
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
  known.set(id, made);
  return made;
}

interface Init {
  readonly timeoutMs: number;
  readonly current: ProducerIdentity;
}

/** Initializes a producer. One that sends its identity may continue after an error; any other fences it (KIP-360). */
function init(
  cluster: Cluster,
  found: Transaction,
  { timeoutMs, current }: Init,
): ProducerIdentity & { readonly errorCode: number } {
  const refused = (errorCode: number) => ({ errorCode, producerId: -1n, epoch: -1 });
  const isNamed = current.producerId >= 0n;
  if (isNamed && !isOwn(found, current)) return refused(codes.PRODUCER_FENCED);
  if (isEnding(found)) return refused(codes.CONCURRENT_TRANSACTIONS);
  if (found.state === 'Ongoing') {
    // A producer with an outdated epoch must not end another producer's transaction.
    if (isNamed && current.epoch !== found.epoch) return refused(codes.PRODUCER_FENCED);
    abortAndFence(cluster, found);
    return refused(codes.CONCURRENT_TRANSACTIONS);
  }
  if (!isNamed || found.epoch === -1 || current.epoch === found.epoch) renew(cluster, found, isNamed);
  else if (current.epoch !== found.lastEpoch) return refused(codes.PRODUCER_FENCED);
  found.timeoutMs = timeoutMs;
  found.state = 'Empty';
  return { errorCode: codes.NONE, producerId: found.producerId, epoch: found.epoch };
}

/** Gives the producer its next epoch, or a new id once the epochs of the old one are used up. */
function renew(cluster: Cluster, found: Transaction, isNamed: boolean): void {
  found.lastEpoch = isNamed ? found.epoch : -1;
  found.epoch += 1;
  if (!isExhausted(found.epoch - 1)) return;
  found.lastProducerId = found.producerId;
  found.producerId = cluster.nextProducerId();
  found.epoch = 0;
}

function isOwn(found: Transaction, current: ProducerIdentity): boolean {
  if (found.epoch === -1 || current.producerId === found.producerId) return true;
  return current.producerId === found.lastProducerId && isExhausted(current.epoch);
}

function begin(cluster: Cluster, found: Transaction): void {
  if (found.state === 'Ongoing') return;
  found.state = 'Ongoing';
  found.startedAt = cluster.clock.wallTime();
  found.cancelTimeout = cluster.clock.after(found.timeoutMs, () => abortAndFence(cluster, found));
}

/** Aborts a transaction in a new epoch that no producer gets, which fences the producer that opened it. */
function abortAndFence(cluster: Cluster, found: Transaction): void {
  found.epoch += 1;
  finish(cluster, found, false);
}

function endByClient(cluster: Cluster, found: Transaction, committed: boolean): number {
  const isWanted = found.state.endsWith(committed ? 'Commit' : 'Abort');
  if (found.state === 'Ongoing') {
    finish(cluster, found, committed);
    return codes.NONE;
  }
  if (found.state === 'Empty' || !isWanted) return codes.INVALID_TXN_STATE;
  return isEnding(found) ? codes.CONCURRENT_TRANSACTIONS : codes.NONE;
}

function finish(cluster: Cluster, found: Transaction, committed: boolean): void {
  found.cancelTimeout?.();
  found.cancelTimeout = undefined;
  found.state = committed ? 'PrepareCommit' : 'PrepareAbort';
  writeMarkers(cluster, found, committed, () => {
    found.partitions.clear();
    found.groups.clear();
    found.startedAt = -1;
    found.state = committed ? 'CompleteCommit' : 'CompleteAbort';
  });
}

/** Checks whether an epoch must be followed by a new producer id. */
function isExhausted(epoch: number): boolean {
  return epoch >= 32_766;
}
