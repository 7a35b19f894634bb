import { codes } from '../../../kafka/protocol/wire/error-codes.ts';
import type { Flavour } from '../cluster-parts.ts';
import { topicConfigs } from '../topic-configs.ts';

function isOfKafka(name: string): boolean {
  return topicConfigs.has(name) && !name.startsWith('redpanda.');
}

/** Apache Kafka, as its protocol documentation describes it. */
export const kafka: Flavour = {
  clusterId: 'weir-model-cluster-001',
  versionsOf: (_api, versions) => versions,
  showsTopic: () => true,
  shownPartition(_cluster, _topic, { leader, isr, replicas }, alive) {
    const isLed = alive.has(leader);
    return {
      errorCode: isLed ? codes.NONE : codes.LEADER_NOT_AVAILABLE,
      leaderId: isLed ? leader : -1,
      isrNodes: isr,
      offlineReplicas: replicas.filter((broker) => !alive.has(broker)),
    };
  },
  hasConfig: isOfKafka,
  listsConfig: isOfKafka,
  ignoresConfig: () => false,
  hasListOperations: true,
  problemWithReplicas: () => undefined,
  resize: () => undefined,
  checksKeys: true,
  placesInDryRun: true,
  hidesDefault: () => false,
  isLeftOut: () => false,
  brokerConfigs: undefined,
};
