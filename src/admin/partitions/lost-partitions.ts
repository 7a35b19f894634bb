import { type Fields, fieldsOf } from '../../net/json.ts';
import type { Api } from '../client/api.ts';
import { itemsOf, needNumber, needText, numbersIn } from '../client/read.ts';
import type { LostPartition, PartitionCalls } from './partition-rows.ts';
import { replicasIn } from './placement.ts';

/** The calls about partitions that have lost most of their replicas. */
export function openLostCalls(api: Api): Pick<PartitionCalls, 'majorityLost' | 'forceRecover'> {
  return {
    majorityLost: (brokers) =>
      api.call({
        doing: `find the partitions that are lost without broker ${brokers.join(', ')}`,
        method: 'GET',
        path: `/v1/partitions/majority_lost`,
        query: { dead_nodes: brokers.join(',') },
        to: 'leader',
        read: (body, what) => itemsOf(body, what, 'list of partitions').map((one) => readLost(one, what)),
      }),
    forceRecover: (brokers, partitions) =>
      api.call({
        doing: `recover partitions without broker ${brokers.join(', ')}`,
        method: 'POST',
        path: '/v1/partitions/force_recover_from_nodes',
        body: { dead_nodes: brokers, partitions_to_force_recover: partitions.map(bodyOf) },
        to: 'leader',
        // Records are given up: a second recovery could give up what was written after the first.
        repeats: false,
        read: () => undefined,
      }),
  };
}

function readLost(fields: Fields, what: string): LostPartition {
  const name = fieldsOf(fields.ntp);
  return {
    namespace: needText(name, 'ns', what),
    topic: needText(name, 'topic', what),
    partition: needNumber(name, 'partition', what),
    topic_revision: needNumber(fields, 'topic_revision', what),
    ...replicasIn(fields, 'replicas', what),
    dead_brokers: numbersIn(fields.dead_nodes),
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
