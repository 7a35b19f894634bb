import { listCommand } from '../../../cli/forms/read.ts';
import { ControlPlaneLogin } from '../../../sign-in/control-plane/login-rows.ts';

/** `cloud auth list` */
export const list = listCommand({
  summary: 'List the logins kept on this machine',
  description: 'A * marks the current login, which commands use if no credentials are configured.',
  examples: [
    ['All logins', 'cloud auth list'],
    ['As data', 'cloud auth list --format json'],
  ],
  aliases: ['ls'],
  apis: ['cloud'],
  row: ControlPlaneLogin,
  read: async (context) => (await context.cloud()).logins.list(),
  columns: [
    ['name', ({ name, current }) => (current ? `${name}*` : name)],
    'kind',
    'organization',
    'organization_id',
    'expires_at',
    'api_url',
  ],
});
