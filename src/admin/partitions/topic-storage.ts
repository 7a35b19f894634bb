import { pathOf } from '../../net/json-api/call.ts';
import { readEach } from '../client/answer-error.ts';
import { type Api, calls } from '../client/api.ts';
import { type PartitionCalls, partitionStorage } from './partition-rows.ts';

/** The calls about the storage of topics. */
export function openTopicStorageCalls(api: Api): Pick<PartitionCalls, 'storageOf'> {
  return {
    storageOf: (topic, partitions) =>
      readEach(partitions, (partition) => {
        // Redirected to the leader of the partition.
        const path = pathOf`/v1/cloud_storage/status/${topic}/${partition}`;
        return api.call(calls.get(`read the storage of ${topic}/${partition}`, path, partitionStorage));
      }),
  };
}
