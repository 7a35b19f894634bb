import type { Context } from '../context.ts';
import { invalidError, usageError } from '../errors.ts';
import { faultOf } from '../files/fault.ts';
import { absolutePath } from '../files/locations.ts';
import { ReadRefusal, readSmallFile, readStream } from '../files/read.ts';
import { mostSecretBytes, secretLine } from '../format/secret-line.ts';
import { askSecret } from './prompt.ts';

/** Where a command reads a secret from: a prompt, unless one of two flags is given. */
export interface SecretSource {
  /** The name of the secret in prompts and errors, for example `client secret`. */
  readonly what: string;
  /** What a prompt says of where it is sent. */
  readonly where?: string;
  /** Whether the flag for standard input was given. */
  readonly stdin: boolean;
  /** The value of the flag for a file. */
  readonly file: string | undefined;
  /** Both flags as typed, for errors and hints. */
  readonly flags: { readonly stdin: string; readonly file: string };
  /** What to do without a terminal, for a command that does not have these flags itself. */
  readonly advice?: string;
}

/**
 * Reads a secret from standard input, from a file, or from the terminal without echo. Line ends after it are
 * removed. Only the prompt is not subject to the command timeout.
 * @throws CliError (exit 2) when the secret is missing or invalid
 */
export async function readSecret(context: Context, source: SecretSource): Promise<string> {
  const { what, where = '', stdin, file, flags, advice = `pass it with ${flags.stdin} or ${flags.file} FILE` } = source;
  if (stdin && file !== undefined) throw usageError(`${flags.stdin} and ${flags.file} are mutually exclusive`);
  if (stdin) return checked(await readInput(context), what, flags.stdin);
  if (file !== undefined) return checked(await readSecretFile(context, file, flags.file), what, flags.file);
  if (context.flags.noInput) {
    throw usageError(`the ${what} is missing, and there is no terminal to prompt for it`, {
      hints: [advice],
    });
  }
  const typed = (await askPassword(context, `${what}${where}`)) ?? '';
  if (typed === '') throw usageError(`the ${what} is missing: nothing was typed`);
  return checked(typed, what, 'the terminal');
}

/** Prompts for a password that a command needs; undefined if no prompt is possible or nothing is typed. */
export async function askPassword(context: Context, what: string): Promise<string | undefined> {
  if (context.flags.noInput) return undefined;
  const answer = await context.openEnded(() => askSecret(context, `${what}: `));
  context.signal.throwIfAborted();
  return answer;
}

async function readInput({ host, signal }: Context): Promise<string> {
  try {
    return (await readStream(host.stdin.stream, mostSecretBytes, signal)).toString('utf8');
  } catch (error) {
    if (error instanceof ReadRefusal) throw usageError('the secret on standard input is longer than 64 KiB');
    throw error;
  }
}

async function readSecretFile({ host, signal }: Context, file: string, flag: string): Promise<string> {
  try {
    return (await readSmallFile(absolutePath(host, file), mostSecretBytes, signal)).toString('utf8');
  } catch (error) {
    signal.throwIfAborted();
    throw usageError(`unable to read the file given with ${flag}: ${faultOf(error)}`, {
      target: flag.split(' ', 1)[0] ?? flag,
      cause: error,
    });
  }
}

function checked(text: string, what: string, origin: string): string {
  try {
    return secretLine(text);
  } catch (error) {
    throw invalidError(`invalid ${what} from ${origin}: ${faultOf(error)}`);
  }
}
