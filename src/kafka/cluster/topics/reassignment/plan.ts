import { CliError, exitCodes, notFoundError } from '../../../../errors.ts';
import { commandText } from '../../../../format/shell-word.ts';
import type { Client, ClusterMetadata, TopicMetadata } from '../../../protocol/client/client.ts';
import { kafkaError, kafkaErrorText } from '../../../protocol/errors.ts';
import { partitionsInOrder, readSelection } from '../../../protocol/partitions/topic-selection.ts';
import { readOngoing } from './ongoing.ts';
import { type Placed, place, type Site } from './placement.ts';
import type { PlanCall, ReplicaMove } from './reassignment-rows.ts';

/**
 * Plans where the replicas of topics shall be; returns the partitions that change, sorted by topic and partition.
 * @throws CliError if a topic cannot be read or is being reassigned, or if there are too few brokers
 */
export async function planReassignment(client: Client, call: PlanCall): Promise<ReplicaMove[]> {
  const metadata = await readSelection(client, { topics: call.topics, regex: false, internal: true });
  const current = metadata.topics.flatMap(placementOf);
  await refuseMoving(client, call.topics);
  const sites = sitesOf(metadata, call.brokers);
  const most = call.replicas ?? Math.max(0, ...current.map(({ replicas }) => replicas.length));
  if (most > sites.length) {
    throw new CliError(exitCodes.conflict, `unable to place ${most} replicas on ${sites.length} brokers`, {
      code: 'INVALID_REPLICATION_FACTOR',
      hints: ['name more brokers with --brokers, or fewer replicas with --replicas'],
    });
  }
  return place(current, sites, call).flatMap(({ topic, partition, replicas }, at) => {
    const before = current[at]?.replicas ?? [];
    return isSame(before, replicas) ? [] : [{ topic, partition, old_replicas: before, new_replicas: replicas }];
  });
}

/** Where the replicas of a partition are is not settled while it is being reassigned. */
async function refuseMoving(client: Client, topics: readonly string[]): Promise<void> {
  const [first] = await readOngoing(client, topics);
  if (first === undefined) return;
  const { topic, partition } = first;
  throw new CliError(exitCodes.conflict, `topic "${topic}" partition ${partition} is being reassigned`, {
    code: 'REASSIGNMENT_IN_PROGRESS',
    target: topic,
    hints: [commandText`wait for it with: weir topic reassign wait ${topic}`],
  });
}

function placementOf(topic: TopicMetadata): Placed[] {
  const { name, errorCode } = topic;
  if (errorCode !== 0) {
    const message = `unable to read topic "${name}": ${kafkaErrorText(errorCode)}`;
    throw kafkaError(errorCode, message, { target: name, retryable: false });
  }
  return partitionsInOrder(topic).map(({ partition, replicas }) => ({ topic: name, partition, replicas }));
}

function sitesOf({ brokers }: ClusterMetadata, chosen: readonly number[]): Site[] {
  const missing = chosen.find((id) => !brokers.some((broker) => broker.id === id));
  if (missing !== undefined) {
    throw notFoundError(`broker ${missing} is not in the cluster`, {
      code: 'BROKER_NOT_FOUND',
      target: String(missing),
      hints: ['list the brokers with: weir cluster info -b'],
    });
  }
  return brokers
    .filter(({ id }) => chosen.length === 0 || chosen.includes(id))
    .map(({ id, rack }) => ({ broker: id, rack }));
}

/** Whether two lists have the same replicas in the same order. */
export function isSame(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((id, at) => id === b[at]);
}
