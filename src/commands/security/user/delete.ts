import { apiFlag } from '../../../cli/by-api.ts';
import { many } from '../../../cli/command.ts';
import { changeByApi, ifExists } from '../../../cli/forms/change.ts';
import { count } from '../../../format/count.ts';
import type { ScramMechanism } from '../../../kafka/cluster/access/scram-words.ts';
import { listOf, maybe, type RowOf, row, string } from '../../../shape/shape.ts';
import { adminUserErrors, checkWholeUsers, deleteAdminUsers } from './admin-users.ts';
import { mechanismFlag, userName } from './user-kinds.ts';

/** A user to delete. The mechanisms are those of its credentials; null if the Admin API deletes it, which does not show them. */
const DeletedUser = row({ user: string, mechanisms: maybe(listOf(string)) });
type DeletedUser = RowOf<typeof DeletedUser>;

/** `security user delete` */
export const deleteCommand = changeByApi({
  summary: 'Delete users (SCRAM)',
  description: `The users can no longer log in. Clients that are logged in stay connected. The ACLs of the users are kept; delete
them with weir security acl delete.`,
  examples: [
    ['Two users', 'security user delete ana bea'],
    ['One mechanism of a user, without a prompt', 'security user delete ana --mechanism scram-sha-512 --yes'],
    ['Show what would be deleted', 'security user delete ana --dry-run'],
  ],
  args: { users: many(userName, 'USER', 'names of users') },
  flags: {
    api: apiFlag,
    mechanism: mechanismFlag('mechanisms to delete (default: all)'),
    ifExists,
  },
  changes: 'destroys',
  namesAll: true,
  noun: 'user',
  item: DeletedUser,
  kafka: {
    async plan(context, { users, mechanism }) {
      return await (await context.kafka()).planUserDeletion(users, mechanism);
    },
    asks: (users, values) => questionOf(users, values),
    apply: async (context, users) => (await context.kafka()).deleteUsers(users),
  },
  admin: {
    help: 'The Admin API deletes users with all their mechanisms only.',
    async plan(context, { users, mechanism }) {
      checkWholeUsers(mechanism);
      const existing = await adminUserErrors(context, [...new Set(users)].sort());
      return existing.map((user) => ({ ...user, mechanisms: null }));
    },
    asks: questionOf,
    apply: (context, users) => deleteAdminUsers(context, users.map(nameOf)),
  },
  columns: [['username', nameOf]],
  would: ({ mechanisms }) => ['be deleted', ...(mechanisms ?? [])].join(', '),
});

function questionOf(
  users: readonly DeletedUser[],
  { mechanism }: { readonly mechanism: readonly ScramMechanism[] },
): string {
  const what = mechanism.length === 0 ? '' : `the ${mechanism.join(' and ')} credential of `;
  return `Delete ${what}${count(users.length, 'user')} (${users.map(nameOf).join(', ')})`;
}

function nameOf({ user }: DeletedUser): string {
  return user;
}
