import { command } from '../../../cli/command.ts';
import { loginRow } from '../../../cloud/auth/login-rows.ts';
import { listOf } from '../../../shape/shape.ts';
import { loginTable } from './login-view.ts';

/** `cloud auth list` */
export const list = command({
  summary: 'List the logins kept on this machine',
  description: 'A * marks the current login, which commands use if no credentials are configured.',
  examples: [
    ['All logins', 'cloud auth list'],
    ['As data', 'cloud auth list --format json'],
  ],
  aliases: ['ls'],
  apis: ['cloud'],
  changes: 'reads',
  result: listOf(loginRow),
  run: async (context) => (await context.cloud()).logins.list(),
  show: { text: loginTable },
});
