import { command, one } from '../../../cli/command.ts';
import type { Context } from '../../../context.ts';
import { CliError, exitCodes } from '../../../errors.ts';
import { shellWord } from '../../../format/shell-word.ts';
import { apiFlag, apiHelp, apiWords, type ChosenApi, chooseApi } from '../../api-choice.ts';
import { adminUserError, checkAdminName, checkAdminPassword, onlyMechanism } from './admin-users.ts';
import { checkPasswordFlags, passwordFlags, readPassword } from './new-password.ts';
import { refusal } from './refusal.ts';
import { sendPassword } from './sent-password.ts';
import { iterationsFlag, mechanismFlag, newUserName } from './user-kinds.ts';
import { setUser, setUserText } from './user-text.ts';

/** `security user create` */
export const create = command({
  summary: 'Create a user with a password (SCRAM)',
  description: `Prompts for the password unless a flag says where it comes from. Without a terminal, generates one and prints it.

${apiHelp}
Over the Kafka API, the password does not leave this machine: brokers receive a salted hash of it. The Admin API
receives the password itself, and a user has one mechanism there.

A new user has no permissions of its own. Grant some with weir security acl create.`,
  examples: [
    ['With a generated password', 'security user create ana --generate-password'],
    ['With the password in a file', 'security user create ana --password-file password.txt'],
    ['For both mechanisms', 'security user create ana --mechanism scram-sha-256,scram-sha-512'],
  ],
  apis: ['kafka', 'admin'],
  args: { user: one(newUserName, 'USER', 'name of the user') },
  flags: {
    api: apiFlag,
    ...passwordFlags,
    mechanism: mechanismFlag('mechanisms that the user may log in with (default: SCRAM-SHA-256)'),
    iterations: iterationsFlag,
  },
  changes: 'creates',
  result: setUser,
  async plan(context, values) {
    const { user } = values;
    checkPasswordFlags(context, values);
    const mechanisms = values.mechanism.length === 0 ? ['SCRAM-SHA-256' as const] : [...new Set(values.mechanism)];
    const api = await chooseApi(context, values.api);
    const only = api === 'admin' ? (onlyMechanism(values) ?? 'SCRAM-SHA-256') : undefined;
    if (only !== undefined) checkAdminName(user);
    await checkNew(context, { user, api, asked: values.api });
    return { only, mechanisms };
  },
  dryRun: (_context, { user }, { mechanisms }) => ({ user, mechanisms, password: null, dry_run: true }),
  async run(context, values, { only, mechanisms }) {
    const { user, iterations } = values;
    const password = await readPassword(context, values, { user, otherwise: 'generate' });
    const { text, isGenerated } = password;
    if (only !== undefined) checkAdminPassword(password);
    await sendPassword(context, { user, api: values.api, password, words: ['creating', 'created'] }, async () => {
      if (only !== undefined)
        return await (await context.admin()).createUser({ user, password: text, mechanism: only });
      return await (await context.kafka()).setPassword({ user, password: text, mechanisms, iterations, isGenerated });
    });
    return { user, mechanisms, password: isGenerated ? text : null, dry_run: false };
  },
  show: { text: (row) => setUserText(row, 'created') },
});

interface NewUser {
  readonly user: string;
  readonly api: ChosenApi;
  /** The API that the command line names. */
  readonly asked: ChosenApi | undefined;
}

/** Checks that there is no such user: both APIs would accept some of them silently. @throws CliError (exit 6) */
async function checkNew(context: Context, { user, api, asked }: NewUser): Promise<void> {
  if (api === 'admin') {
    if ((await adminUserError(context, user)) === null) throw exists(user, asked);
    return;
  }
  const [known] = await (await context.kafka()).listUsers([user]);
  if (known !== undefined && known.error === null) throw exists(user, asked);
  if (known?.error && known.error.exit_code !== exitCodes.notFound) throw refusal(`create user "${user}"`, known.error);
}

function exists(user: string, asked: ChosenApi | undefined): CliError {
  return new CliError(exitCodes.conflict, `unable to create user "${user}": the user already exists`, {
    code: 'USER_ALREADY_EXISTS',
    target: user,
    hints: [`set another password with: weir security user update ${shellWord(user)}${apiWords(asked)}`],
  });
}
