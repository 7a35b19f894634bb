import { command, one } from '../../../cli/command.ts';
import { text } from '../../../kinds.ts';
import { ControlPlaneLogin } from '../../../sign-in/control-plane/login-rows.ts';

/** `cloud auth delete` */
export const deleteCommand = command({
  summary: 'Delete a login with its token',
  examples: [
    ['By its name', 'cloud auth delete ci'],
    ['Without a prompt', 'cloud auth delete ci --yes'],
  ],
  apis: ['cloud'],
  args: { name: one(text, 'NAME', 'name of the login') },
  changes: 'destroys',
  result: ControlPlaneLogin,
  namesAll: true,
  confirm: (_, { name }) => ({ question: `Delete the login "${name}"`, name }),
  dryRun: async (context, { name }) => (await context.cloud()).logins.find(name),
  run: async (context, { name }) => (await context.cloud()).logins.delete(name),
  show: { text: ({ name }, _view, { dryRun }) => `${dryRun ? 'Would delete' : 'Deleted'} cloud auth "${name}".\n` },
});
