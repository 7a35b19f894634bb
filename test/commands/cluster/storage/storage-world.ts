import type { AdminParts } from '../../../../src/sandbox/admin/admin-api.ts';
import type { ControlledParts } from '../../../sandbox/admin/controlled.ts';
import { sandboxTrial } from '../../../sandbox/admin/simulator.ts';
import { type AdminWorld, adminWorld } from '../admin-world.ts';

/** What a simulated cluster has besides tiered storage. */
export interface StorageParts extends Pick<AdminParts, 'tls'> {
  readonly users?: NonNullable<AdminParts['seeds']>['users'];
  readonly config?: Readonly<Record<string, unknown>>;
}

/** A simulated cluster with tiered storage, in which the topic `archive` can be mounted. */
export function storageWorld(settings?: ControlledParts['settings'], parts: StorageParts = {}): Promise<AdminWorld> {
  const { users = [], config = {}, tls } = parts;
  return adminWorld({
    ...(settings && { settings }),
    ...(tls && { tls }),
    seeds: {
      users,
      license: sandboxTrial,
      config: { cloud_storage_enabled: true, cloud_storage_bucket: 'sandbox', ...config },
      mountable: [
        { ns: 'kafka', topic: 'archive', location: 'archive/67f5505a-32f1-4677-bcad-3c75a1a702a6/7', partitions: 2 },
        { ns: 'other', topic: 'archive', location: 'archive/uuid/8', partitions: 1 },
      ],
    },
  });
}
