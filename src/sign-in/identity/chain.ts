import { CliError, exitCodes } from '../../errors.ts';
import { faultOf } from '../../files/fault.ts';
import { readSmallFile } from '../../files/read.ts';

/** Credentials that are looked for. */
export interface Wanted {
  /** For example `AWS credentials`. */
  readonly name: string;
  /** What to do if a place does not work. */
  readonly compare: string;
  /** What to do if there are none. */
  readonly logIn: string;
}

/** A place where credentials may be. */
export interface CredentialSource<T> {
  /** For example `environment`. */
  readonly name: string;
  /**
   * Looks there. A place that is configured and does not work is an error: credentials of another place would be those of
   * someone else.
   * @returns the credentials, or why there are none
   */
  find(): Promise<T | string>;
}

/**
 * The credentials of the first place that has some.
 * @throws CliError (exit 4) with what was found at each place
 */
export async function firstOf<T extends object>(what: Wanted, steps: readonly CredentialSource<T>[]): Promise<T> {
  const reasons: string[] = [];
  for (const { name, find } of steps) {
    const result = await find();
    if (typeof result !== 'string') return result;
    reasons.push(`${name}: ${result}`);
  }
  throw new CliError(exitCodes.auth, `unable to get ${what.name}: there are none`, {
    code: 'NO_CREDENTIALS',
    hints: [...reasons, what.logIn],
  });
}

/** The error for a place that is configured and does not work. It never has a secret in it. */
export function brokenStep(what: Wanted, place: string, why: string, hints = [what.compare]): CliError {
  return new CliError(exitCodes.auth, `unable to get ${what.name} from ${place}: ${why}`, {
    code: 'CREDENTIALS_UNUSABLE',
    hints,
  });
}

const mostFileBytes = 1024 * 1024;

/** Reads a file of credentials; undefined if there is none. @throws CliError (exit 4) if it cannot be read */
export async function readIfThere(what: Wanted, path: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    return (await readSmallFile(path, mostFileBytes, signal)).toString('utf8');
  } catch (error) {
    signal.throwIfAborted();
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw brokenStep(what, path, faultOf(error));
  }
}
