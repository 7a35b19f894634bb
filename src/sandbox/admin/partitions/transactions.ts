import { param, type Reply } from '../../http/reply.ts';
import { AdminError, badRequest, notFound } from '../admin-error.ts';
import { type AdminRequest, by, done, numberQuery, ok, type Route, route } from '../request.ts';
import type { Partition, PartitionTransaction } from '../state.ts';
import type { World } from '../world.ts';
import { partitionOf } from './cluster-partitions.ts';
import { coordinatorOf, coordinatorTopic } from './coordinator.ts';
import { nameOf } from './partition.ts';

const toPartition = { level: 'user', duty: 'to-partition' } as const;
const toCoordinator = { level: 'user', duty: 'to-coordinator' } as const;

/** The routes of transactions, of partitions and of their coordinators. */
export const transactionRoutes: readonly Route[] = [
  route(
    'partitions.transactions',
    'GET /v1/partitions/{ns}/{topic}/{partition}/transactions',
    toPartition,
    partitionTransactions,
  ),
  route(
    'partitions.expire_transaction',
    'POST /v1/partitions/{ns}/{topic}/{partition}/mark_transaction_expired',
    { level: 'superuser', duty: 'to-partition' },
    expire,
  ),
  route('transactions.list', 'GET /v1/transactions', toCoordinator, list),
  route(
    'transactions.find_coordinator',
    'GET /v1/transaction/{transactional_id}/find_coordinator',
    by.user,
    findCoordinator,
  ),
  route(
    'transactions.delete_partition',
    'POST /v1/transaction/{transactional_id}/delete_partition',
    toCoordinator,
    deletePartition,
  ),
];

function show({ clock }: World, transaction: PartitionTransaction) {
  const { producerId, producerEpoch, lsoBound, timeoutMs, updatedAt, status } = transaction;
  return {
    producer_id: { id: producerId, epoch: producerEpoch },
    lso_bound: lsoBound,
    staleness_ms: clock.now() - updatedAt,
    timeout_ms: timeoutMs,
    status,
  };
}

function partitionTransactions(world: World, request: AdminRequest): Reply {
  const { active, expired } = partitionOf(world, request).transactions;
  return ok({
    active_transactions: active.map((one) => show(world, one)),
    expired_transactions: expired.map((one) => show(world, one)),
  });
}

function expire(world: World, request: AdminRequest): Reply {
  const { transactions } = partitionOf(world, request);
  const [id, epoch] = [numberQuery(request, 'id'), numberQuery(request, 'epoch')];
  if (id === undefined || epoch === undefined) throw badRequest('the parameters id and epoch are required');
  const isIt = (one: PartitionTransaction) => one.producerId === id && one.producerEpoch === epoch;
  const matches = transactions.active.filter(isIt);
  if (matches.length === 0) throw notFound(`producer ${id} with epoch ${epoch} has no transaction here`);
  transactions.active = transactions.active.filter((one) => !isIt(one));
  transactions.expired = [...transactions.expired, ...matches.map((one) => ({ ...one, status: 'expired' }))];
  return done;
}

function list(world: World, request: AdminRequest): Reply {
  const id = numberQuery(request, 'coordinator_partition_id');
  const { coordinated } = world.state;
  const ofNode = [...coordinated].filter(([name]) => coordinatorOf(world, name) === id);
  return ok(
    ofNode.map(([name, transaction]) => ({
      transactional_id: name,
      pid: { id: transaction.producerId, epoch: transaction.producerEpoch },
      tx_seq: transaction.sequence,
      etag: transaction.etag,
      status: transaction.status,
      timeout_ms: transaction.timeoutMs,
      staleness_ms: world.clock.now() - transaction.updatedAt,
      partitions: transaction.partitions.map(({ ns, topic, partition, etag }) => ({
        ns,
        topic,
        partition_id: partition,
        etag,
      })),
      groups: transaction.groups.map(({ id: group, etag }) => ({ group_id: group, etag })),
    })),
  );
}

// `ec` is an error code; 0 means none. The documents do not list its other values.
function findCoordinator(world: World, request: AdminRequest): Reply {
  const id = coordinatorOf(world, param(request, 'transactional_id'));
  const partition: Partition | undefined = world.state.partitions.get(nameOf({ ...coordinatorTopic, id }));
  if (partition === undefined) throw new AdminError(503, 'the coordinator is not known');
  const { ns, topic } = coordinatorTopic;
  return ok({ coordinator: partition.leader ?? -1, ntp: { ns, topic, partition: id }, ec: 0 });
}

function deletePartition({ state }: World, request: AdminRequest): Reply {
  const name = param(request, 'transactional_id');
  const transaction = state.coordinated.get(name);
  if (transaction === undefined) throw notFound(`transactional id "${name}" does not exist`);
  const ns = request.query.get('namespace') ?? '';
  const topic = request.query.get('topic') ?? '';
  const [partition, etag] = [numberQuery(request, 'partition_id'), numberQuery(request, 'etag')];
  if (ns === '' || topic === '' || partition === undefined || etag === undefined)
    throw badRequest('the parameters namespace, topic, partition_id and etag are required');
  const isIt = (one: (typeof transaction.partitions)[number]) =>
    one.ns === ns && one.topic === topic && one.partition === partition;
  const row = transaction.partitions.find(isIt);
  if (row === undefined) throw badRequest('the partition is not in the transaction');
  if (row.etag !== etag) throw new AdminError(422, 'the transaction has changed');
  state.coordinated.set(name, { ...transaction, partitions: transaction.partitions.filter((one) => !isIt(one)) });
  return done;
}
