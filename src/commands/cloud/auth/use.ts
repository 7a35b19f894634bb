import { one } from '../../../cli/command.ts';
import { change } from '../../../cli/forms/change.ts';
import { notNeededIf } from '../../../cli/forms/outcome.ts';
import { text } from '../../../kinds.ts';
import { ControlPlaneLogin } from '../../../sign-in/control-plane/login-rows.ts';

/** `cloud auth use` */
export const use = change({
  summary: 'Select the login that commands use',
  examples: [
    ['By its name', 'cloud auth use ci'],
    ['Show the login without selecting it', 'cloud auth use ci --dry-run'],
  ],
  apis: ['cloud'],
  args: { name: one(text, 'NAME', 'name of the login') },
  changes: 'alters',
  noun: 'login',
  isOne: true,
  item: ControlPlaneLogin,
  async plan(context, { name }) {
    const login = await (await context.cloud()).logins.find(name);
    return [{ ...login, current: true, status: notNeededIf(login.current) }];
  },
  applyEach: async (context, { name }) => await (await context.cloud()).logins.use(name),
  text: ([login]) => `${login?.dry_run ? 'Would set' : 'Set'} current cloud auth to "${login?.name}".\n`,
});
