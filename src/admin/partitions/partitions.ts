import { showTopic } from '../../format/partition-name.ts';
import { hasStatus } from '../../net/json-api/error.ts';
import { listOf } from '../../shape/shape.ts';
import type { Admin } from '../admin.ts';
import { listedPartition } from '../brokers/broker-rows.ts';
import { type Api, calls } from '../client/api.ts';

const readPartitions = calls.get('read the partitions', '/v1/cluster/partitions', listOf(listedPartition), {
  query: { with_internal: true },
  form: 'list of partitions',
});

/** The calls about partitions. */
export function openPartitionCalls(api: Api): Pick<Admin, 'partitionsOn'> {
  return {
    async partitionsOn(id) {
      try {
        const all = await api.call(readPartitions);
        // Without the controller's own partition, which follows the membership of brokers.
        const held = all.filter(({ namespace, replicas }) => namespace !== 'redpanda' && replicas.includes(id));
        return held.map(({ partition, replicas, ...name }) => ({ topic: showTopic(name), partition, replicas }));
      } catch (error) {
        if (hasStatus(error, 404)) return undefined;
        throw error;
      }
    },
  };
}
