import type { Reply } from '../http/reply.ts';
import { AdminError } from './admin-error.ts';
import { brokerRoutes } from './brokers/routes.ts';
import { featureRoutes } from './cluster/features.ts';
import { healthRoutes } from './cluster/health.ts';
import { transformRoutes } from './cluster/transforms.ts';
import { usageRoutes } from './cluster/usage.ts';
import { licenseRoutes } from './config/license.ts';
import { configRoutes } from './config/routes.ts';
import { bundleRoutes } from './debug/bundle-routes.ts';
import { loggerRoutes } from './debug/logger-levels.ts';
import { debugRoutes } from './debug/routes.ts';
import { selfTestRoutes } from './debug/self-test-routes.ts';
import { clusterPartitionRoutes } from './partitions/cluster-partitions.ts';
import { forcedRecoveryRoutes } from './partitions/forced-recovery.ts';
import { leadershipRoutes, partitionRoutes } from './partitions/routes.ts';
import { transactionRoutes } from './partitions/transactions.ts';
import { type AdminRequest, by, done, ok, type Route, route, whole } from './request.ts';
import { roleRoutes } from './security/roles.ts';
import { userRoutes } from './security/users.ts';
import { migrationRoutes } from './storage/migrations.ts';
import { recoveryRoutes } from './storage/recovery.ts';
import { topicStorageRoutes } from './storage/topic-storage.ts';
import { toSeconds, type World } from './world.ts';

/** The routes of OpenID Connect. */
const oidcRoutes: readonly Route[] = [
  route('oidc.whoami', 'GET /v1/security/oidc/whoami', by.user, whoami),
  route('oidc.keys.invalidate', 'POST /v1/security/oidc/keys/cache_invalidate', by.superuser, () => done),
  route('oidc.revoke', 'POST /v1/security/oidc/revoke', by.superuser, revoke),
];

function whoami({ state }: World, { headers, user }: AdminRequest): Reply {
  const [scheme, token = ''] = (headers.authorization ?? '').split(/ +/);
  const login = scheme?.toLowerCase() === 'bearer' ? state.tokens.get(token) : undefined;
  if (login === undefined || user === null) throw new AdminError(401, 'a valid token is required');
  return ok({ id: login.principal, expire: toSeconds(login.expiresAt) });
}

function revoke({ state }: World): Reply {
  state.tokens.clear();
  return done;
}

/** Every route of the Admin API that the simulator serves. Routes with fixed words come before those with parameters. */
export const adminRoutes: readonly Route[] = [
  ...brokerRoutes,
  ...healthRoutes,
  ...clusterPartitionRoutes,
  ...configRoutes,
  ...loggerRoutes,
  ...userRoutes,
  ...roleRoutes,
  ...oidcRoutes,
  ...licenseRoutes,
  ...featureRoutes,
  ...forcedRecoveryRoutes,
  ...partitionRoutes,
  ...leadershipRoutes,
  ...transactionRoutes,
  ...selfTestRoutes,
  ...recoveryRoutes,
  ...topicStorageRoutes,
  ...migrationRoutes,
  ...bundleRoutes,
  ...debugRoutes,
  ...transformRoutes,
  ...usageRoutes,
];

/** The routes that the simulator serves: those of the API, and one that tells whether a node listens. */
export const servedRoutes: readonly Route[] = [
  ...adminRoutes,
  route('sim.health', 'GET /sim/health', by.open, () => whole({ ready: true })),
];
