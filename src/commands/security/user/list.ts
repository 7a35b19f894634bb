import { any, command } from '../../../cli/command.ts';
import { arrayOf } from '../../../cli/output/schema.ts';
import { exitCodeOfItems } from '../../../errors.ts';
import { statusCell } from '../../../format/status.ts';
import { table } from '../../../format/table.ts';
import { userName } from './user-kinds.ts';
import { userSchema } from './user-text.ts';

/** `security user list` */
export const list = command({
  summary: 'List users (SCRAM)',
  description: `Lists the users that have a SCRAM credential in the cluster. Users of other mechanisms, and users in the
configuration files of brokers, are not listed.`,
  examples: [
    ['All users', 'security user list'],
    ['With the mechanisms of each', 'security user list --format wide'],
  ],
  aliases: ['ls'],
  apis: ['kafka'],
  args: { users: any(userName, 'USER', 'names of users (default: all)') },
  changes: 'reads',
  async run(context, { users }) {
    const kafka = await context.kafka();
    return kafka.listUsers(users.length === 0 ? 'all' : users);
  },
  output: {
    schema: arrayOf(userSchema),
    text: (rows, view) =>
      rows.some(({ error }) => error !== null)
        ? table(
            ['username', 'error'],
            rows.map(({ user, error }) => [user, statusCell(error, '-')]),
            view,
          )
        : table(
            ['username'],
            rows.map(({ user }) => [user]),
            view,
          ),
    wide: (rows, view) =>
      table(
        ['username', 'mechanism', 'iterations', 'error'],
        rows.flatMap(({ user, credentials, error }) =>
          error === null
            ? credentials.map(({ mechanism, iterations }) => [user, mechanism, iterations, '-'])
            : [[user, '-', '-', statusCell(error)]],
        ),
        view,
      ),
    exitCode: (rows) => exitCodeOfItems(rows.map(({ error }) => error)),
  },
});
