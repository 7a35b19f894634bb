import { CliError, type ErrorDetails, type ExitCode, exitCodes } from '../../errors.ts';
import { excerpt, inQuotes } from '../../format/excerpt.ts';
import type { WantedSecret } from './secrets.ts';

/** The error for a secret that cannot be read. It names the place, never what was found there. */
export function secretFault(
  { key, from, origin }: WantedSecret,
  reason: string,
  { exitCode = exitCodes.auth, ...details }: ErrorDetails & { readonly exitCode?: ExitCode } = {},
): CliError {
  const place = `the ${from.way === 'keychain' ? 'keychain entry' : from.way} ${inQuotes(excerpt(from.text))}`;
  return new CliError(exitCode, `unable to get ${key} from ${place} (${origin}): ${reason}`, {
    code: 'SECRET_UNAVAILABLE',
    target: key,
    hints: [`see where it is set with: weir config explain ${key}`],
    ...details,
  });
}
