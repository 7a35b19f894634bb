import { one } from '../../../cli/command.ts';
import { change } from '../../../cli/forms/change.ts';
import { text } from '../../../kinds.ts';
import { ControlPlaneLogin } from '../../../sign-in/control-plane/login-rows.ts';

/** `cloud auth delete` */
export const deleteCommand = change({
  summary: 'Delete a login with its token',
  examples: [
    ['By its name', 'cloud auth delete ci'],
    ['Without a prompt', 'cloud auth delete ci --yes'],
  ],
  apis: ['cloud'],
  args: { name: one(text, 'NAME', 'name of the login') },
  changes: 'destroys',
  namesAll: true,
  noun: 'login',
  isOne: true,
  item: ControlPlaneLogin,
  plan: async (context, { name }) => [await (await context.cloud()).logins.find(name)],
  asks: (_logins, { name }) => ({ question: `Delete the login "${name}"`, name }),
  applyEach: async (context, { name }) => await (await context.cloud()).logins.delete(name),
  text: ([login]) => `${login?.dry_run ? 'Would delete' : 'Deleted'} cloud auth "${login?.name}".\n`,
});
