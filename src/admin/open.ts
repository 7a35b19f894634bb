import type { Deadline } from '../deadline.ts';
import type { RetryWorld } from '../net/retry.ts';
import { openRoleCalls } from './access/roles.ts';
import { openUserCalls } from './access/users.ts';
import { openBrokerCalls } from './brokers/brokers.ts';
import { openWaits } from './brokers/waits.ts';
import type { Api } from './client/api.ts';
import { type AdminOptions, connect } from './client/connect.ts';
import { openConfigCalls } from './config/config.ts';
import { openBundleCalls } from './debug/bundles.ts';
import { openNodeCalls } from './debug/node-settings.ts';
import { openLicenseCalls } from './license/license.ts';
import { openLostCalls } from './partitions/lost-partitions.ts';
import { openMoveCalls } from './partitions/moves.ts';
import { openPlacementCalls } from './partitions/placement.ts';
import { openSelfTestCalls } from './self-test/self-test.ts';
import { openMigrationWaits } from './storage/migration-waits.ts';
import { openMountCalls } from './storage/mounts.ts';
import { openRestoreCalls } from './storage/restore.ts';
import { openTransformCalls } from './transforms/transforms.ts';

/** The client of the Admin API. Every call throws CliError if it fails as a whole. */
export type Admin = ReturnType<typeof openAdmin>;

/** Opens the client of the Admin API without opening a connection. */
export function openAdmin(options: AdminOptions, world: RetryWorld = options.deadline.clock) {
  const { api, close } = connect(options, world);
  return {
    ...openCalls(api, options.deadline, world),
    /** Closes all connections. */
    close,
  };
}

/** The calls of the client. */
export function openCalls(api: Api, deadline: Deadline, world: RetryWorld) {
  const parts = { deadline, world };
  const brokers = openBrokerCalls(api);
  const mounts = openMountCalls(api);
  return {
    ...brokers,
    ...openWaits(brokers, parts),
    ...openConfigCalls(api, parts),
    ...openPlacementCalls(api),
    ...openMoveCalls(api, parts),
    ...openLostCalls(api),
    ...openLicenseCalls(api),
    ...openSelfTestCalls(api, parts),
    ...mounts,
    ...openMigrationWaits(mounts.migration, parts),
    ...openRestoreCalls(api, parts),
    ...openTransformCalls(api),
    ...openBundleCalls(api, parts),
    ...openNodeCalls(api),
    ...openRoleCalls(api),
    ...openUserCalls(api),
  };
}
