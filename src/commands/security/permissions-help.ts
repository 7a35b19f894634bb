import { blocks, prose, titled } from '../../cli/help/help.ts';

/** What the brokers check for the verbs of a noun, in the words of `security acl create`. */
export const permissions: readonly (readonly [noun: string, verbs: readonly string[], needs: string])[] = [
  ['topic', ['list'], 'describe on each topic that is to be listed'],
  ['topic', ['describe'], 'describe on the topic; describe_configs on the topic for its configs'],
  ['topic', ['create'], 'create on the topic, or create on the cluster'],
  ['topic', ['delete'], 'delete on the topic, or delete on the cluster'],
  ['topic', ['produce'], 'write on the topic'],
  ['topic', ['consume'], 'read on the topic; with -g also read on the group'],
  ['cluster', ['info'], 'describe on each topic that is to be listed'],
  ['security acl', ['list', 'explain'], 'describe on the cluster'],
  ['security acl', ['create'], 'alter on the cluster'],
  ['security acl', ['delete'], 'describe and alter on the cluster'],
  ['security user', ['list'], 'describe on the cluster'],
  ['security user', ['create'], 'describe and alter on the cluster'],
  ['security user', ['update'], 'describe and alter on the cluster'],
  ['security user', ['delete'], 'describe and alter on the cluster'],
];

/** `weir help permissions`. */
export function permissionsHelp(columns?: number): string {
  return blocks([
    titled(
      'Permissions',
      permissions.map(([noun, verbs, needs]) => [`${noun} ${verbs.join('|')}`, needs]),
      columns,
    ),
    prose(
      'A permission to read, write, delete or alter includes describe; alter_configs includes describe_configs; all ' +
        'includes everything. Grant permissions with weir security acl create, and check them with weir security acl ' +
        'explain. A principal that may write to any topic may also do so as an idempotent producer.',
      columns,
    ),
  ]);
}
