import { command, one } from '../../../cli/command.ts';
import { text } from '../../../kinds.ts';
import { type ChangedLogin, loginSchema, planned } from './login-view.ts';

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
  namesAll: true,
  confirm: (_, { name }) => ({ question: `Delete the login "${name}"`, name }),
  async run(context, { name, dryRun }): Promise<ChangedLogin> {
    const { logins } = await context.cloud();
    return dryRun ? planned(await logins.find(name)) : await logins.delete(name);
  },
  output: {
    schema: loginSchema,
    text: ({ name, dry_run }) => `${dry_run ? 'Would delete' : 'Deleted'} cloud auth "${name}".\n`,
  },
});
