import { command } from '../../../cli/command.ts';
import { arrayOf } from '../../../cli/output/schema.ts';
import { loginSchema, loginTable } from './login-view.ts';

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
  run: async (context) => (await context.cloud()).logins.list(),
  output: { schema: arrayOf(loginSchema), text: loginTable },
});
