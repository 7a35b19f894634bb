import { command, one } from '../../../cli/command.ts';
import type { Context } from '../../../context.ts';
import { exitCodes, type ItemError, usageError } from '../../../errors.ts';
import { shellWord } from '../../../format/shell-word.ts';
import type { ScramMechanism } from '../../../kafka/access/scram-mechanisms.ts';
import { apiFlag, apiHelp, apiWords, type ChosenApi, chooseApi } from '../../api-choice.ts';
import { adminUserError, checkAdminPassword, onlyMechanism } from './admin-users.ts';
import { checkPasswordFlags, passwordFlags, readPassword } from './new-password.ts';
import { refusal } from './refusal.ts';
import { sendPassword } from './sent-password.ts';
import { iterationsFlag, mechanism, mechanismFlag, userName } from './user-kinds.ts';
import { setUser, setUserText } from './user-text.ts';

/** `security user update` */
export const update = command({
  summary: 'Set the password of a user (SCRAM)',
  description: `Replaces the password for every mechanism that the user has. With --mechanism, sets it for those mechanisms only, and
adds the ones that are missing. Prompts for the password unless a flag says where it comes from. Clients that are logged
in stay connected.

${apiHelp}
The Admin API receives the password itself. It needs --mechanism: a user has one mechanism there, which is replaced as
well.`,
  examples: [
    ['Prompt for the password', 'security user update ana'],
    ['With the password in a file', 'security user update ana --password-file password.txt'],
    ['Add a mechanism', 'security user update ana --mechanism scram-sha-512 --generate-password'],
  ],
  apis: ['kafka', 'admin'],
  args: { user: one(userName, 'USER', 'name of the user') },
  flags: {
    api: apiFlag,
    ...passwordFlags,
    mechanism: mechanismFlag('mechanisms to set the password for (default: those that the user has)'),
    iterations: iterationsFlag,
  },
  changes: 'alters',
  result: setUser,
  async plan(context, values) {
    checkPasswordFlags(context, values);
    const only = (await chooseApi(context, values.api)) === 'admin' ? neededMechanism(values) : undefined;
    const mechanisms =
      only === undefined ? await mechanismsOf(context, values) : await checkedUser(context, values, [only]);
    return { only, mechanisms };
  },
  dryRun: (_context, { user }, { mechanisms }) => ({ user, mechanisms, password: null, dry_run: true }),
  async run(context, values, { only, mechanisms }) {
    const { user, iterations } = values;
    const password = await readPassword(context, values, { user, otherwise: 'fail' });
    const { text, isGenerated } = password;
    if (only !== undefined) checkAdminPassword(password);
    await sendPassword(context, { user, api: values.api, password, words: ['updating', 'updated'] }, async () => {
      if (only !== undefined)
        return await (await context.admin()).updateUser({ user, password: text, mechanism: only });
      return await (await context.kafka()).setPassword({ user, password: text, mechanisms, iterations, isGenerated });
    });
    return { user, mechanisms, password: isGenerated ? text : null, dry_run: false };
  },
  show: { text: (row) => setUserText(row, 'updated') },
});

/** @throws CliError (exit 2) without a mechanism: the Admin API replaces it, but does not show which one the user has */
function neededMechanism(values: Parameters<typeof onlyMechanism>[0]): ScramMechanism {
  const only = onlyMechanism(values);
  if (only !== undefined) return only;
  throw usageError('--mechanism is needed: the Admin API does not show which mechanism the user has', {
    target: '--mechanism',
    hints: ['give the one that the user logs in with, for example --mechanism scram-sha-256'],
  });
}

interface Asked {
  readonly user: string;
  readonly mechanism: readonly ScramMechanism[];
  readonly api: ChosenApi | undefined;
}

/** Checks that a user of the Admin API exists. */
async function checkedUser<T>(context: Context, { user, api }: Asked, mechanisms: T): Promise<T> {
  const error = await adminUserError(context, user);
  if (error !== null) throw refused(user, error, api);
  return mechanisms;
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
