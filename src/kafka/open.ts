import { once } from '../once.ts';
import type { Client } from './client/client.ts';
import { createClient } from './client/create-client.ts';
import { clusterInfo, isRedpanda } from './cluster/cluster.ts';
import { clusterHealth } from './cluster/health.ts';
import type { Kafka } from './kafka.ts';
import type { KafkaOptions } from './options.ts';
import { describeTopics } from './topics/descriptions.ts';
import type { ReassignmentCalls } from './topics/reassignment/reassignment-rows.ts';
import { createTopics, deleteTopics, listTopics } from './topics/topics.ts';

const brokerConfigs = () => import('./cluster/broker-configs.ts');
const moves = () => import('./topics/reassignment/reassignments.ts');
const ongoing = () => import('./topics/reassignment/ongoing.ts');
const transactions = () => import('./transactions/transactions.ts');
const hanging = () => import('./transactions/hanging.ts');

/** Creates the broker data API for commands. Reads no files and dials no broker before the first call. */
export function openKafka(options: KafkaOptions): Kafka {
  const client = createClient(options);
  return {
    createTopics: (call) => createTopics(client, call),
    deleteTopics: (call) => deleteTopics(client, call),
    listTopics: (selection) => listTopics(client, selection),
    describeTopics: (call) => describeTopics(client, call),
    listGroups: async (call) => (await import('./group-admin/listing.ts')).listGroups(client, call),
    describeGroups: async (call) => (await import('./group-admin/descriptions.ts')).describeGroups(client, call),
    matchGroups: async (patterns) => (await import('./group-admin/listing.ts')).matchingGroups(client, patterns),
    deleteGroups: async (call) => (await import('./group-admin/deletion.ts')).deleteGroups(client, call),
    deleteOffsets: async (call) => (await import('./group-admin/offset-deletion.ts')).deleteOffsets(client, call),
    planSeek: async (call) => (await import('./group-admin/seek-plan.ts')).planSeek(client, call),
    seekGroup: async (plan) => (await import('./group-admin/seek.ts')).seekGroup(client, plan),
    watchLag: async (call) => (await import('./group-admin/lag-watch.ts')).watchLag(client, call),
    alterTopicConfigs: async (call) => (await import('./topics/alter-configs.ts')).alterTopicConfigs(client, call),
    addPartitions: async (call) => (await import('./topics/add-partitions.ts')).addPartitions(client, call),
    planTrim: async (targets) => (await import('./topics/trim.ts')).planTrim(client, targets),
    trim: async (plan) => (await import('./topics/trim.ts')).trim(client, plan),
    electLeaders: async (call) => (await import('./topics/elections.ts')).electLeaders(client, call),
    analyzeTopics: async (call) => (await import('./topics/analysis/analyze.ts')).analyzeTopics(client, call),
    ...reassignmentCalls(client),
    clusterInfo: (topics) => clusterInfo(client, topics),
    isRedpanda: once(() => isRedpanda(client)),
    createAcls: async (call) => (await import('./access/acls.ts')).createAcls(client, call),
    listAcls: async (filters) => (await import('./access/acls.ts')).listAcls(client, filters),
    deleteAcls: async (acls) => (await import('./access/acls.ts')).deleteAcls(client, acls),
    listUsers: async (names) => (await import('./access/users.ts')).listUsers(client, names),
    setPassword: async (call) => (await import('./access/users.ts')).setPassword(client, call),
    deleteUsers: async (call) => (await import('./access/users.ts')).deleteUsers(client, call),
    explainAccess: async (call) => (await import('./access/explain.ts')).explainAccess(client, call),
    clusterHealth: () => clusterHealth(client),
    describeBrokerConfigs: async (call) => (await brokerConfigs()).describeBrokerConfigs(client, call),
    setBrokerConfig: async (call) => (await brokerConfigs()).setBrokerConfig(client, call),
    clusterFeatures: async () => (await import('./cluster/features.ts')).clusterFeatures(client),
    describeLogDirs: async (call) => (await import('./cluster/log-dirs.ts')).describeLogDirs(client, call),
    describeQuotas: async (call) => (await import('./quotas/quotas.ts')).describeQuotas(client, call),
    alterQuotas: async (call) => (await import('./quotas/quotas.ts')).alterQuotas(client, call),
    listTransactions: async (call) => (await transactions()).listTransactions(client, call),
    describeTransactions: async (ids) => (await transactions()).describeTransactions(client, ids),
    abortTransactions: async (calls) => (await transactions()).abortTransactions(client, calls),
    describeProducers: async (call) => (await import('./transactions/producers.ts')).describeProducers(client, call),
    findHanging: async (call) => (await hanging()).findHanging(client, call),
    openTransactions: async (topic, partition) => (await hanging()).openTransactions(client, topic, partition),
    consume: async (request) => (await import('./consume/consume.ts')).consume(client, request),
    produce: async (request) => (await import('./produce/produce.ts')).produce(client, request),
    close: () => client.close(),
  };
}

function reassignmentCalls(client: Client): ReassignmentCalls {
  return {
    planReassignment: async (call) => (await import('./topics/reassignment/plan.ts')).planReassignment(client, call),
    planMoves: async (call) => (await moves()).planMoves(client, call),
    reassign: async (call) => (await moves()).reassign(client, call),
    settledReassignments: async (rows) => (await moves()).settledReassignments(client, rows),
    listReassignments: async (topics) => (await ongoing()).listReassignments(client, topics),
    watchReassignments: async (call) => (await ongoing()).watchReassignments(client, call),
    cancelReassignments: async (call) => (await moves()).cancelReassignments(client, call),
    unthrottle: async (call) => (await import('./topics/reassignment/unthrottle.ts')).unthrottle(client, call),
  };
}
