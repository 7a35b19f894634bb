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
    plan: (_context, { users }) => namedUsers(users),
    asks: questionOf,
    validate: async (context, users, { mechanism }) =>
      (await context.kafka()).planUserDeletion(users.map(nameOf), mechanism),
    apply: async (context, users, { mechanism }) => (await context.kafka()).deleteUsers(users.map(nameOf), mechanism),
  },
  admin: {
    help: 'The Admin API deletes users with all their mechanisms only.',
    plan(_context, { users, mechanism }) {
      checkWholeUsers(mechanism);
      return namedUsers(users);
    },
    asks: questionOf,
    validate: (context, users) => adminUserErrors(context, users.map(nameOf)),
    apply: (context, users) => deleteAdminUsers(context, users.map(nameOf)),
  },
  columns: [['username', nameOf]],
  would: ({ mechanisms }) => ['be deleted', ...(mechanisms ?? [])].join(', '),
});

function namedUsers(users: readonly string[]): readonly DeletedUser[] {
  return [...new Set(users)].sort().map((user) => ({ user, mechanisms: null }));
}

/** The line has all that the question names, so that nothing is read before a refusal. */
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
