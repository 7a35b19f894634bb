import { command, many } from '../../../cli/command.ts';
import { arrayOf, booleanSchema, itemErrorSchema, object, string } from '../../../cli/output/schema.ts';
import { exitCodeOfItems } from '../../../errors.ts';
import { count } from '../../../format/count.ts';
import { statusCell } from '../../../format/status.ts';
import { table } from '../../../format/table.ts';
import { mechanismFlag, userName } from './user-kinds.ts';

/** `security user delete` */
export const deleteCommand = command({
  summary: 'Delete users (SCRAM)',
  description: `The users can no longer log in. Clients that are logged in stay connected. The ACLs of the users are kept; delete
them with weir security acl delete.`,
  examples: [
    ['Two users', 'security user delete ana bea'],
    ['One mechanism of a user, without a prompt', 'security user delete ana --mechanism scram-sha-512 --yes'],
    ['Show what would be deleted', 'security user delete ana --dry-run'],
  ],
  apis: ['kafka'],
  args: { users: many(userName, 'USER', 'names of users') },
  flags: {
    mechanism: mechanismFlag('mechanisms to delete (default: all)'),
  },
  changes: 'destroys',
  confirm: (_, { users, mechanism }) => {
    const names = [...new Set(users)].sort();
    const what = mechanism.length === 0 ? '' : `the ${mechanism.join(' and ')} credential of `;
    const name = count(names.length, 'user');
    return {
      question: `Delete ${what}${name} (${names.join(', ')})`,
      name: names.length === 1 ? String(names[0]) : name,
    };
  },
  async run(context, { users, mechanism, dryRun }) {
    const kafka = await context.kafka();
    return kafka.deleteUsers({ users, mechanisms: mechanism, dryRun });
  },
  output: {
    schema: arrayOf(
      object({ user: string, mechanisms: arrayOf(string), dry_run: booleanSchema, error: itemErrorSchema }),
    ),
    text: (rows, view) =>
      table(
        ['username', 'status'],
        rows.map(({ user, mechanisms, dry_run: isDryRun, error }) => [
          user,
          statusCell(error, isDryRun ? `OK (dry run: would be deleted, ${mechanisms.join(', ')})` : 'OK'),
        ]),
        view,
      ),
    exitCode: (rows) => exitCodeOfItems(rows.map(({ error }) => error)),
  },
});
