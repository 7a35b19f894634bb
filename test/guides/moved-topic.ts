import { expect } from 'vitest';
import { cluster3 } from '../services/services.ts';
import { knownEverywhere, leadersEverywhere } from '../services/visibility.ts';
import { run } from '../world.ts';

/** The topic of the guide; no other test has it. */
const topic = 'parcels';

/** The environment of a reader with three brokers and a topic on brokers 1 and 2. */
export async function threeBrokers(): Promise<Readonly<Record<string, string>>> {
  const { brokers } = await cluster3();
  const env = { WEIR_BROKERS: brokers };
  await run(`topic create ${topic} -p 2 -r 2`, { env });
  await knownEverywhere(brokers, topic);
  const partitions = [
    { topic, partition: 0, replicas: [1, 2] },
    { topic, partition: 1, replicas: [2, 1] },
  ];
  const stdin = JSON.stringify({ version: 1, partitions });
  expect(await run('topic reassign execute - --wait --yes', { env, stdin })).toMatchObject({ exitCode: 0 });
  await settled();
  await run(`topic elect-leaders ${topic}`, { env });
  await leadersEverywhere(brokers, topic, ({ leader, replicas }) => leader === replicas[0]);
  return env;
}

/** Resolves when every broker knows that no replica of the topic is being moved. */
export async function settled(): Promise<void> {
  const { brokers } = await cluster3();
  await leadersEverywhere(brokers, topic, ({ replicas, isr }) => replicas.length === 2 && isr.length === 2);
}
