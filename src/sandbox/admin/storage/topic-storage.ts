import type { Reply } from '../../http/reply.ts';
import { effective } from '../config/effective.ts';
import { partitionOf } from '../partitions/cluster-partitions.ts';
import { type AdminRequest, ok, type Route, route } from '../request.ts';
import type { World } from '../world.ts';

const ofPartition = { level: 'user', duty: 'to-partition' } as const;

/** The route of the tiered storage of partitions. */
export const topicStorageRoutes: readonly Route[] = [
  route('storage.status', 'GET /v1/cloud_storage/status/{topic}/{partition}', ofPartition, status),
];

function status(world: World, request: AdminRequest): Reply {
  const { sizeBytes } = partitionOf(world, { params: { ns: 'kafka', ...request.params } });
  const isOn = effective(request.node, 'cloud_storage_enabled') === true;
  const offsets = { local_log_start_offset: 0, local_log_last_offset: 999 };
  const local = { local_log_size_bytes: sizeBytes, local_log_segment_count: 1, ...offsets };
  const cloud = isOn
    ? { stored: sizeBytes, segments: 1, first: 0, last: 899 }
    : { stored: 0, segments: 0, first: -1, last: -1 };
  return ok({
    cloud_storage_mode: isOn ? 'full' : 'disabled',
    ...(isOn ? { ms_since_last_manifest_upload: 1_000, ms_since_last_segment_upload: 1_000 } : {}),
    metadata_update_pending: false,
    total_log_size_bytes: sizeBytes,
    cloud_log_size_bytes: cloud.stored,
    ...(isOn ? { stm_region_size_bytes: cloud.stored, archive_size_bytes: 0 } : {}),
    ...local,
    stm_region_segment_count: cloud.segments,
    cloud_log_start_offset: cloud.first,
    stm_region_start_offset: cloud.first,
    cloud_log_last_offset: cloud.last,
  });
}
