import { fieldsOf } from '../../net/json.ts';
import { pathOf } from '../../net/json-api/call.ts';
import { readEach } from '../client/answer-error.ts';
import type { Api } from '../client/api.ts';
import { needText, numberOr } from '../client/read.ts';
import type { PartitionCalls, PartitionStorage } from './partition-rows.ts';

/** The calls about the storage of topics. */
export function openTopicStorageCalls(api: Api): Pick<PartitionCalls, 'storageOf'> {
  return {
    storageOf: (topic, partitions) =>
      readEach(partitions, (partition) =>
        api.call({
          doing: `read the storage of ${topic}/${partition}`,
          method: 'GET',
          // Redirected to the leader of the partition.
          path: pathOf`/v1/cloud_storage/status/${topic}/${partition}`,
          read: storageIn,
        }),
      ),
  };
}

function storageIn(body: unknown, what: string): PartitionStorage {
  const fields = fieldsOf(body);
  const number = (name: string) => numberOr(fields[name], null);
  return {
    mode: needText(fields, 'cloud_storage_mode', what),
    cloud_start_offset: offset(fields.cloud_log_start_offset),
    cloud_last_offset: offset(fields.cloud_log_last_offset),
    local_start_offset: offset(fields.local_log_start_offset),
    local_last_offset: offset(fields.local_log_last_offset),
    cloud_bytes: number('cloud_log_size_bytes'),
    local_bytes: number('local_log_size_bytes'),
    total_bytes: number('total_log_size_bytes'),
    cloud_segments: number('stm_region_segment_count'),
    local_segments: number('local_log_segment_count'),
    last_segment_upload_ms: number('ms_since_last_segment_upload'),
    last_manifest_upload_ms: number('ms_since_last_manifest_upload'),
    last_manifest_sync_ms: number('ms_since_last_manifest_sync'),
    metadata_update_pending:
      typeof fields.metadata_update_pending === 'boolean' ? fields.metadata_update_pending : null,
  };
}

/** Negative where there is no record. */
function offset(value: unknown): number | null {
  const number = numberOr(value, -1);
  return number < 0 ? null : number;
}
