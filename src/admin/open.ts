import type { Deadline } from '../deadline.ts';
import type { RetryWorld } from '../net/retry.ts';
import { createCurrentUserCalls } from './access/current-user.ts';
import { createRoleCalls } from './access/roles.ts';
import { createUserCalls } from './access/users.ts';
import { createBrokerCalls } from './brokers/brokers.ts';
import { createWaits } from './brokers/waits.ts';
import type { Api } from './client/api.ts';
import { type AdminOptions, openApi } from './client/api.ts';
import { createConfigCalls } from './config.ts';
import { createConnectionCalls } from './connections.ts';
import { createBundleCalls } from './debug/bundles.ts';
import { createNodeCalls } from './debug/node-settings.ts';
import { createIcebergCalls } from './iceberg.ts';
import { createLicenseCalls } from './license.ts';
import { createMoveCalls } from './partitions/moves.ts';
import { createPlacementCalls } from './partitions/placement.ts';
import { createSelfTestCalls } from './self-test.ts';
import { createShadowCalls } from './shadow/links.ts';
import { createMigrationWaits } from './storage/migration-waits.ts';
import { createMountCalls } from './storage/mounts.ts';
import { createRestoreCalls } from './storage/restore.ts';
import { createTransformCalls } from './transforms.ts';
import { createUpgradeCalls } from './upgrade.ts';

/** The client of the Admin API. Every call throws CliError if it fails as a whole. */
export type Admin = ReturnType<typeof openAdmin>;

/** Opens the client of the Admin API without opening a connection. */
export function openAdmin(options: AdminOptions, world: RetryWorld = options.deadline.clock) {
  const { api, close } = openApi(options, world);
  return {
    ...createCalls(api, options.deadline, world),
    /** Closes all connections. */
    close,
  };
}

/** The calls of the client. */
export function createCalls(api: Api, deadline: Deadline, world: RetryWorld) {
  const parts = { deadline, world };
  const brokers = createBrokerCalls(api);
  const mounts = createMountCalls(api);
  return {
    ...brokers,
    ...createWaits(brokers, parts),
    ...createConfigCalls(api, parts),
    ...createPlacementCalls(api),
    ...createMoveCalls(api, parts),
    ...createLicenseCalls(api),
    ...createSelfTestCalls(api, parts),
    ...mounts,
    ...createMigrationWaits(mounts.migration, parts),
    ...createRestoreCalls(api, parts),
    ...createTransformCalls(api),
    ...createShadowCalls(api, parts),
    ...createBundleCalls(api, parts),
    ...createNodeCalls(api),
    ...createRoleCalls(api),
    ...createUserCalls(api),
    ...createCurrentUserCalls(api),
    ...createConnectionCalls(api),
    ...createUpgradeCalls(api),
    ...createIcebergCalls(api),
  };
}
