import { expect, onTestFailed } from 'vitest';
import { setBrokerConfig } from '../../../src/kafka/cluster/brokers/broker-configs.ts';
import { rateKeys } from '../../../src/kafka/cluster/topics/reassignment/throttle-configs.ts';
import { clientOf } from '../../services/scripted-client.ts';
import type { Cluster3 } from '../../services/services.ts';
import { knownEverywhere, leadersEverywhere } from '../../services/visibility.ts';
import { type Outcome, run, temporaryDirectory, type World } from '../../world.ts';

/** A topic of one test, and a person without earlier throttles who moves it. */
export interface ReassignWorld {
  readonly topic: string;
  readonly home: string;
  /** The person, with the brokers of the cluster. */
  readonly person: World;
  weir(line: string, stdin?: string): Promise<Outcome>;
  /** The result of `weir LINE --format json`. */
  rows(line: string, stdin?: string): Promise<unknown>;
  /** The broker that has the first replica, according to the broker that is asked first, and another one. */
  brokers(): Promise<readonly [mine: number, other: number]>;
  /** A plan that puts the only partition on these brokers. */
  plan(...replicas: readonly number[]): string;
  /** Resolves when every broker knows that exactly these brokers have the partition. */
  isAt(...replicas: readonly number[]): Promise<void>;
}

/** What the topic has. */
interface Contents {
  readonly replicas?: number;
  /** More than what a replica copies before a throttle of one byte per second holds it. */
  readonly isLarge?: boolean;
}

/** A plan in the form of Kafka's own tool. */
export function placement(...partitions: readonly object[]): string {
  return JSON.stringify({ version: 1, partitions });
}

let count = 0;

/** Creates a topic with one partition. If the test fails, what it has left in the cluster is undone. */
export async function reassignWorld(
  cluster: Pick<Cluster3, 'brokers'>,
  { replicas = 1, isLarge = false }: Contents = {},
): Promise<ReassignWorld> {
  count += 1;
  const topic = `reassign-${process.pid}-${count}`;
  const home = temporaryDirectory();
  const person = { home, cwd: home, env: { WEIR_BROKERS: cluster.brokers } };
  const weir: ReassignWorld['weir'] = (line, stdin = '') => run(line, { ...person, stdin });
  onTestFailed(() => undo(cluster, topic));
  expect(await weir(`topic create ${topic} -p 1 -r ${replicas}`)).toMatchObject({ exitCode: 0 });
  await knownEverywhere(cluster.brokers, topic);
  // Not compressed, because what counts is what is copied.
  const records = `${'x'.repeat(100_000)}\n`.repeat(40);
  if (isLarge) expect(await weir(`topic produce ${topic} -z none`, records)).toMatchObject({ exitCode: 0 });
  return {
    ...{ topic, home, person, weir },
    rows: async (line, stdin) => JSON.parse((await weir(`${line} --format json`, stdin)).stdout),
    async brokers() {
      const { stdout } = await weir(`topic list ${topic} -d --format json`);
      const mine: number = JSON.parse(stdout)[0].partition_list[0].replicas[0];
      return [mine, (mine % 3) + 1];
    },
    plan: (...to) => placement({ topic, partition: 0, replicas: to }),
    isAt: (...to) => leadersEverywhere(cluster.brokers, topic, (one) => one.replicas.join() === to.join()),
  };
}

/** Ends the moves and the throttles of a test: the next one throttles the same brokers, and reads about all topics. */
async function undo({ brokers }: Pick<Cluster3, 'brokers'>, topic: string): Promise<void> {
  for (const line of ['topic reassign cancel --all', `topic delete ${topic} --yes`])
    await run(line, { env: { WEIR_BROKERS: brokers } });
  await using client = clientOf(brokers.split(','));
  const ids = (await client.metadata([])).brokers.map(({ id }) => id);
  for (const broker of ids)
    for (const key of rateKeys) await setBrokerConfig(client, { scope: { broker }, key, value: undefined });
}
