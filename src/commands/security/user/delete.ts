import { command, many } from '../../../cli/command.ts';
import { count } from '../../../format/count.ts';
import { statusCell } from '../../../format/status.ts';
import { table } from '../../../format/table.ts';
import { deletedUser } from '../../../kafka/access/user-rows.ts';
import { listOf } from '../../../shape/shape.ts';
import { apiFlag, apiHelp, chooseApi } from '../../api-choice.ts';
import { checkWholeUsers, deleteAdminUsers } from './admin-users.ts';
import { mechanismFlag, userName } from './user-kinds.ts';

/** `security user delete` */
export const deleteCommand = command({
  summary: 'Delete users (SCRAM)',
  description: `The users can no longer log in. Clients that are logged in stay connected. The ACLs of the users are kept; delete
them with weir security acl delete.

${apiHelp}
The Admin API deletes users with all their mechanisms only.`,
  examples: [
    ['Two users', 'security user delete ana bea'],
    ['One mechanism of a user, without a prompt', 'security user delete ana --mechanism scram-sha-512 --yes'],
    ['Show what would be deleted', 'security user delete ana --dry-run'],
  ],
  apis: ['kafka', 'admin'],
  args: { users: many(userName, 'USER', 'names of users') },
  flags: {
    api: apiFlag,
    mechanism: mechanismFlag('mechanisms to delete (default: all)'),
  },
  changes: 'destroys',
  result: listOf(deletedUser),
  namesAll: true,
  async plan(context, { users, mechanism, api: asked }) {
    const api = await chooseApi(context, asked);
    if (api === 'admin') checkWholeUsers(mechanism);
    const names = [...new Set(users)].sort();
    return api === 'admin' ? { api, names, known: await (await context.admin()).users('leader') } : { api, names };
  },
  confirm(_context, { mechanism }, { api, names }) {
    const what = mechanism.length === 0 ? '' : `the ${mechanism.join(' and ')} credential of `;
    const name = count(names.length, 'user');
    return {
      question: `Delete ${what}${name} (${names.join(', ')})`,
      name: names.length === 1 ? String(names[0]) : name,
      api,
    };
  },
  async run(context, { mechanism, dryRun }, { names, known }) {
    if (known !== undefined) return deleteAdminUsers(context, { names, known: new Set(known), isDryRun: dryRun });
    return (await context.kafka()).deleteUsers({ users: names, mechanisms: mechanism, dryRun });
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
