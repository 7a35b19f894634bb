import { restartRoutes } from './brokers/restart.ts';
import { brokerRoutes } from './brokers/routes.ts';
import { connectionRoutes } from './cluster/connections.ts';
import { featureRoutes } from './cluster/features.ts';
import { healthRoutes } from './cluster/health.ts';
import { icebergRoutes } from './cluster/iceberg.ts';
import { transformRoutes } from './cluster/transforms.ts';
import { upgradeRoutes } from './cluster/upgrade.ts';
import { licenseRoutes } from './config/license.ts';
import { configRoutes } from './config/routes.ts';
import { bundleRoutes } from './debug/bundle-routes.ts';
import { loggerRoutes } from './debug/logger-routes.ts';
import { selfTestRoutes } from './debug/self-test-routes.ts';
import { clusterPartitionRoutes } from './partitions/cluster-partitions.ts';
import { forcedRecoveryRoutes } from './partitions/forced-recovery.ts';
import { leadershipRoutes, partitionRoutes } from './partitions/routes.ts';
import { by, type Route, route, whole } from './request.ts';
import { roleRoutes } from './security/roles.ts';
import { userRoutes } from './security/users.ts';
import { shadowRoutes } from './shadow/routes.ts';
import { migrationRoutes } from './storage/migrations.ts';
import { recoveryRoutes } from './storage/recovery.ts';
import { topicStorageRoutes } from './storage/topic-storage.ts';

/** Every route of the Admin API that the simulator serves. Routes with fixed words come before those with parameters. */
export const adminRoutes: readonly Route[] = [
  ...brokerRoutes,
  ...restartRoutes,
  ...healthRoutes,
  ...clusterPartitionRoutes,
  ...configRoutes,
  ...loggerRoutes,
  ...userRoutes,
  ...roleRoutes,
  ...licenseRoutes,
  ...featureRoutes,
  ...upgradeRoutes,
  ...connectionRoutes,
  ...icebergRoutes,
  ...forcedRecoveryRoutes,
  ...partitionRoutes,
  ...leadershipRoutes,
  ...selfTestRoutes,
  ...recoveryRoutes,
  ...topicStorageRoutes,
  ...migrationRoutes,
  ...bundleRoutes,
  ...transformRoutes,
  ...shadowRoutes,
];

/** The routes that the simulator serves: those of the API, and one that tells whether a node listens. */
export const servedRoutes: readonly Route[] = [
  ...adminRoutes,
  route('sim.health', 'GET /sim/health', by.open, () => whole({ ready: true })),
];
