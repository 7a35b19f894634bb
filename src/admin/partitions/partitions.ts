import { hasStatus } from '../../net/json-api/error.ts';
import type { Admin } from '../admin.ts';
import type { HeldPartition } from '../brokers/broker-rows.ts';
import type { Api } from '../client/api.ts';
import { itemsOf, kafkaName, listIn, needNumber, needText } from '../client/read.ts';

/** The calls about partitions. */
export function openPartitionCalls(api: Api): Pick<Admin, 'partitionsOn'> {
  return {
    async partitionsOn(id) {
      try {
        const all = await api.call({
          doing: 'read the partitions',
          method: 'GET',
          path: '/v1/cluster/partitions',
          query: { with_internal: true },
          read: readPartitions,
        });
        return all.filter(({ replicas }) => replicas.includes(id));
      } catch (error) {
        if (hasStatus(error, 404)) return undefined;
        throw error;
      }
    },
  };
}

/** Without the controller's own partition, which follows the membership of brokers. */
function readPartitions(body: unknown, what: string): readonly HeldPartition[] {
  return itemsOf(body, what, 'list of partitions')
    .filter(({ ns }) => ns !== 'redpanda')
    .map((one) => ({
      topic: kafkaName(needText(one, 'ns', what), needText(one, 'topic', what)),
      partition: needNumber(one, 'partition_id', what),
      replicas: listIn(one, 'replicas', what).map((replica) => needNumber(replica, 'node_id', what)),
    }));
}
