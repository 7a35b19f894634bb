import { blocks, prose, titled } from '../../cli/help/help.ts';

/** What the verbs of a noun (if it has any) need. */
type Needs = readonly [noun: string, verbs: readonly string[], needs: string];

/** What the brokers check, in the words of `security acl create`. */
export const permissions: readonly Needs[] = [
  ['topic', ['list'], 'describe on each topic that is to be listed'],
  [
    'topic',
    ['describe'],
    'describe on the topic; describe_configs on the topic for its configs, and describe on the cluster for its sizes',
  ],
  ['topic', ['create'], 'create on the topic, or create on the cluster'],
  ['topic', ['delete'], 'delete on the topic, or, on Apache Kafka, delete on the cluster'],
  ['topic', ['produce'], 'write on the topic'],
  ['topic', ['analyze'], 'read on the topic'],
  [
    'topic',
    ['copy'],
    'read on the topic; read and write on the destination, read on the group weir-copy-TOPIC-CLUSTER (or that of -g) there, and with --exactly-once write on the transactional ids that begin with that name',
  ],
  [
    'topic',
    ['redrive'],
    'read on the topic; write on the topics that the records go to, read on the group weir-redrive-TOPIC (or that of -g), and with --exactly-once write on the transactional ids that begin with that name',
  ],
  ['topic', ['consume', 'search'], 'read on the topic; with -g also read on the group'],
  ['topic', ['alter-config', 'set-config'], 'alter_configs on the topic'],
  ['topic', ['add-partitions'], 'alter on the topic'],
  ['topic', ['trim-prefix'], 'delete on the topic'],
  ['topic', ['find'], 'describe on the topic'],
  ['topic', ['elect-leaders'], 'alter on the cluster, and describe on the topic'],
  ['topic reassign', ['plan'], 'describe on the topic and on the cluster'],
  ['topic reassign', ['list'], 'describe on the cluster'],
  [
    'topic reassign',
    ['execute', 'cancel'],
    'alter on the cluster, and describe on the topic; for throttles also alter_configs on both',
  ],
  [
    'topic reassign',
    ['wait'],
    'describe on the cluster; to remove throttles also alter_configs on the cluster and the topic',
  ],
  ['group', ['list'], 'describe on each group that is to be listed, or describe on the cluster'],
  ['group', ['describe', 'lag'], 'describe on the group and on its topics'],
  ['group', ['seek'], 'read on the group and on its topics'],
  ['group', ['delete'], 'delete on the group'],
  ['group', ['offset-delete'], 'delete on the group, and read on the topic'],
  ['cluster', ['info', 'health'], 'describe on each topic that is to be listed or checked'],
  ['cluster', ['restart-check'], 'describe and describe_configs on each topic that is to be checked'],
  ['cluster', ['features'], 'nothing'],
  ['cluster config', ['get', 'list'], 'describe_configs on the cluster'],
  ['cluster config', ['set'], 'alter_configs on the cluster'],
  ['cluster loggers', ['list', 'get'], 'describe_configs on the cluster'],
  ['cluster loggers', ['set'], 'alter_configs on the cluster'],
  ['cluster logdirs', ['describe'], 'describe on the cluster'],
  ['cluster quotas', ['describe'], 'describe_configs on the cluster'],
  ['cluster quotas', ['alter', 'import'], 'alter_configs on the cluster'],
  ['cluster txn', ['list', 'describe'], 'describe on the transactional id'],
  ['cluster txn', ['describe-producers'], 'read on the topic'],
  ['cluster txn', ['find-hanging'], 'read on the topic, and describe on the transactional id'],
  ['cluster txn', ['abort'], 'alter on the cluster, and read on the topic'],
  [
    '',
    ['top'],
    'describe on each topic and group that is to be shown; describe on the cluster for sizes, and for all groups',
  ],
  [
    '',
    ['diff', 'export'],
    'describe and describe_configs on each topic and group; describe and describe_configs on the cluster for users, ACLs and quotas',
  ],
  [
    '',
    ['apply'],
    'what weir diff needs and, for the changes, create, alter, alter_configs and delete on topics; alter and alter_configs on the cluster for users, ACLs and quotas',
  ],
  ['', ['doctor'], 'any operation on the cluster, or describe on any topic; otherwise one of its checks fails'],
  ['transform', ['logs'], 'read on the topic _redpanda.transform_logs'],
  ['security acl', ['list', 'explain'], 'describe on the cluster'],
  ['security acl', ['create'], 'alter on the cluster'],
  ['security acl', ['delete'], 'alter on the cluster'],
  ['security user', ['list'], 'describe on the cluster'],
  ['security user', ['create', 'update', 'delete'], 'alter on the cluster'],
  ['security role', ['describe', 'delete'], 'describe on the cluster, to show the ACLs of the role'],
];

/** What the Admin API checks if it requires authentication. */
export const adminPermissions: readonly Needs[] = [
  ['', ['top'], 'a user'],
  ['cluster brokers', ['list', 'decommission-status'], 'a user'],
  ['cluster brokers', ['decommission', 'recommission'], 'a superuser'],
  ['cluster maintenance', ['status'], 'a user'],
  ['cluster maintenance', ['enable', 'disable'], 'a superuser'],
  [
    'cluster config',
    ['get', 'set', 'list', 'export', 'import', 'edit', 'status', 'lint'],
    'a superuser; one that has only the Kafka API needs the permissions above',
  ],
  ['cluster loggers', ['list', 'get', 'set'], 'a superuser'],
  ['cluster partitions', ['balancer-status'], 'nothing'],
  ['cluster partitions', ['list', 'move-status'], 'a user'],
  ['cluster partitions', ['unsafe-recover'], 'a superuser'],
  ['cluster partitions', ['move', 'move-cancel', 'enable', 'disable'], 'a superuser'],
  ['cluster partitions', ['balance', 'transfer-leadership'], 'a superuser'],
  ['topic', ['describe-storage'], 'a user'],
  ['cluster license', ['info'], 'a user'],
  ['cluster license', ['set'], 'a superuser'],
  ['cluster self-test', ['status'], 'a user'],
  ['cluster self-test', ['start', 'stop'], 'a superuser'],
  ['cluster connections', ['list'], 'a superuser'],
  ['cluster upgrade', ['status', 'finalize'], 'a superuser'],
  ['cluster iceberg', ['status'], 'a superuser'],
  ['cluster storage', ['list-mountable', 'mount', 'unmount'], 'a superuser'],
  ['cluster storage', ['list-mount', 'status-mount'], 'a superuser'],
  ['cluster storage', ['cancel-mount'], 'a superuser'],
  ['cluster storage restore', ['status', 'start'], 'a superuser'],
  ['debug remote-bundle', ['start', 'status', 'download', 'cancel'], 'a superuser'],
  ['', ['diff', 'apply', 'export'], 'a superuser, for roles'],
  ['transform', ['list'], 'a user'],
  ['transform', ['deploy', 'pause', 'resume', 'delete'], 'a superuser'],
  ['shadow', ['create', 'list', 'describe', 'status', 'update', 'failover', 'delete'], 'a superuser'],
  ['cluster', ['health', 'restart-check'], 'nothing'],
  ['security user', ['list', 'create', 'update', 'delete'], 'a superuser'],
  ['security', ['whoami'], 'a user'],
  ['security acl', ['explain'], 'a superuser, to read the roles of a user'],
  ['security role', ['list', 'describe', 'create', 'assign', 'unassign', 'delete'], 'a superuser'],
];

/** What a command needs of the brokers, by its path such as `topic`, `consume`; undefined if it is not listed. */
export function neededFor(path: readonly string[]): string | undefined {
  const [noun, verb = ''] = [path.slice(0, -1).join(' '), path.at(-1)];
  return permissions.find(([ofNoun, verbs]) => ofNoun === noun && verbs.includes(verb))?.[2];
}

/** `weir help permissions`. */
export function permissionsHelp(columns?: number): string {
  return blocks([
    titled('Permissions', permissions.map(rowOf), columns),
    titled('For the Admin API, if it requires authentication', adminPermissions.map(rowOf), columns),
    prose(
      'A permission to read, write, delete or alter includes describe; alter_configs includes describe_configs; all ' +
        'includes everything. Grant permissions with weir security acl create, and check them with weir security acl ' +
        'explain. A principal that may write to any topic may also do so as an idempotent producer.',
      columns,
    ),
  ]);
}

function rowOf([noun, verbs, needs]: Needs): [command: string, needs: string] {
  return [`${noun} ${verbs.join('|')}`.trim(), needs];
}
