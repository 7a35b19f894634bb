import type { Settings } from '../../../src/sandbox/admin/settings.ts';
import { sandboxTrial } from '../../sandbox/admin/simulator.ts';
import { type AdminWorld, adminWorld } from './admin-world.ts';

/** A simulated cluster with tiered storage, in which the topic `archive` can be mounted. */
export function storageWorld(settings?: Partial<Settings>): Promise<AdminWorld> {
  return adminWorld({
    ...(settings && { settings }),
    seeds: {
      license: sandboxTrial,
      config: { cloud_storage_enabled: true },
      mountable: [
        { ns: 'kafka', topic: 'archive', location: 'archive/67f5505a-32f1-4677-bcad-3c75a1a702a6/7', partitions: 2 },
        { ns: 'other', topic: 'archive', location: 'archive/uuid/8', partitions: 1 },
      ],
    },
  });
}
