import { leavesOf, walkTree } from '../../src/cli/help/tree.ts';
import { commands } from '../../src/commands/index.ts';

/** Which commands of the Admin API each file of fault tests answers for, by their paths. */
export const adminAreas = {
  /** cluster/admin-faults.test.ts, partitions/partition-faults.test.ts */
  brokers: /^(cluster (brokers|maintenance|partitions)|topic describe-storage|redpanda admin (brokers|partitions)) ?/,
  /** cluster/config/config-faults.test.ts */
  config: /^cluster config /,
  /** cluster/storage/storage-faults.test.ts */
  storage: /^cluster (license|self-test|storage) /,
  /** security/access-faults.test.ts */
  access: /^(security |acl user |cluster health$)/,
  /** debug/node-faults.test.ts */
  nodes: /^(transform|debug|redpanda admin config) /,
  /** The doctor has tests of its own; the others only show the options of the Admin API. */
  none: /^(doctor|config (show|explain))$/,
} as const satisfies Readonly<Record<string, RegExp>>;

/** Every command that may call the Admin API. */
export const adminLeaves = leavesOf(await walkTree(commands)).filter(({ command }) => command.apis.includes('admin'));

/** Those of one area that are in the help. */
export const shownLeavesOf = (area: keyof typeof adminAreas) =>
  adminLeaves.filter(({ path, command }) => adminAreas[area].test(path.join(' ')) && !command.hidden);
