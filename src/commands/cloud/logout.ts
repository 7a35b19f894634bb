import { command, toggle } from '../../cli/command.ts';
import { arrayOf } from '../../cli/output/schema.ts';
import { loginSchema } from './auth/login-view.ts';

/** `cloud logout` */
export const logout = command({
  summary: 'Forget the token of the current login',
  examples: [
    ['The current login', 'cloud logout'],
    ['Every login, with kept client secrets', 'cloud logout --all --clear-credentials'],
  ],
  apis: ['cloud'],
  flags: {
    clearCredentials: toggle({ short: 'c', help: 'forget the login with its client id and secret too' }),
    all: toggle({ short: 'a', help: 'every login of this machine' }),
  },
  changes: 'alters',
  async run(context, { all, clearCredentials, dryRun }) {
    const { logins } = await context.cloud();
    if (dryRun) return (await logins.list()).filter(({ current }) => all || current);
    return await logins.logout({ all, clear: clearCredentials });
  },
  output: {
    schema: arrayOf(loginSchema),
    text: (rows) => (rows.length === 0 ? 'You are not logged in.\n' : 'You are now logged out.\n'),
  },
});
