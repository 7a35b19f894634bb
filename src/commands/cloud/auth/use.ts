import { command, one } from '../../../cli/command.ts';
import { text } from '../../../kinds.ts';
import { type ChangedLogin, loginSchema, planned } from './login-view.ts';

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
  async run(context, { name, dryRun }): Promise<ChangedLogin> {
    const { logins } = await context.cloud();
    return dryRun ? planned(await logins.find(name)) : await logins.use(name);
  },
  output: {
    schema: loginSchema,
    text: ({ name, dry_run }) => `${dry_run ? 'Would set' : 'Set'} current cloud auth to "${name}".\n`,
  },
});
