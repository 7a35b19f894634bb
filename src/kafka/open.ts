import { createClient } from './client/create-client.ts';
import { clusterInfo } from './cluster/cluster.ts';
import { clusterHealth } from './cluster/health.ts';
import { watchHealth } from './cluster/watch-health.ts';
import type { Kafka, KafkaOptions } from './kafka.ts';
import { createTopics, deleteTopics, describeTopics, listTopics } from './topics/topics.ts';

const brokerConfigs = () => import('./cluster/broker-configs.ts');
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
    clusterInfo: (topics) => clusterInfo(client, topics),
    clusterHealth: () => clusterHealth(client),
    watchHealth: (watch) => watchHealth(() => clusterHealth(client), watch, options.deadline),
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
