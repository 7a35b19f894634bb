import { command, one } from '../../../cli/command.ts';
import { text } from '../../../kinds.ts';
import { ControlPlaneLogin } from '../../../sign-in/control-plane/login-rows.ts';

/** `cloud auth use` */
export const use = command({
  summary: 'Select the login that commands use',
  examples: [
    ['By its name', 'cloud auth use ci'],
    ['Show the login without selecting it', 'cloud auth use ci --dry-run'],
  ],
  apis: ['cloud'],
  args: { name: one(text, 'NAME', 'name of the login') },
  changes: 'alters',
  result: ControlPlaneLogin,
  dryRun: async (context, { name }) => (await context.cloud()).logins.find(name),
  run: async (context, { name }) => (await context.cloud()).logins.use(name),
  show: { text: ({ name }, _view, { dryRun }) => `${dryRun ? 'Would set' : 'Set'} current cloud auth to "${name}".\n` },
});
