import { once } from '../once.ts';
import type { Client } from './client/client.ts';
import { openClient } from './client/open-client.ts';
import { clusterInfo, isRedpanda } from './cluster/cluster.ts';
import { clusterHealth } from './cluster/health.ts';
import type { KafkaOptions } from './options.ts';
import { describeTopics } from './topics/descriptions.ts';
import { createTopics, deleteTopics, listTopics } from './topics/topics.ts';

const brokerConfigs = () => import('./cluster/broker-configs.ts');
const moves = () => import('./topics/reassignment/reassignments.ts');
const ongoing = () => import('./topics/reassignment/ongoing.ts');
const transactions = () => import('./transactions/transactions.ts');
const hanging = () => import('./transactions/hanging.ts');

/**
 * The broker data API for commands: calls return rows, and every item carries its own error. Each call is a function beside
 * its rows that gets the client.
 */
export type Kafka = ReturnType<typeof openKafka>;

/** Opens the broker data API for commands. Reads no files and dials no broker before the first call. */
export function openKafka(options: KafkaOptions) {
  const client = openClient(options);
  const soon =
    <A extends unknown[], R>(call: (client: Client, ...args: A) => R) =>
    (...args: A): R =>
      call(client, ...args);
  /** For a call whose module is loaded on first use. */
  const late =
    <A extends unknown[], R>(load: () => Promise<(client: Client, ...args: A) => R>) =>
    async (...args: A): Promise<Awaited<R>> =>
      await (await load())(client, ...args);
  return {
    createTopics: soon(createTopics),
    deleteTopics: soon(deleteTopics),
    listTopics: soon(listTopics),
    describeTopics: soon(describeTopics),
    listGroups: late(async () => (await import('./group-admin/descriptions.ts')).listReaders),
    describeGroups: late(async () => (await import('./group-admin/descriptions.ts')).describeGroups),
    matchGroups: late(async () => (await import('./group-admin/listing.ts')).matchingGroups),
    deleteGroups: late(async () => (await import('./group-admin/deletion.ts')).deleteGroups),
    deleteOffsets: late(async () => (await import('./group-admin/offset-deletion.ts')).deleteOffsets),
    planSeek: late(async () => (await import('./group-admin/seek-plan.ts')).planSeek),
    seekGroup: late(async () => (await import('./group-admin/seek.ts')).seekGroup),
    watchLag: late(async () => (await import('./group-admin/lag-watch.ts')).watchLag),
    alterTopicConfigs: late(async () => (await import('./topics/alter-configs.ts')).alterTopicConfigs),
    planGrowth: late(async () => (await import('./topics/add-partitions.ts')).planGrowth),
    addPartitions: late(async () => (await import('./topics/add-partitions.ts')).addPartitions),
    planTrim: late(async () => (await import('./topics/trim.ts')).planTrim),
    trim: late(async () => (await import('./topics/trim.ts')).trim),
    electLeaders: late(async () => (await import('./topics/elections.ts')).electLeaders),
    analyzeTopics: late(async () => (await import('./topics/analysis/analyze.ts')).analyzeTopics),
    planReassignment: late(async () => (await import('./topics/reassignment/plan.ts')).planReassignment),
    planMoves: late(async () => (await moves()).planMoves),
    reassign: late(async () => (await moves()).reassign),
    settledReassignments: late(async () => (await moves()).settledReassignments),
    listReassignments: late(async () => (await ongoing()).listReassignments),
    watchReassignments: late(async () => (await ongoing()).watchReassignments),
    cancelReassignments: late(async () => (await moves()).cancelReassignments),
    unthrottle: late(async () => (await import('./topics/reassignment/unthrottle.ts')).unthrottle),
    clusterInfo: soon(clusterInfo),
    isRedpanda: once(() => isRedpanda(client)),
    createAcls: late(async () => (await import('./access/acls.ts')).createAcls),
    listAcls: late(async () => (await import('./access/acls.ts')).listAcls),
    deleteAcls: late(async () => (await import('./access/acls.ts')).deleteAcls),
    listUsers: late(async () => (await import('./access/users.ts')).listUsers),
    setPassword: late(async () => (await import('./access/users.ts')).setPassword),
    deleteUsers: late(async () => (await import('./access/users.ts')).deleteUsers),
    explainAccess: late(async () => (await import('./access/explain.ts')).explainAccess),
    clusterHealth: soon(clusterHealth),
    overviewRounds: late(async () => (await import('./overview/rounds.ts')).createRounds),
    describeBrokerConfigs: late(async () => (await brokerConfigs()).describeBrokerConfigs),
    setBrokerConfig: late(async () => (await brokerConfigs()).setBrokerConfig),
    clusterFeatures: late(async () => (await import('./cluster/features.ts')).clusterFeatures),
    describeLogDirs: late(async () => (await import('./cluster/log-dirs.ts')).describeLogDirs),
    describeQuotas: late(async () => (await import('./quotas/quotas.ts')).describeQuotas),
    alterQuotas: late(async () => (await import('./quotas/quotas.ts')).alterQuotas),
    listTransactions: late(async () => (await transactions()).listTransactions),
    describeTransactions: late(async () => (await transactions()).describeTransactions),
    abortTransactions: late(async () => (await transactions()).abortTransactions),
    describeProducers: late(async () => (await import('./transactions/producers.ts')).describeProducers),
    findHanging: late(async () => (await hanging()).findHanging),
    findOpenTransactions: late(async () => (await hanging()).findOpenTransactions),
    copyTopics: late(async () => (await import('./copy/copy.ts')).copyTopics),
    redrive: late(async () => (await import('./redrive/redrive.ts')).redrive),
    consume: late(async () => (await import('./consume/open.ts')).consume),
    produce: late(async () => (await import('./produce/produce.ts')).produce),
    /** For a call that also concerns another cluster. */
    client,
    /** Closes every connection at once. */
    close: () => client.close(),
  };
}
