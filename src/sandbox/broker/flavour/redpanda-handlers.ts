import { alterPartitionReassignments } from '../../../kafka/protocol/wire/apis/alter-partition-reassignments.ts';
import { describeLogDirs } from '../../../kafka/protocol/wire/apis/describe-log-dirs.ts';
import { describeTransactions } from '../../../kafka/protocol/wire/apis/describe-transactions.ts';
import { listPartitionReassignments } from '../../../kafka/protocol/wire/apis/list-partition-reassignments.ts';
import { listTransactions } from '../../../kafka/protocol/wire/apis/list-transactions.ts';
import { codes } from '../../../kafka/protocol/wire/error-codes.ts';
import { createAclHandlers } from '../access/acls.ts';
import { createQuotaHandlers } from '../access/quotas.ts';
import { createUserHandlers } from '../access/users.ts';
import type { Cluster, Partition, Problem } from '../cluster-parts.ts';
import { eachPartition, type Handler, handler } from '../serve/handler.ts';
import type { Moves } from './moves.ts';
import { dataDirectory } from './redpanda-configs.ts';

/** Creates the handlers that only Redpanda's brokers have in the model; paths are those in its `src/v/kafka/server`. */
export function createRedpandaHandlers(moves: Moves): readonly Handler[] {
  return [
    logDirsHandler,
    listTransactionsHandler,
    describeTransactionsHandler,
    alterHandler(moves),
    listHandler(moves),
    ...createUserHandlers(),
    ...createAclHandlers(),
    ...createQuotaHandlers(),
  ];
}

/**
 * handlers/describe_log_dirs.cc: the directory, and after it the bucket, where every replica reports the whole remote log.
 * Without permission the topics are left out, without an error (:157).
 */
const logDirsHandler = handler(describeLogDirs, {
  handle({ cluster, broker }, { topics: asked }) {
    const { bucket, mayDescribeCluster } = cluster.settings.redpanda;
    const directory = (logDir: string, topics: ReturnType<typeof sizes>) => ({ errorCode: codes.NONE, logDir, topics });
    const remote = `remote://${bucket}`;
    if (!mayDescribeCluster)
      return { errorCode: codes.NONE, results: [directory(dataDirectory, []), directory(remote, [])] };
    const held = sizes(cluster, broker, asked);
    const isRemote = bucket !== '' && held.length > 0;
    return {
      errorCode: codes.NONE,
      results: [directory(dataDirectory, held), ...(isRemote ? [directory(remote, held)] : [])],
    };
  },
  refuse: (_request, errorCode) => ({ errorCode, results: [] }),
});

type AskedTopics = readonly { readonly topic: string; readonly partitions: readonly number[] }[] | undefined;

function sizes({ topics }: Cluster, broker: number, asked: AskedTopics) {
  const isAsked = ({ topic, index }: Partition): boolean =>
    asked?.some((one) => one.topic === topic.name && one.partitions.includes(index)) ?? true;
  return [...topics.all()].flatMap(({ name, partitions }) => {
    const rows = partitions.filter(isAsked).flatMap(({ index: partitionIndex, logs }) => {
      const size = logs.get(broker)?.batches.reduce((sum, { bytes }) => sum + bytes.length, 0);
      if (size === undefined) return [];
      return [{ partitionIndex, partitionSize: BigInt(size), offsetLag: 0n, isFutureKey: false }];
    });
    return rows.length === 0 ? [] : [{ name, partitions: rows }];
  });
}

/**
 * handlers/list_transactions: empty from a broker that lacks a replica of any partition of the coordinators' topic
 * (`cluster/tx_gateway_frontend.cc:2725`).
 */
const listTransactionsHandler = handler(listTransactions, {
  handle({ cluster, broker }) {
    const log = cluster.topics.get('__transaction_state')?.partitions ?? [];
    const isAble = log.every(({ logs }) => logs.has(broker));
    const own = [...cluster.transactions.all()].filter(({ id }) => isCoordinator(cluster, broker, id));
    return {
      errorCode: codes.NONE,
      unknownStateFilters: [],
      transactionStates: (isAble ? own : []).map(({ id, producerId, state }) => ({
        transactionalId: id,
        producerId,
        transactionState: state,
      })),
    };
  },
  refuse: (_request, errorCode) => ({ errorCode, unknownStateFilters: [], transactionStates: [] }),
});

function isCoordinator({ coordinators }: Cluster, broker: number, id: string): boolean {
  return coordinators.check(broker, 'transaction', id) === codes.NONE;
}

const describeTransactionsHandler = handler(describeTransactions, {
  handle: ({ cluster, broker }, { transactionalIds }) => ({
    transactionStates: transactionalIds.map((id) => {
      const transaction = cluster.transactions.get(id);
      const code = cluster.coordinators.check(broker, 'transaction', id);
      if (code !== codes.NONE) return undescribed(id, code);
      if (transaction === undefined) return undescribed(id, codes.TRANSACTIONAL_ID_NOT_FOUND);
      const {
        producerId,
        epoch: producerEpoch,
        state: transactionState,
        timeoutMs,
        startedAt,
        partitions,
      } = transaction;
      const topics = Map.groupBy(partitions, ({ topic }) => topic.name);
      return {
        ...{ ...undescribed(id, codes.NONE), producerId, producerEpoch, transactionState },
        ...{ transactionTimeoutMs: timeoutMs, transactionStartTimeMs: BigInt(startedAt) },
        topics: [...topics].map(([topic, rows]) => ({ topic, partitions: rows.map(({ index }) => index) })),
      };
    }),
  }),
  refuse: ({ transactionalIds }, code) => ({ transactionStates: transactionalIds.map((id) => undescribed(id, code)) }),
});

function undescribed(transactionalId: string, errorCode: number) {
  return {
    errorCode,
    transactionalId,
    transactionState: '',
    transactionTimeoutMs: 0,
    transactionStartTimeMs: -1n,
    producerId: -1n,
    producerEpoch: -1,
    topics: [] as { topic: string; partitions: number[] }[],
  };
}

/** handlers/alter_partition_reassignments.cc:95 */
function alterHandler(moves: Moves): Handler {
  return handler(alterPartitionReassignments, {
    handle: ({ cluster }, { topics }) => {
      const answers = eachPartition(topics, ({ partitionIndex, replicas }, { name }) => {
        const problem = alter(cluster, moves, {
          partition: cluster.topics.get(name)?.partitions[partitionIndex],
          replicas,
        });
        return { partitionIndex, errorCode: problem?.code ?? codes.NONE, errorMessage: problem?.message };
      });
      return { errorCode: codes.NONE, errorMessage: undefined, responses: answers.topics };
    },
    refuse: (_request, errorCode) => ({ errorCode, errorMessage: undefined, responses: [] }),
  });
}

interface Alteration {
  readonly partition: Partition | undefined;
  readonly replicas: readonly number[] | undefined;
}

function alter(cluster: Cluster, moves: Moves, { partition, replicas }: Alteration): Problem | undefined {
  if (partition === undefined)
    return { code: codes.UNKNOWN_TOPIC_OR_PARTITION, message: 'Topic or partition is undefined' };
  if (replicas === undefined) {
    const message = 'no update in progress';
    return moves.cancel(cluster, partition) ? undefined : { code: codes.NO_REASSIGNMENT_IN_PROGRESS, message };
  }
  if (replicas.length === 0 || new Set(replicas).size < replicas.length || !replicas.every(cluster.isUp)) {
    const message = 'Replica assignment has brokers that are not alive';
    return { code: codes.INVALID_REPLICA_ASSIGNMENT, message };
  }
  if (replicas.length !== partition.replicas.length) {
    const message = 'Number of replicas does not match the topic replication factor';
    return { code: codes.INVALID_REPLICATION_FACTOR, message };
  }
  const message = 'update in progress';
  return moves.start(cluster, partition, replicas) ? undefined : { code: codes.REASSIGNMENT_IN_PROGRESS, message };
}

/** handlers/list_partition_reassignments.cc:35: the replicas are those at the end, without those that are removed. */
function listHandler(moves: Moves): Handler {
  return handler(listPartitionReassignments, {
    handle(_context, { topics: asked }) {
      const byTopic = Map.groupBy(moves.ongoing(), ([{ topic }]) => topic.name);
      const chosen = [...byTopic].filter(([name]) => asked?.some((one) => one.name === name) ?? true);
      return {
        errorCode: codes.NONE,
        errorMessage: undefined,
        topics: chosen.map(([name, rows]) => ({
          name,
          partitions: rows.map(([{ index: partitionIndex, replicas }, previous]) => ({
            partitionIndex,
            replicas,
            addingReplicas: replicas.filter((id) => !previous.includes(id)),
            removingReplicas: previous.filter((id) => !replicas.includes(id)),
          })),
        })),
      };
    },
    refuse: (_request, errorCode) => ({ errorCode, errorMessage: undefined, topics: [] }),
  });
}
