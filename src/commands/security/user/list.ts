import { any, command } from '../../../cli/command.ts';
import { columnTable, errorColumn } from '../../../format/columns.ts';
import { listedUser } from '../../../kafka/access/user-rows.ts';
import { listOf } from '../../../shape/shape.ts';
import { apiFlag, apiHelp, chooseApi } from '../../api-choice.ts';
import { listAdminUsers } from './admin-users.ts';
import { userName } from './user-kinds.ts';

/** `security user list` */
export const list = command({
  summary: 'List users (SCRAM)',
  description: `Lists the users that have a SCRAM credential in the cluster. Users of other mechanisms, and users in the
configuration files of brokers, are not listed.

${apiHelp}
The Admin API shows only the names of users.`,
  examples: [
    ['All users', 'security user list'],
    ['With the mechanisms of each', 'security user list --format wide'],
  ],
  aliases: ['ls'],
  apis: ['kafka', 'admin'],
  args: { users: any(userName, 'USER', 'names of users (default: all)') },
  flags: { api: apiFlag },
  changes: 'reads',
  result: listOf(listedUser),
  async run(context, { users, api }) {
    const names = users.length === 0 ? 'all' : users;
    if ((await chooseApi(context, api)) === 'admin') return listAdminUsers(context, names);
    return (await context.kafka()).listUsers(names);
  },
  show: {
    text: (rows, view) => columnTable(rows, [['username', ({ user }) => user], errorColumn(rows)], view),
    wide: (rows, view) =>
      columnTable(
        rows.flatMap(({ user, credentials, error }) =>
          (error === null && credentials !== null ? credentials : [null]).map((one) => ({ user, ...one, error })),
        ),
        [
          ['username', ({ user }) => user],
          ['mechanism', ({ mechanism }) => mechanism],
          ['iterations', ({ iterations }) => iterations],
          errorColumn(),
        ],
        view,
      ),
  },
});
