import { apiFlag, apiWords, byApi, type ChosenApi } from '../../../cli/by-api.ts';
import { one } from '../../../cli/command.ts';
import { CliError, exitCodes } from '../../../errors.ts';
import { shellWord } from '../../../format/shell-word.ts';
import { adminUserError, checkAdminName, checkAdminPassword, onlyMechanism } from './admin-users.ts';
import { checkPasswordFlags, passwordFlags } from './new-password.ts';
import { setPassword } from './sent-password.ts';
import { iterationsFlag, mechanismFlag, newUserName } from './user-kinds.ts';
import { plannedUser, refusal, setUser, setUserText } from './user-text.ts';

const creating = { otherwise: 'generate', words: ['creating', 'created'] } as const;

/** `security user create` */
export const create = byApi({
  summary: 'Create a user with a password (SCRAM)',
  description:
    'Prompts for the password unless a flag says where it comes from. Without a terminal, generates one and prints it.',
  notes: 'A new user has no permissions of its own. Grant some with weir security acl create.',
  examples: [
    ['With a generated password', 'security user create ana --generate-password'],
    ['With the password in a file', 'security user create ana --password-file password.txt'],
    ['For both mechanisms', 'security user create ana --mechanism scram-sha-256,scram-sha-512'],
  ],
  args: { user: one(newUserName, 'USER', 'name of the user') },
  flags: {
    api: apiFlag,
    ...passwordFlags,
    mechanism: mechanismFlag('mechanisms that the user may log in with (default: SCRAM-SHA-256)'),
    iterations: iterationsFlag,
  },
  changes: 'creates',
  result: setUser,
  read(context, values) {
    checkPasswordFlags(context, values);
    const { mechanism } = values;
    return { ...values, mechanisms: mechanism.length === 0 ? (['SCRAM-SHA-256'] as const) : [...new Set(mechanism)] };
  },
  // Both APIs would accept some users that exist silently.
  kafka: {
    help: 'Over the Kafka API, the password does not leave this machine: brokers receive a salted hash of it.',
    async plan(context, { user, api }) {
      const [known] = await (await context.kafka()).listUsers([user]);
      if (known !== undefined && known.error === null) throw exists(user, api);
      if (known?.error && known.error.exit_code !== exitCodes.notFound)
        throw refusal(`create user "${user}"`, known.error);
    },
    dryRun: (_context, { user, mechanisms }) => plannedUser(user, mechanisms),
    run: (context, values) =>
      setPassword(context, { ...values, ...creating }, async ({ text: password, isGenerated }) => {
        const { user, mechanisms, iterations } = values;
        await (await context.kafka()).setPassword({ user, password, mechanisms, iterations, isGenerated });
      }),
  },
  admin: {
    help: `The Admin API
receives the password itself, and a user has one mechanism there.`,
    async plan(context, values) {
      const { user, api } = values;
      const only = onlyMechanism(values) ?? 'SCRAM-SHA-256';
      checkAdminName(user);
      if ((await adminUserError(context, user)) === null) throw exists(user, api);
      return only;
    },
    dryRun: (_context, { user, mechanisms }) => plannedUser(user, mechanisms),
    run: (context, values, only) =>
      setPassword(context, { ...values, ...creating, check: checkAdminPassword }, async ({ text: password }) => {
        await (await context.admin()).createUser({ user: values.user, password, mechanism: only });
      }),
  },
  show: { text: (row) => setUserText(row, 'created') },
});

function exists(user: string, asked: ChosenApi | undefined): CliError {
  return new CliError(exitCodes.conflict, `unable to create user "${user}": the user already exists`, {
    code: 'USER_ALREADY_EXISTS',
    target: user,
    hints: [`set another password with: weir security user update ${shellWord(user)}${apiWords(asked)}`],
  });
}
