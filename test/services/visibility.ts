import { setTimeout as delay } from 'node:timers/promises';
import type { PartitionMetadata } from '../../src/kafka/protocol/client/client.ts';
import { clientOf } from './scripted-client.ts';

/**
 * Resolves when every broker of `a,b,c` reports a topic with its leaders. A command waits for one broker only, and the
 * next command may ask another.
 */
export async function knownEverywhere(brokers: string, topic: string): Promise<void> {
  await leadersEverywhere(brokers, topic, ({ leader }) => leader >= 0);
}

/** Resolves when every broker of `a,b,c` reports a topic whose partitions are all as expected. */
export async function leadersEverywhere(
  brokers: string,
  topic: string,
  isExpected: (partition: PartitionMetadata) => boolean,
): Promise<void> {
  const isReportedBy = async (broker: string): Promise<boolean> => {
    // A client that has learned of the other brokers might ask them.
    await using client = clientOf([broker]);
    const [told] = (await client.metadata([topic])).topics;
    return told?.errorCode === 0 && told.partitions.every(isExpected);
  };
  for (const broker of brokers.split(',')) while (!(await isReportedBy(broker))) await delay(20);
}
