import type { Deadline } from '../../deadline.ts';
import type { RetryWorld } from '../../net/retry.ts';
import type { Api } from '../client/api.ts';
import { openMigrationWaits } from './migration-waits.ts';
import { openMountCalls } from './mounts.ts';
import { openRestoreCalls } from './restore.ts';
import type { StorageCalls } from './storage-rows.ts';

/** The calls about mounts, unmounts and restores. */
export function openStorageCalls(
  api: Api,
  parts: { readonly deadline: Deadline; readonly world: RetryWorld },
): StorageCalls {
  const mounts = openMountCalls(api);
  return { ...mounts, ...openMigrationWaits(mounts, parts), ...openRestoreCalls(api, parts) };
}
