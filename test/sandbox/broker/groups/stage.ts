import { expect } from 'vitest';
import { findCoordinator } from '../../../../src/kafka/protocol/wire/apis/find-coordinator.ts';
import { metadata } from '../../../../src/kafka/protocol/wire/apis/metadata.ts';
import { noUuid } from '../../../../src/kafka/protocol/wire/primitives.ts';
import type { Settings } from '../../../../src/sandbox/broker/settings.ts';
import { createVirtualClock, type VirtualClock } from '../../../simulation/virtual-clock.ts';
import { type RawClient, rawClient } from '../client.ts';
import { createModelCluster, type ModelCluster } from '../control.ts';

/** A cluster of two brokers with a coordinator for group `g` and a topic `t` of four partitions. */
export interface Stage {
  readonly clock: VirtualClock;
  readonly cluster: ModelCluster;
  /** Connects to the current coordinator of `g`. */
  client(): RawClient;
  /** Connects to the other broker. */
  otherClient(): RawClient;
  /** Returns the id of a topic. */
  topicId(name: string): Promise<string>;
  /** Kills the coordinator. The other broker takes over after `failoverMs` and loads for `loadMs`. */
  killCoordinator(): Promise<void>;
}

/** How long a failover takes, in milliseconds. */
export const failoverMs = 500;
/** How long a new coordinator loads, in milliseconds. */
export const loadMs = 100;

/** Creates a stage. */
export async function groupStage(settings: Partial<Settings> = {}): Promise<Stage> {
  const clock = createVirtualClock(1);
  const brokers = [1, 2].map((id) => ({ id, host: '127.0.0.1', port: 9_000 + id }));
  const delays = { failoverDelayMs: failoverMs, coordinatorLoadMs: loadMs };
  const cluster = createModelCluster({ clock, brokers, settings: { ...delays, ...settings } });
  cluster.control.createTopic({ name: 't', partitions: 4, replicas: 2 });
  const coordinator = (): number => cluster.control.coordinatorOf('group', 'g') ?? 0;
  await rawClient(cluster, 1).ask(findCoordinator, { key: 'g', keyType: 0, coordinatorKeys: ['g'] });
  await clock.runFor(1_000);
  return {
    clock,
    cluster,
    client: () => rawClient(cluster, coordinator()),
    otherClient: () => rawClient(cluster, 3 - coordinator()),
    async topicId(name) {
      const asked = { topics: [{ topicId: noUuid, name }], allowAutoTopicCreation: false };
      return (await rawClient(cluster, coordinator()).ask(metadata, asked)).topics[0]?.topicId ?? '';
    },
    async killCoordinator() {
      cluster.control.kill(coordinator());
      await clock.runFor(failoverMs);
    },
  };
}

/** Expects no internal errors of the model. */
export function expectNoDefects({ cluster }: Stage): void {
  expect(cluster.control.defects).toEqual([]);
}
