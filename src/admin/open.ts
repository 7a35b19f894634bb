import type { Deadline } from '../deadline.ts';
import type { RetryWorld } from '../net/retry.ts';
import { openRoleCalls } from './access/roles.ts';
import { openUserCalls } from './access/users.ts';
import type { Admin } from './admin.ts';
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
import { openPartitionCalls } from './partitions/partitions.ts';
import { openPlacementCalls } from './partitions/placement.ts';
import { openTopicStorageCalls } from './partitions/topic-storage.ts';
import { openSelfTestCalls } from './self-test/self-test.ts';
import { openStorageCalls } from './storage/storage.ts';
import { openTransformCalls } from './transforms/transforms.ts';

/** Opens the client of the Admin API without opening a connection. */
export function openAdmin(options: AdminOptions, world: RetryWorld = options.deadline.clock): Admin {
  const { api, close } = connect(options, world);
  return { ...openCalls(api, options.deadline, world), close };
}

/** The calls of the client. */
export function openCalls(api: Api, deadline: Deadline, world: RetryWorld): Omit<Admin, 'close'> {
  const parts = { deadline, world };
  const brokers = openBrokerCalls(api);
  return {
    ...brokers,
    ...openWaits(brokers, parts),
    ...openPartitionCalls(api),
    ...openConfigCalls(api, parts),
    ...openPlacementCalls(api),
    ...openMoveCalls(api, parts),
    ...openLostCalls(api),
    ...openTopicStorageCalls(api),
    ...openLicenseCalls(api),
    ...openSelfTestCalls(api, parts),
    ...openStorageCalls(api, parts),
    ...openTransformCalls(api),
    ...openBundleCalls(api, parts),
    ...openNodeCalls(api),
    ...openRoleCalls(api),
    ...openUserCalls(api),
  };
}
