import { apiFlag, byApi } from '../../../cli/by-api.ts';
import { type Confirmation, many } from '../../../cli/command.ts';
import { count } from '../../../format/count.ts';
import { statusCell } from '../../../format/status.ts';
import { table } from '../../../format/table.ts';
import type { ScramMechanism } from '../../../kafka/cluster/access/scram-words.ts';
import { deletedUser } from '../../../kafka/cluster/access/user-rows.ts';
import { listOf } from '../../../shape/shape.ts';
import { existingRows, ifExists } from '../../missing.ts';
import { checkWholeUsers, deleteAdminUsers } from './admin-users.ts';
import { mechanismFlag, userName } from './user-kinds.ts';

/** `security user delete` */
export const deleteCommand = byApi({
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
  result: listOf(deletedUser),
  namesAll: true,
  read: (_context, { users, ...values }) => ({ ...values, users: [...new Set(users)].sort() }),
  kafka: {
    confirm: (_context, values) => questionOf(values),
    async run(context, { users, mechanism: mechanisms, ifExists: isOptional, dryRun }) {
      const rows = await (await context.kafka()).deleteUsers({ users, mechanisms, dryRun });
      return isOptional ? existingRows(context, rows, ({ user }) => user) : rows;
    },
  },
  admin: {
    help: 'The Admin API deletes users with all their mechanisms only.',
    plan: (_context, { mechanism }) => checkWholeUsers(mechanism),
    confirm: (_context, values) => questionOf(values),
    async run(context, values) {
      const rows = await deleteAdminUsers(context, values);
      return values.ifExists ? existingRows(context, rows, ({ user }) => user) : rows;
    },
  },
  show: {
    text: (rows, view) =>
      table(
        ['username', 'status'],
        rows.map(({ user, mechanisms, dry_run: isDryRun, error }) => [
          user,
          statusCell(
            error,
            isDryRun
              ? `OK (dry run: would be deleted${mechanisms === null ? '' : `, ${mechanisms.join(', ')}`})`
              : 'OK',
          ),
        ]),
        view,
      ),
  },
});

interface Deletion {
  readonly users: readonly string[];
  readonly mechanism: readonly ScramMechanism[];
}

/** The line has all that the question names, so that nothing is read before a refusal. */
function questionOf({ users, mechanism }: Deletion): Confirmation {
  const what = mechanism.length === 0 ? '' : `the ${mechanism.join(' and ')} credential of `;
  const name = count(users.length, 'user');
  return {
    question: `Delete ${what}${name} (${users.join(', ')})`,
    name: users.length === 1 ? String(users[0]) : name,
  };
}
