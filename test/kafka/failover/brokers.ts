import { setTimeout as delay } from 'node:timers/promises';
import type { ProcessId } from '../../../src/files/process-id.ts';
import { findCoordinator } from '../../../src/kafka/protocol/wire/apis/find-coordinator.ts';
import { stop } from '../../../src/sandbox/process.ts';
import { restart, startThree } from '../../services/brokers.ts';
import { clientOf, type TestClient } from '../../services/scripted-client.ts';
import { services } from '../../services/services.ts';
import { describeQuorum, metadataLog, quorumLeader } from './describe-quorum.ts';

/** Three brokers that a test file kills and restarts. */
export interface Brokers {
  /** `a,b,c` as `brokers` takes it. */
  readonly addresses: string;
  readonly ids: readonly number[];
  /** Observes the cluster; not under test. */
  readonly client: TestClient;
  /** Kills a broker; it is dead when this resolves. */
  kill(id: number): Promise<void>;
  /** Stops a broker after it has handed over its partitions, as in a rolling restart. */
  shutDown(id: number): Promise<void>;
  /** Starts a broker that was stopped; it need not answer yet when this resolves. */
  start(id: number): Promise<void>;
  close(): Promise<void>;
}

/** Interval of the checks for a change of the cluster, in milliseconds. */
const pollMs = 100;
const shutDownMs = 30_000;

/** Starts them with their data in this directory. */
export async function startBrokers(directory: string): Promise<Brokers> {
  const { runtime } = services();
  const { brokers, nodes } = await startThree(directory, runtime, () => [
    ['broker.session.timeout.ms', 3_000],
    ['broker.heartbeat.interval.ms', 500],
  ]);
  const processes = new Map<number, ProcessId>(nodes.map((node) => [node.id, node.process]));
  const client = clientOf(brokers.split(','), { command: 600_000 });
  const end = async (id: number, graceMs: number): Promise<void> => {
    const process = processes.get(id);
    if (process !== undefined) await stop(process, { graceMs });
  };
  return {
    addresses: brokers,
    ids: nodes.map(({ id }) => id),
    client,
    kill: (id) => end(id, 0),
    shutDown: (id) => end(id, shutDownMs),
    async start(id) {
      processes.set(id, await restart(directory, runtime, id));
    },
    async close() {
      await client[Symbol.asyncDispose]();
      await Promise.all([...processes.values()].map((id) => stop(id, { graceMs: 0 })));
    },
  };
}

/** Resolves when the condition holds, or fails when the test times out. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await delay(pollMs);
}

/** The broker that controls the cluster; -1 during an election. */
export async function controllerOf({ client }: Brokers): Promise<number> {
  return quorumLeader(await client.request(describeQuorum, metadataLog));
}

/** The coordinator of each group; -1 where there is none. */
export async function coordinatorsOf({ client }: Brokers, groups: readonly string[]): Promise<readonly number[]> {
  const request = { keyType: 0, coordinatorKeys: groups };
  // The broker that is asked may be the one that is about to end.
  const { coordinators } = await client.retry('FindCoordinator', () =>
    client.requestOnce(findCoordinator, request, 'any'),
  );
  return groups.map((group) => {
    const answer = coordinators.find(({ key }) => key === group);
    return answer?.errorCode === 0 ? answer.nodeId : -1;
  });
}

/** A group name that maps to this coordinator. */
export async function groupAt(brokers: Brokers, node: number, name: string): Promise<string> {
  const names = Array.from({ length: 100 }, (_, index) => `${name}-${index}`);
  let at = -1;
  await until(async () => {
    const nodes = await coordinatorsOf(brokers, names);
    at = nodes.indexOf(node);
    return at >= 0 && !nodes.includes(-1);
  });
  return names[at] ?? '';
}

/** The leader of each partition. */
export async function leadersOf({ client }: Brokers, topic: string): Promise<readonly number[]> {
  const { topics } = await client.metadata([topic]);
  return topics.flatMap(({ partitions }) => partitions.map(({ leader }) => leader));
}

/** Whether all three replicas of every partition of the topics are in sync. */
export async function areInSync({ client }: Brokers, topics: readonly string[]): Promise<boolean> {
  const metadata = await client.metadata(topics);
  return metadata.topics.every(
    ({ partitions }) => partitions.length > 0 && partitions.every(({ isr }) => isr.length === 3),
  );
}
