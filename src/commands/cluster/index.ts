import { noun } from '../../cli/command.ts';
import { auth } from './auth/index.ts';
import { brokers } from './brokers/index.ts';
import { config } from './config/index.ts';
import { connections } from './connections.ts';
import { features } from './features.ts';
import { health } from './health.ts';
import { iceberg } from './iceberg.ts';
import { info } from './info.ts';
import { license } from './license/index.ts';
import { logdirs } from './logdirs.ts';
import { loggers } from './loggers/index.ts';
import { maintenance } from './maintenance/index.ts';
import { partitions } from './partitions/index.ts';
import { quotas } from './quotas/index.ts';
import { restartCheck } from './restart-check.ts';
import { selfTest } from './self-test/index.ts';
import { storage } from './storage/index.ts';
import { txn } from './txn/index.ts';
import { upgrade } from './upgrade/index.ts';

/** `cluster` */
export const cluster = noun({
  summary: 'Inspect the cluster; manage brokers, configs and quotas',
  groups: {
    Overview: { info, health, features, connections },
    'Configs and limits': { config, quotas, license },
    Brokers: { brokers, maintenance, 'restart-check': restartCheck, upgrade, logdirs, loggers, 'self-test': selfTest },
    'Partitions and transactions': { partitions, storage, iceberg, txn },
    'Signing in': { auth },
  },
});
