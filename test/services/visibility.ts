import { setTimeout as delay } from 'node:timers/promises';
import { clientOf } from './scripted-client.ts';

/**
 * Resolves when every broker of `a,b,c` reports a topic with its leaders. A command waits for one broker only, and the
 * next command may ask another.
 */
export async function knownEverywhere(brokers: string, topic: string): Promise<void> {
  for (const broker of brokers.split(',')) while (!(await knows(broker, topic))) await delay(20);
}

async function knows(broker: string, topic: string): Promise<boolean> {
  // A client that has learned of the other brokers might ask them.
  await using client = clientOf([broker]);
  const [told] = (await client.metadata([topic])).topics;
  return told?.errorCode === 0 && told.partitions.every(({ leader }) => leader >= 0);
}
