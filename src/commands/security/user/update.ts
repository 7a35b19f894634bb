import { apiFlag, apiWords, type ChosenApi } from '../../../cli/by-api.ts';
import { one } from '../../../cli/command.ts';
import { changeByApi } from '../../../cli/forms/change.ts';
import type { Context } from '../../../context.ts';
import { exitCodes, type ItemError, usageError } from '../../../errors.ts';
import { shellWord } from '../../../format/shell-word.ts';
import type { ScramMechanism } from '../../../kafka/cluster/access/scram-words.ts';
import { adminUserError, checkMechanisms, onlyMechanism } from './admin-users.ts';
import { checkPasswordFlags, passwordFlags } from './new-password.ts';
import {
  overAdmin,
  overKafka,
  type PlannedUser,
  passwordText,
  plannedUser,
  refusal,
  UserWithPassword,
  updating,
} from './set-password.ts';
import { iterationsFlag, mechanism, mechanismFlag, userName } from './user-kinds.ts';

/** `security user update` */
export const update = changeByApi({
  summary: 'Set the password of a user (SCRAM)',
  description: `Replaces the password for every mechanism that the user has. With --mechanism, sets it for those mechanisms only, and
adds the ones that are missing; on Redpanda, a user has one mechanism, which is replaced. Prompts for the password
unless a flag says where it comes from. Connected clients stay connected.`,
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
  noun: 'user',
  isOne: true,
  item: UserWithPassword,
  read(context, values) {
    checkPasswordFlags(context, values);
    return values;
  },
  kafka: { plan: planOverKafka, asks: questionOf, applyEach: overKafka(updating) },
  admin: {
    help: `The Admin API receives the password itself. It needs --mechanism: a user has one mechanism there, which is
replaced, too.`,
    async plan(context, values) {
      const only = neededMechanism(values);
      const { user, api } = values;
      const error = await adminUserError(context, user);
      if (error !== null) throw refused(user, error, api);
      return plannedUser(user, [only]);
    },
    asks: questionOf,
    applyEach: overAdmin(updating, (admin, user) => admin.updateUser(user)),
  },
  text: passwordText(updating),
});

function questionOf(_users: readonly PlannedUser[], { user }: { readonly user: string }): string {
  return `Replace the password of user "${user}"`;
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

/** The mechanisms to set over the Kafka API; warns about others that the user has. */
async function planOverKafka(
  context: Context,
  { user, api, mechanism: asked }: Asked,
): Promise<readonly PlannedUser[]> {
  await checkMechanisms(context, asked);
  const kafka = await context.kafka();
  const [listed] = await kafka.listUsers([user]);
  if (listed?.error) throw refused(user, listed.error, api);
  const existing = (listed?.credentials ?? []).map((one) => one.mechanism);
  const mechanisms = asked.length === 0 ? existing.filter(isScramMechanism) : [...new Set(asked)];
  const others = existing.filter((name) => !(mechanisms as readonly string[]).includes(name));
  if (others.length > 0) {
    const names = others.join(', ');
    const isReplaced = (await kafka.isRedpanda()) === true;
    context.warn(
      isReplaced ? `the user can no longer log in with ${names}` : `the old password stays valid for ${names}`,
    );
  }
  return plannedUser(user, mechanisms);
}

function isScramMechanism(name: string): name is ScramMechanism {
  return mechanism.choices?.includes(name) ?? false;
}

function refused(user: string, error: ItemError, api: ChosenApi | undefined) {
  const hints =
    error.exit_code === exitCodes.notFound
      ? [`create it with: weir security user create ${shellWord(user)}${apiWords(api)}`]
      : [];
  return refusal(`update user "${user}"`, error, { target: user, hints });
}
