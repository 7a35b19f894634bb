import { filled, object, optional } from '../../http/readers.ts';
import type { Reply } from '../../http/reply.ts';
import { AdminError, badRequest } from '../admin-error.ts';
import { effective } from '../config/effective.ts';
import { type AdminRequest, by, ok, type Route, readJson, route } from '../request.ts';
import type { World } from '../world.ts';

/** The routes that restore a cluster from object storage. */
export const recoveryRoutes: readonly Route[] = [
  route('recovery.cluster.start', 'POST /v1/cloud_storage/automated_recovery', by.controller, startCluster),
  route('recovery.cluster.status', 'GET /v1/cloud_storage/automated_recovery', by.controller, clusterStatus),
];

const started = { status: 202, body: { status: 'recovery started' } } as const;

function checkStorage({ node }: AdminRequest): void {
  if (effective(node, 'cloud_storage_enabled') !== true) throw badRequest('tiered storage is not configured');
}

function isActive({ clock, settings, state: { restoreStartedAt } }: World): boolean {
  return restoreStartedAt !== null && clock.now() < restoreStartedAt + settings.recoveryMs;
}

const uuid = { pattern: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i, description: 'must be a UUID' };
const startBody = object({ cluster_uuid_override: optional(filled(uuid)) });

function startCluster(world: World, request: AdminRequest): Reply {
  // Earlier releases never read the body (redpanda 26: src/v/redpanda/admin/cluster_recovery.cc:44).
  if (world.settings.release !== '24.3' && request.bytes.length > 0) readJson(request, startBody);
  if (effective(request.node, 'cloud_storage_bucket') === null) throw badRequest('there is no bucket');
  checkStorage(request);
  if (isActive(world)) throw new AdminError(409, 'a recovery is already active');
  world.state.restoreStartedAt = world.clock.now();
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
  const { restoreStartedAt } = state;
  if (restoreStartedAt === null) return ok({ state: 'inactive' });
  if (!isActive(world))
    return settings.recoveryOutcome === 'success'
      ? ok({ state: 'inactive' })
      : ok({ state: 'recovery_stage::failed', error: 'the bucket has no data of a cluster' });
  const stage = stages[Math.floor(((clock.now() - restoreStartedAt) / settings.recoveryMs) * stages.length)];
  return ok({ state: `recovery_stage::${stage}` });
}
