import { acls, registryAcls } from './acls.ts';
import { clusterConfigs } from './cluster-configs.ts';
import type { Kind } from './kind.ts';
import { clientMetrics, groups } from './named-configs.ts';
import { quotas } from './quotas.ts';
import { roles } from './roles.ts';
import { schemas } from './schemas.ts';
import { topics } from './topics.ts';
import { users } from './users.ts';

/** The kinds of resources, in the order of the file. A new one is a module like these, and its name here. */
export const kinds: readonly Kind[] = [
  topics,
  groups,
  users,
  roles,
  acls,
  registryAcls,
  quotas,
  schemas,
  clientMetrics,
  clusterConfigs,
];
