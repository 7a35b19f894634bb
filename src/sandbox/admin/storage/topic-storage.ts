import { param, type Reply } from '../../http/reply.ts';
import { effective } from '../config/effective.ts';
import { partitionOf } from '../partitions/cluster-partitions.ts';
import { type AdminRequest, by, done, numberParam, ok, type Route, route, whole } from '../request.ts';
import type { Partition } from '../state.ts';
import type { World } from '../world.ts';

const ofPartition = { level: 'user', duty: 'to-partition' } as const;
const writeToPartition = { level: 'superuser', duty: 'to-partition' } as const;

/** The routes of the tiered storage of partitions and of deleted topics. */
export const topicStorageRoutes: readonly Route[] = [
  route('storage.status', 'GET /v1/cloud_storage/status/{topic}/{partition}', ofPartition, status),
  route('storage.manifest', 'GET /v1/cloud_storage/manifest/{topic}/{partition}', ofPartition, manifest),
  route('storage.anomalies', 'GET /v1/cloud_storage/anomalies/{ns}/{topic}/{partition}', ofPartition, anomalies),
  route('storage.lifecycle', 'GET /v1/cloud_storage/lifecycle', by.user, lifecycle),
  route(
    'storage.lifecycle.delete',
    'DELETE /v1/cloud_storage/lifecycle/{topic}/{revision}',
    { level: 'user', duty: 'forward' },
    forget,
  ),
  route('storage.cache.trim', 'POST /v1/cloud_storage/cache/trim', by.user, () => done),
  route('storage.sync', 'POST /v1/cloud_storage/sync_local_state/{topic}/{partition}', writeToPartition, sync),
];

function partitionIn(world: World, { params }: AdminRequest): Partition {
  return partitionOf(world, { params: { ns: 'kafka', ...params } });
}

function sync(world: World, request: AdminRequest): Reply {
  partitionIn(world, request);
  return done;
}

function status(world: World, request: AdminRequest): Reply {
  const { sizeBytes } = partitionIn(world, request);
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

// The documents call this raw JSON without its fields. Clients pass it on as it is.
function manifest(world: World, request: AdminRequest): Reply {
  const { ns, topic, id, revision } = partitionIn(world, request);
  return whole({
    version: 3,
    namespace: ns,
    topic,
    partition: id,
    revision,
    start_offset: 0,
    last_offset: 899,
    segments: {},
  });
}

function anomalies(world: World, request: AdminRequest): Reply {
  const { ns, topic, id, revision } = partitionOf(world, request);
  return ok({ ns, topic, partition: id, revision_id: revision });
}

function lifecycle({ state }: World): Reply {
  const markers = state.lifecycle.map(({ ns, topic, revision, status: now }) => ({
    ns,
    topic,
    revision_id: revision,
    status: now,
  }));
  return ok({ markers }, ['markers']);
}

function forget({ state }: World, request: AdminRequest): Reply {
  const [topic, revision] = [param(request, 'topic'), numberParam(request, 'revision')];
  state.lifecycle = state.lifecycle.filter((one) => one.topic !== topic || one.revision !== revision);
  return done;
}
