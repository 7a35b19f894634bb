import { apiFlag, apiWords, byApi, type ChosenApi } from '../../../cli/by-api.ts';
import { type Confirmation, one } from '../../../cli/command.ts';
import type { Context } from '../../../context.ts';
import { exitCodes, type ItemError, usageError } from '../../../errors.ts';
import { shellWord } from '../../../format/shell-word.ts';
import type { ScramMechanism } from '../../../kafka/cluster/access/scram-words.ts';
import { adminUserError, checkAdminPassword, onlyMechanism } from './admin-users.ts';
import { checkPasswordFlags, passwordFlags } from './new-password.ts';
import { setPassword } from './sent-password.ts';
import { iterationsFlag, mechanism, mechanismFlag, userName } from './user-kinds.ts';
import { plannedUser, refusal, setUser, setUserText } from './user-text.ts';

const updating = { otherwise: 'fail', words: ['updating', 'updated'] } as const;

/** `security user update` */
export const update = byApi({
  summary: 'Set the password of a user (SCRAM)',
  description: `Replaces the password for every mechanism that the user has. With --mechanism, sets it for those mechanisms only, and
adds the ones that are missing. Prompts for the password unless a flag says where it comes from. Clients that are logged
in stay connected.`,
  examples: [
    ['Prompt for the password', 'security user update ana'],
    ['With the password in a file', 'security user update ana --password-file password.txt'],
    ['Add a mechanism', 'security user update ana --mechanism scram-sha-512 --generate-password'],
  ],
  args: { user: one(userName, 'USER', 'name of the user') },
  flags: {
    api: apiFlag,
    ...passwordFlags,
    mechanism: mechanismFlag('mechanisms to set the password for (default: those that the user has)'),
    iterations: iterationsFlag,
  },
  changes: 'alters',
  guarded: 'because clients with the old password can no longer log in',
  result: setUser,
  read(context, values) {
    checkPasswordFlags(context, values);
    return values;
  },
  kafka: {
    plan: mechanismsOf,
    confirm: (_context, { user }) => passwordQuestion(user),
    dryRun: (_context, { user }, mechanisms) => plannedUser(user, mechanisms),
    run: (context, values, mechanisms) =>
      setPassword(context, { ...values, ...updating, mechanisms }, async ({ text: password, isGenerated }) => {
        const { user, iterations } = values;
        await (await context.kafka()).setPassword({ user, password, mechanisms, iterations, isGenerated });
      }),
  },
  admin: {
    help: `The Admin API receives the password itself. It needs --mechanism: a user has one mechanism there, which is replaced as
well.`,
    async plan(context, values) {
      const only = neededMechanism(values);
      const { user, api } = values;
      const error = await adminUserError(context, user);
      if (error !== null) throw refused(user, error, api);
      return only;
    },
    confirm: (_context, { user }) => passwordQuestion(user),
    dryRun: (_context, { user }, only) => plannedUser(user, [only]),
    run: (context, values, only) =>
      setPassword(
        context,
        { ...values, ...updating, mechanisms: [only], check: checkAdminPassword },
        async ({ text: password }) => {
          await (await context.admin()).updateUser({ user: values.user, password, mechanism: only });
        },
      ),
  },
  show: { text: (row) => setUserText(row, 'updated') },
});

function passwordQuestion(user: string): Confirmation {
  return { question: `Replace the password of user "${user}"`, name: user };
}

/** @throws CliError (exit 2) without a mechanism: the Admin API replaces it, but does not show which one the user has */
function neededMechanism(values: Parameters<typeof onlyMechanism>[0]): ScramMechanism {
  const only = onlyMechanism(values);
  if (only !== undefined) return only;
  throw usageError('--mechanism is needed: weir does not read from the Admin API which mechanism the user has', {
    target: '--mechanism',
    hints: ['give the one that the user logs in with, for example --mechanism scram-sha-256'],
  });
}

interface Asked {
  readonly user: string;
  readonly mechanism: readonly ScramMechanism[];
  readonly api: ChosenApi | undefined;
}

/** The mechanisms to set over the broker data API; warns about others that the user has. */
async function mechanismsOf(
  context: Context,
  { user, api, mechanism: asked }: Asked,
): Promise<readonly ScramMechanism[]> {
  const [known] = await (await context.kafka()).listUsers([user]);
  if (known?.error) throw refused(user, known.error, api);
  const has = (known?.credentials ?? []).map((one) => one.mechanism);
  const mechanisms = asked.length === 0 ? has.filter(isKnown) : [...new Set(asked)];
  const others = has.filter((name) => !(mechanisms as readonly string[]).includes(name));
  if (others.length > 0) context.warn(`the old password stays valid for ${others.join(', ')}`);
  return mechanisms;
}

function isKnown(name: string): name is ScramMechanism {
  return mechanism.choices?.includes(name) ?? false;
}

function refused(user: string, error: ItemError, api: ChosenApi | undefined) {
  const hints =
    error.exit_code === exitCodes.notFound
      ? [`create it with: weir security user create ${shellWord(user)}${apiWords(api)}`]
      : [];
  return refusal(`update user "${user}"`, error, { target: user, hints });
}
