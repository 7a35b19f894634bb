import { command, one } from '../../../cli/command.ts';
import { CliError, exitCodes } from '../../../errors.ts';
import { shellWord } from '../../../format/shell-word.ts';
import { checkPasswordFlags, passwordFlags, readPassword } from './new-password.ts';
import { refusal } from './refusal.ts';
import { iterationsFlag, mechanismFlag, newUserName } from './user-kinds.ts';
import { type SetUser, setUserSchema, setUserText } from './user-text.ts';

/** `security user create` */
export const create = command({
  summary: 'Create a user with a password (SCRAM)',
  description: `Prompts for the password unless a flag says where it comes from. Without a terminal, generates one and prints it.
The password does not leave this machine: brokers receive a salted hash of it.

A new user has no permissions of its own. Grant some with weir security acl create.`,
  examples: [
    ['With a generated password', 'security user create ana --generate-password'],
    ['With the password in a file', 'security user create ana --password-file password.txt'],
    ['For both mechanisms', 'security user create ana --mechanism scram-sha-256,scram-sha-512'],
  ],
  apis: ['kafka'],
  args: { user: one(newUserName, 'USER', 'name of the user') },
  flags: {
    ...passwordFlags,
    mechanism: mechanismFlag('mechanisms that the user may log in with (default: SCRAM-SHA-256)'),
    iterations: iterationsFlag,
  },
  changes: 'creates',
  async run(context, values): Promise<SetUser> {
    const { user } = values;
    checkPasswordFlags(context, values);
    const mechanisms = values.mechanism.length === 0 ? ['SCRAM-SHA-256' as const] : [...new Set(values.mechanism)];
    const kafka = await context.kafka();
    const [known] = await kafka.listUsers([user]);
    if (known !== undefined && known.error === null) throw exists(user);
    if (known?.error && known.error.exit_code !== exitCodes.notFound)
      throw refusal(`create user "${user}"`, known.error);
    if (values.dryRun) return { user, mechanisms, password: null, dry_run: true };
    const { text, isGenerated } = await readPassword(context, values, { user, otherwise: 'generate' });
    await kafka.setPassword({ user, password: text, mechanisms, iterations: values.iterations, isGenerated });
    return { user, mechanisms, password: isGenerated ? text : null, dry_run: false };
  },
  output: { schema: setUserSchema, text: (row) => setUserText(row, 'created') },
});

function exists(user: string): CliError {
  return new CliError(exitCodes.conflict, `unable to create user "${user}": the user already exists`, {
    code: 'USER_ALREADY_EXISTS',
    target: user,
    hints: [`set another password with: weir security user update ${shellWord(user)}`],
  });
}
