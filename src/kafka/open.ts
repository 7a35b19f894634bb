import { clusterInfo } from './cluster/brokers/cluster.ts';
import { clusterHealth } from './cluster/brokers/health.ts';
import { describeTopics } from './cluster/topics/descriptions.ts';
import { createTopics, deleteTopics, listTopics, topicSizes, validateTopics } from './cluster/topics/topics.ts';
import type { Client } from './protocol/client/client.ts';
import { openClient } from './protocol/client/open-client.ts';
import type { KafkaOptions } from './protocol/options.ts';

const brokerConfigs = () => import('./cluster/brokers/broker-configs.ts');
const topicConfigs = () => import('./cluster/topics/alter-configs.ts');
const namedConfigs = () => import('./cluster/named-configs.ts');
const moves = () => import('./cluster/topics/reassignment/reassignments.ts');
const ongoing = () => import('./cluster/topics/reassignment/ongoing.ts');
const transactions = () => import('./streams/transactions/transactions.ts');
const hanging = () => import('./streams/transactions/hanging.ts');

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
    validateTopics: soon(validateTopics),
    deleteTopics: soon(deleteTopics),
    topicSizes: soon(topicSizes),
    listTopics: soon(listTopics),
    describeTopics: soon(describeTopics),
    listGroups: late(async () => (await import('./cluster/groups/descriptions.ts')).listReaders),
    describeGroups: late(async () => (await import('./cluster/groups/descriptions.ts')).describeGroups),
    namesWithConfigs: late(async () => (await namedConfigs()).namesWithConfigs),
    describeNamedConfigs: late(async () => (await namedConfigs()).describeNamedConfigs),
    checkNamedConfigs: late(async () => (await namedConfigs()).checkNamedConfigs),
    alterNamedConfigs: late(async () => (await namedConfigs()).alterNamedConfigs),
    matchGroups: late(async () => (await import('./cluster/groups/listing.ts')).matchingGroups),
    deleteGroups: late(async () => (await import('./cluster/groups/deletion.ts')).deleteGroups),
    checkDeletable: late(async () => (await import('./cluster/groups/deletion.ts')).checkDeletable),
    planOffsetDeletion: late(async () => (await import('./cluster/groups/offset-deletion.ts')).planOffsetDeletion),
    deleteOffsets: late(async () => (await import('./cluster/groups/offset-deletion.ts')).deleteOffsets),
    planSeek: late(async () => (await import('./cluster/groups/seek-plan.ts')).planSeek),
    seekGroup: late(async () => (await import('./cluster/groups/seek.ts')).seekGroup),
    watchLag: late(async () => (await import('./cluster/groups/lag-watch.ts')).watchLag),
    schemaContexts: late(async () => (await import('./cluster/topics/configs.ts')).readSchemaContexts),
    planConfigs: late(async () => (await topicConfigs()).planConfigs),
    validateConfigs: late(async () => (await topicConfigs()).validateConfigs),
    alterConfigs: late(async () => (await topicConfigs()).alterConfigs),
    planGrowth: late(async () => (await import('./cluster/topics/add-partitions.ts')).planGrowth),
    validateGrowth: late(async () => (await import('./cluster/topics/add-partitions.ts')).validateGrowth),
    addPartitions: late(async () => (await import('./cluster/topics/add-partitions.ts')).addPartitions),
    lastWrites: late(async () => (await import('./cluster/topics/last-writes.ts')).lastWrites),
    planTrim: late(async () => (await import('./cluster/topics/trim.ts')).planTrim),
    trim: late(async () => (await import('./cluster/topics/trim.ts')).trim),
    planElections: late(async () => (await import('./cluster/topics/elections.ts')).planElections),
    electLeaders: late(async () => (await import('./cluster/topics/elections.ts')).electLeaders),
    analyzeTopics: late(async () => (await import('./cluster/analysis/analyze.ts')).analyzeTopics),
    planReassignment: late(async () => (await import('./cluster/topics/reassignment/plan.ts')).planReassignment),
    planMoves: late(async () => (await moves()).planMoves),
    checkThrottle: late(async () => (await import('./cluster/topics/reassignment/throttle.ts')).checkThrottle),
    reassign: late(async () => (await moves()).reassign),
    settledReassignments: late(async () => (await moves()).settledReassignments),
    listReassignments: late(async () => (await ongoing()).listReassignments),
    watchReassignments: late(async () => (await ongoing()).watchReassignments),
    planCancellation: late(async () => (await moves()).planCancellation),
    cancelReassignments: late(async () => (await moves()).cancelReassignments),
    unthrottle: late(async () => (await import('./cluster/topics/reassignment/unthrottle.ts')).unthrottle),
    clusterInfo: soon(clusterInfo),
    isRedpanda: client.isRedpanda,
    createAcls: late(async () => (await import('./cluster/access/acls.ts')).createAcls),
    existingAcls: late(async () => (await import('./cluster/access/acls.ts')).existingAcls),
    firstAcls: late(async () => (await import('./cluster/access/first-acls.ts')).firstAcls),
    listAcls: late(async () => (await import('./cluster/access/acls.ts')).listAcls),
    deleteAcls: late(async () => (await import('./cluster/access/acls.ts')).deleteAcls),
    listUsers: late(async () => (await import('./cluster/access/users.ts')).listUsers),
    setCredentials: late(async () => (await import('./cluster/access/users.ts')).setCredentials),
    setPassword: late(async () => (await import('./cluster/access/users.ts')).setPassword),
    planUserDeletion: late(async () => (await import('./cluster/access/users.ts')).planUserDeletion),
    deleteUsers: late(async () => (await import('./cluster/access/users.ts')).deleteUsers),
    accessJudge: late(async () => (await import('./cluster/access/explain.ts')).accessJudge),
    explainAccess: late(async () => (await import('./cluster/access/explain.ts')).explainAccess),
    clusterHealth: soon(clusterHealth),
    restartRisks: late(async () => (await import('./cluster/brokers/restart.ts')).restartRisks),
    inSyncPercent: late(async () => (await import('./cluster/brokers/restart.ts')).inSyncPercent),
    loggers: late(async () => (await import('./cluster/brokers/loggers.ts')).loggers),
    setLoggerLevel: late(async () => (await import('./cluster/brokers/loggers.ts')).setLoggerLevel),
    overviewRounds: late(async () => (await import('./cluster/overview/rounds.ts')).createRounds),
    describeBrokerConfigs: late(async () => (await brokerConfigs()).describeBrokerConfigs),
    setBrokerConfig: late(async () => (await brokerConfigs()).setBrokerConfig),
    checkBrokerConfig: late(async () => (await brokerConfigs()).checkBrokerConfig),
    clusterFeatures: late(async () => (await import('./cluster/brokers/features.ts')).clusterFeatures),
    describeLogDirs: late(async () => (await import('./cluster/brokers/log-dirs.ts')).describeLogDirs),
    describeQuotas: late(async () => (await import('./cluster/quotas/quotas.ts')).describeQuotas),
    alterQuotas: late(async () => (await import('./cluster/quotas/quotas.ts')).alterQuotas),
    checkQuotas: late(async () => (await import('./cluster/quotas/quotas.ts')).checkQuotas),
    listTransactions: late(async () => (await transactions()).listTransactions),
    describeTransactions: late(async () => (await transactions()).describeTransactions),
    abortTransactions: late(async () => (await transactions()).abortTransactions),
    describeProducers: late(async () => (await import('./streams/transactions/producers.ts')).describeProducers),
    findHanging: late(async () => (await hanging()).findHanging),
    findOpenTransactions: late(async () => (await hanging()).findOpenTransactions),
    copyTopics: late(async () => (await import('./carry/copy/copy.ts')).copyTopics),
    redrive: late(async () => (await import('./carry/redrive/redrive.ts')).redrive),
    consume: late(async () => (await import('./streams/consume/open.ts')).consume),
    produce: late(async () => (await import('./streams/produce/produce.ts')).produce),
    /** For a call that also concerns another cluster. */
    client,
    /** Closes every connection at once. */
    close: () => client.close(),
  };
}
