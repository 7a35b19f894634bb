import { command, one } from '../../../cli/command.ts';
import { exitCodes, type ItemError } from '../../../errors.ts';
import { shellWord } from '../../../format/shell-word.ts';
import type { ScramMechanism } from '../../../kafka/protocol/scram-mechanisms.ts';
import { checkPasswordFlags, passwordFlags, readPassword } from './new-password.ts';
import { refusal } from './refusal.ts';
import { iterationsFlag, mechanism, mechanismFlag, userName } from './user-kinds.ts';
import { type SetUser, setUserSchema, setUserText } from './user-text.ts';

/** `security user update` */
export const update = command({
  summary: 'Set the password of a user (SCRAM)',
  description: `Replaces the password for every mechanism that the user has. With --mechanism, sets it for those mechanisms only, and
adds the ones that are missing. Prompts for the password unless a flag says where it comes from. Clients that are logged
in stay connected.`,
  examples: [
    ['Prompt for the password', 'security user update ana'],
    ['With the password in a file', 'security user update ana --password-file password.txt'],
    ['Add a mechanism', 'security user update ana --mechanism scram-sha-512 --generate-password'],
  ],
  apis: ['kafka'],
  args: { user: one(userName, 'USER', 'name of the user') },
  flags: {
    ...passwordFlags,
    mechanism: mechanismFlag('mechanisms to set the password for (default: those that the user has)'),
    iterations: iterationsFlag,
  },
  changes: 'alters',
  async run(context, values): Promise<SetUser> {
    const { user } = values;
    checkPasswordFlags(context, values);
    const kafka = await context.kafka();
    const [known] = await kafka.listUsers([user]);
    if (known?.error) throw refused(user, known.error);
    const has = (known?.credentials ?? []).map((one) => one.mechanism);
    const mechanisms = values.mechanism.length === 0 ? has.filter(isKnown) : [...new Set(values.mechanism)];
    const others = has.filter((name) => !(mechanisms as readonly string[]).includes(name));
    if (others.length > 0) context.warn(`the old password stays valid for ${others.join(', ')}`);
    if (values.dryRun) return { user, mechanisms, password: null, dry_run: true };
    const { text, isGenerated } = await readPassword(context, values, { user, otherwise: 'fail' });
    await kafka.setPassword({ user, password: text, mechanisms, iterations: values.iterations, isGenerated });
    return { user, mechanisms, password: isGenerated ? text : null, dry_run: false };
  },
  output: { schema: setUserSchema, text: (row) => setUserText(row, 'updated') },
});

function isKnown(name: string): name is ScramMechanism {
  return mechanism.choices?.includes(name) ?? false;
}

function refused(user: string, error: ItemError) {
  const hints =
    error.exit_code === exitCodes.notFound ? [`create it with: weir security user create ${shellWord(user)}`] : [];
  return refusal(`update user "${user}"`, error, { target: user, hints });
}
