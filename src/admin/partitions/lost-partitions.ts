import { pathOf } from '../../net/json-api/call.ts';
import { listOf } from '../../shape/shape.ts';
import { type Api, calls } from '../client/api.ts';
import { LostPartition } from './partition-rows.ts';

/** The calls about partitions that have lost most of their replicas. */
export function createLostCalls(api: Api) {
  return {
    /** The partitions most of whose replicas are on these brokers. */
    majorityLost: (brokers: readonly number[]) =>
      api.call(
        calls.get(
          `find the partitions that are lost without broker ${brokers.join(', ')}`,
          pathOf`/v1/partitions/majority_lost`,
          listOf(LostPartition),
          { query: { dead_nodes: brokers.join(',') }, to: 'leader', form: 'list of partitions' },
        ),
      ),
    /** Rebuilds partitions from the replicas that are left, and gives up what only the lost brokers had. */
    forceRecover: (brokers: readonly number[], partitions: readonly LostPartition[]) =>
      api.call(
        calls.post(
          `recover partitions without broker ${brokers.join(', ')}`,
          pathOf`/v1/partitions/force_recover_from_nodes`,
          {
            body: { dead_nodes: brokers, partitions_to_force_recover: partitions.map(bodyOf) },
            to: 'leader',
            // Records are given up: a second recovery could give up what was written after the first.
            repeats: false,
          },
        ),
      ),
  };
}

function bodyOf({ namespace, topic, partition, topic_revision, replicas, cores, dead_brokers }: LostPartition) {
  return {
    ntp: { ns: namespace, topic, partition },
    topic_revision,
    replicas: replicas.map((id, at) => ({ node_id: id, core: cores[at] })),
    dead_nodes: dead_brokers,
  };
}
