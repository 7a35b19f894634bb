import { flag, toggle, type ValuesOf } from '../../../cli/command.ts';
import type { Context } from '../../../context.ts';
import { canceledError, usageError } from '../../../errors.ts';
import { type Kind, path, text } from '../../../kinds.ts';

const hiddenText: Kind<string> = { ...text, mayHoldSecret: true };

/** The flags that say where the password of a user comes from. */
export const passwordFlags = {
  passwordStdin: toggle({ help: 'read the password from standard input' }),
  passwordFile: flag(path, { help: 'read the password from FILE' }),
  generatePassword: toggle({ help: 'generate a password of 30 letters and digits, and print it' }),
  password: flag(hiddenText, {
    short: 'p',
    hidden: true,
    aliases: ['new-password'],
    help: 'deprecated: use --password-stdin or --password-file',
  }),
} as const;

/** The values of `passwordFlags`. */
export type PasswordValues = ValuesOf<typeof passwordFlags>;

/** A password for a user. */
export interface NewPassword {
  readonly text: string;
  readonly isGenerated: boolean;
}

/**
 * Checks the flags, before any connection is made.
 * @throws CliError (exit 2) when more than one source is named, or when it is unclear whose password is meant
 */
export function checkPasswordFlags(context: Context, values: PasswordValues): void {
  const sources = sourcesOf(values);
  if (sources.length > 1) throw usageError(`${sources.join(' and ')} are mutually exclusive`);
  const { password } = values;
  if (password === undefined) return;
  if (password === '') throw usageError('the value of --password is empty', { target: '--password' });
  // rpk takes both as the login of the person who runs the command; taking it as the new password would be dangerous.
  if (context.given.deprecated.some((use) => use.flag === 'user'))
    throw usageError('--user and --password together are ambiguous', {
      target: '--password',
      hints: ['log in with -X user=NAME and -X pass=…, and pass the password of the user with --password-stdin'],
    });
  context.warn(
    'other users of this machine can see a password on the command line; use --password-stdin or --password-file',
  );
}

function sourcesOf(values: PasswordValues): readonly string[] {
  return [
    ...(values.passwordStdin ? ['--password-stdin'] : []),
    ...(values.passwordFile === undefined ? [] : ['--password-file']),
    ...(values.generatePassword ? ['--generate-password'] : []),
    ...(values.password === undefined ? [] : ['--password']),
  ];
}

/**
 * Reads or generates a password: from the flags, or from a prompt that asks twice. Without a terminal to prompt on,
 * `otherwise` decides.
 */
export async function readPassword(
  context: Context,
  values: PasswordValues,
  { user, otherwise }: { readonly user: string; readonly otherwise: 'generate' | 'fail' },
): Promise<NewPassword> {
  if (values.password !== undefined) return { text: values.password, isGenerated: false };
  const isNamed = values.passwordStdin || values.passwordFile !== undefined;
  const canPrompt = !context.flags.noInput;
  if (values.generatePassword || (!isNamed && !canPrompt && otherwise === 'generate'))
    return { text: await generated(), isGenerated: true };
  if (!isNamed && !canPrompt)
    throw usageError(`the password of user "${user}" is missing, and there is no terminal to prompt for it`, {
      hints: ['add --password-stdin, --password-file FILE or --generate-password'],
    });
  const { askPassword, readSecret } = await import('../../../cli/secret.ts');
  const typed = await readSecret(context, {
    what: `new password of user "${user}"`,
    stdin: values.passwordStdin,
    file: values.passwordFile,
    flags: { stdin: '--password-stdin', file: '--password-file' },
  });
  if (isNamed) return { text: typed, isGenerated: false };
  const again = await askPassword(context, 'the same password again');
  if (again === undefined) throw canceledError();
  if (typed !== again) throw usageError('the two passwords differ');
  return { text: typed, isGenerated: false };
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

async function generated(): Promise<string> {
  const { randomInt } = await import('node:crypto');
  return Array.from({ length: 30 }, () => alphabet[randomInt(alphabet.length)]).join('');
}
