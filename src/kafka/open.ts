import { createClient } from './client/create-client.ts';
import { clusterInfo } from './cluster/cluster.ts';
import type { Kafka, KafkaOptions } from './kafka.ts';
import { createTopics, deleteTopics, describeTopics, listTopics } from './topics/topics.ts';

/** Creates the broker data API for commands. Reads no files and dials no broker before the first call. */
export function openKafka(options: KafkaOptions): Kafka {
  const client = createClient(options);
  return {
    createTopics: (call) => createTopics(client, call),
    deleteTopics: (call) => deleteTopics(client, call),
    listTopics: (selection) => listTopics(client, selection),
    describeTopics: (call) => describeTopics(client, call),
    alterTopicConfigs: async (call) => (await import('./topics/alter-configs.ts')).alterTopicConfigs(client, call),
    addPartitions: async (call) => (await import('./topics/add-partitions.ts')).addPartitions(client, call),
    planTrim: async (targets) => (await import('./topics/trim.ts')).planTrim(client, targets),
    trim: async (plan) => (await import('./topics/trim.ts')).trim(client, plan),
    electLeaders: async (call) => (await import('./topics/elections.ts')).electLeaders(client, call),
    clusterInfo: (topics) => clusterInfo(client, topics),
    consume: async (request) => (await import('./consume/consume.ts')).consume(client, request),
    produce: async (request) => (await import('./produce/produce.ts')).produce(client, request),
    close: () => client.close(),
  };
}
