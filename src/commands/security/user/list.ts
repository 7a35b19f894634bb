import { apiFlag, byApi } from '../../../cli/by-api.ts';
import { any } from '../../../cli/command.ts';
import { type Column, errorAlways, errorIfAny, tableOf } from '../../../cli/forms/columns.ts';
import { ListedUser } from '../../../kafka/cluster/access/user-rows.ts';
import { listOf } from '../../../shape/shape.ts';
import { listAdminUsers } from './admin-users.ts';
import { userName } from './user-kinds.ts';

const username: Column<Pick<ListedUser, 'user'>> = ['username', ({ user }) => user];

const tellsPasswords = (rows: readonly ListedUser[]) =>
  rows.some(({ credentials }) => credentials?.some((one) => one.password_set_at !== null));

/** What the Admin API tells of the one credential that a user has there. */
const credential: readonly Column<ListedUser>[] = [
  ['mechanism', ({ credentials }) => credentials?.[0]?.mechanism ?? null, tellsPasswords],
  ['password set', ({ credentials }) => credentials?.[0]?.password_set_at ?? null, tellsPasswords],
];

/** `security user list` */
export const list = byApi({
  summary: 'List users (SCRAM)',
  description: `Lists the users that have a SCRAM credential in the cluster. Users of other mechanisms, and users in the
configuration files of brokers, are not listed.`,
  examples: [
    ['All users', 'security user list'],
    ['With the mechanisms of each', 'security user list --format wide'],
  ],
  aliases: ['ls'],
  args: { users: any(userName, 'USER', 'names of users (default: all)') },
  flags: { api: apiFlag },
  result: listOf(ListedUser),
  read: (_context, { users }) => ({ names: users.length === 0 ? ('all' as const) : users }),
  kafka: { run: async (context, { names }) => (await context.kafka()).listUsers(names) },
  admin: {
    help: 'The Admin API also tells when the password was set (from Redpanda 26.1 on; before, only the names of users).',
    run: (context, { names }) => listAdminUsers(context, names),
  },
  show: {
    text: (rows, view) => tableOf(rows, [username, ...credential, errorIfAny()], view),
    wide: (rows, view) =>
      tableOf(
        rows.flatMap(({ user, credentials, error }) =>
          (error === null && credentials !== null ? credentials : [null]).map((one) => ({ user, ...one, error })),
        ),
        [
          username,
          ['mechanism', ({ mechanism }) => mechanism],
          ['iterations', ({ iterations }) => iterations ?? null],
          [
            'password set',
            ({ password_set_at: at }) => at ?? null,
            (shown) => shown.some((one) => one.password_set_at),
          ],
          errorAlways(),
        ],
        view,
      ),
  },
});
