import kafkajs from 'kafkajs';

const { ConfigResourceTypes, Kafka, logLevel } = kafkajs;

/**
 * Makes a broker free the disk a second after a topic is deleted, instead of a minute: benchmarks write gigabytes,
 * topic after topic. Only for clusters of one broker, which is configured by its id.
 */
export async function deleteQuickly(broker: string): Promise<void> {
  const admin = new Kafka({ clientId: 'bench', brokers: [broker], logLevel: logLevel.ERROR }).admin();
  const configEntries = [{ name: 'log.segment.delete.delay.ms', value: '1000' }];
  await admin.connect();
  try {
    const [{ nodeId } = { nodeId: 0 }] = (await admin.describeCluster()).brokers;
    const resource = { type: ConfigResourceTypes.BROKER, name: String(nodeId), configEntries };
    await admin.alterConfigs({ validateOnly: false, resources: [resource] });
  } finally {
    await admin.disconnect();
  }
}
