import { integer, object, optional, text } from '../../http/readers.ts';
import type { Reply } from '../../http/reply.ts';
import { AdminError, badRequest } from '../admin-error.ts';
import { effective } from '../config/effective.ts';
import { type AdminRequest, by, ok, type Route, readJson, route } from '../request.ts';
import type { Recovery } from '../state.ts';
import type { World } from '../world.ts';

/** The routes that restore a cluster or topics from object storage. */
export const recoveryRoutes: readonly Route[] = [
  route('recovery.cluster.start', 'POST /v1/cloud_storage/automated_recovery', by.controller, startCluster),
  route('recovery.cluster.status', 'GET /v1/cloud_storage/automated_recovery', by.controller, clusterStatus),
  route('recovery.topics.start', 'POST /v1/cloud_storage/topic_recovery', by.controller, startTopics),
  route('recovery.topics.status', 'GET /v1/cloud_storage/topic_recovery', by.superuser, topicsStatus),
];

const started = { status: 202, body: { status: 'recovery started' } } as const;

function checkStorage({ node }: AdminRequest): void {
  if (effective(node, 'cloud_storage_enabled') !== true) throw badRequest('tiered storage is not configured');
}

function isActive({ clock, settings }: World, recovery: Recovery | null): boolean {
  return recovery !== null && clock.now() < recovery.startedAt + settings.recoveryMs;
}

function startCluster(world: World, request: AdminRequest): Reply {
  if (effective(request.node, 'cloud_storage_bucket') === null) throw badRequest('there is no bucket');
  checkStorage(request);
  const { recoveries } = world.state;
  if (isActive(world, recoveries.cluster)) throw new AdminError(409, 'a recovery is already active');
  recoveries.cluster = { startedAt: world.clock.now(), pattern: null, retentionBytes: null, retentionMs: null };
  return started;
}

/** The stages of a restore in their order, which take the same time each. */
const stages = [
  'initialized',
  'starting',
  'recovered_license',
  'recovered_cluster_config',
  'recovered_users',
  'recovered_acls',
  'recovered_remote_topic_data',
  'recovered_topic_data',
  'recovered_controller_snapshot',
  'recovered_offsets_topic',
  'recovered_tx_coordinator',
] as const;

// A restore that has ended well is not shown, one that has failed is until the next one starts.
function clusterStatus(world: World): Reply {
  const { clock, settings, state } = world;
  const recovery = state.recoveries.cluster;
  if (recovery === null) return ok({ state: 'inactive' });
  if (!isActive(world, recovery))
    return settings.recoveryOutcome === 'success'
      ? ok({ state: 'inactive' })
      : ok({ state: 'recovery_stage::failed', error: 'the bucket has no data of a cluster' });
  const stage = stages[Math.floor(((clock.now() - recovery.startedAt) / settings.recoveryMs) * stages.length)];
  return ok({ state: `recovery_stage::${stage}` });
}

const topicsBody = object({
  topic_names_pattern: optional(text),
  retention_bytes: optional(integer),
  retention_ms: optional(integer),
});

function startTopics(world: World, request: AdminRequest): Reply {
  checkStorage(request);
  const sent = request.bytes.length === 0 ? undefined : readJson(request, topicsBody);
  const { recoveries } = world.state;
  if (isActive(world, recoveries.topics)) throw new AdminError(409, 'a recovery is already active');
  recoveries.topics = {
    startedAt: world.clock.now(),
    pattern: sent?.topic_names_pattern ?? null,
    retentionBytes: sent?.retention_bytes ?? null,
    retentionMs: sent?.retention_ms ?? null,
  };
  return started;
}

function topicsStatus(world: World): Reply {
  const { topics } = world.state.recoveries;
  const active = isActive(world, topics);
  const counts = world.state.mountable.map(({ ns, topic, partitions }) => ({
    topic_namespace: `${ns}/${topic}`,
    pending_downloads: active ? partitions : 0,
    successful_downloads: active ? 0 : partitions,
    failed_downloads: 0,
  }));
  return ok({
    state: active ? 'recovering' : 'inactive',
    topic_download_counts: topics === null ? [] : counts,
    request: {
      topic_names_pattern: topics?.pattern ?? '',
      retention_bytes: topics?.retentionBytes ?? -1,
      retention_ms: topics?.retentionMs ?? -1,
    },
  });
}
