import { apiFlag, apiWords, type ChosenApi } from '../../../cli/by-api.ts';
import { one } from '../../../cli/command.ts';
import { changeByApi } from '../../../cli/forms/change.ts';
import { CliError, exitCodes } from '../../../errors.ts';
import { shellWord } from '../../../format/shell-word.ts';
import { adminUserError, checkAdminName, checkMechanisms, onlyMechanism } from './admin-users.ts';
import { checkPasswordFlags, passwordFlags } from './new-password.ts';
import {
  creating,
  overAdmin,
  overKafka,
  passwordText,
  plannedUser,
  refusal,
  UserWithPassword,
} from './set-password.ts';
import { iterationsFlag, mechanismFlag, newUserName } from './user-kinds.ts';

/** `security user create` */
export const create = changeByApi({
  summary: 'Create a user with a password (SCRAM)',
  description:
    'Prompts for the password unless a flag says where it comes from. Without a terminal, generates one and prints it.',
  notes: 'A new user has no permissions of its own. Grant some with weir security acl create.',
  examples: [
    ['With a generated password', 'security user create ana --generate-password'],
    ['With the password in a file', 'security user create ana --password-file password.txt'],
    ['For both mechanisms, on Apache Kafka', 'security user create ana --mechanism scram-sha-256,scram-sha-512'],
  ],
  args: { user: one(newUserName, 'USER', 'name of the user') },
  flags: {
    api: apiFlag,
    ...passwordFlags,
    mechanism: mechanismFlag('mechanisms that the user may log in with (default: SCRAM-SHA-256)'),
    iterations: iterationsFlag,
  },
  changes: 'creates',
  noun: 'user',
  isOne: true,
  item: UserWithPassword,
  read(context, values) {
    checkPasswordFlags(context, values);
    return values;
  },
  // Both APIs would accept some users that exist silently.
  kafka: {
    help: 'Over the Kafka API, the password does not leave this machine: brokers receive a salted hash of it.',
    async plan(context, { user, api, mechanism }) {
      await checkMechanisms(context, mechanism);
      const [listed] = await (await context.kafka()).listUsers([user]);
      if (listed?.error === null) throw exists(user, api);
      if (listed !== undefined && listed.error.exit_code !== exitCodes.notFound)
        throw refusal(`create user "${user}"`, listed.error);
      return plannedUser(user, mechanism.length === 0 ? ['SCRAM-SHA-256'] : [...new Set(mechanism)]);
    },
    applyEach: overKafka(creating),
  },
  admin: {
    help: `The Admin API
receives the password itself, and a user has one mechanism there.`,
    async plan(context, values) {
      const { user, api } = values;
      const mechanism = onlyMechanism(values) ?? 'SCRAM-SHA-256';
      checkAdminName(user);
      if ((await adminUserError(context, user)) === null) throw exists(user, api);
      return plannedUser(user, [mechanism]);
    },
    applyEach: overAdmin(creating, (admin, user) => admin.createUser(user)),
  },
  text: passwordText(creating),
});

function exists(user: string, api: ChosenApi | undefined): CliError {
  return new CliError(exitCodes.conflict, `unable to create user "${user}": the user already exists`, {
    code: 'USER_ALREADY_EXISTS',
    target: user,
    hints: [`set another password with: weir security user update ${shellWord(user)}${apiWords(api)}`],
  });
}
