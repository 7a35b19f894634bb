import type { Config, SecretSource } from '../../config/config.ts';
import type { SecretKey } from '../../config/options.ts';
import type { Deadline } from '../../deadline.ts';
import { CliError, type ErrorDetails, type ExitCode, exitCodes } from '../../errors.ts';
import { excerpt, inQuotes } from '../../format/excerpt.ts';
import type { Host } from '../../host/host.ts';

/** What secrets are read with. */
export interface SecretParts {
  readonly host: Host;
  readonly config: Config;
  readonly deadline: Deadline;
  /** Prints a warning once. */
  warnOnce(line: string): void;
  /** Whether programs may be run, which may ask the person: not for completion. */
  readonly mayRun: boolean;
}

/** A secret that is somewhere else than in the source itself. */
export interface WantedSecret {
  readonly key: SecretKey;
  readonly from: SecretSource;
  readonly origin: string;
}

/** The error for a secret that cannot be read. It names the place, never what was found there. */
export function secretFault(
  { key, from, origin }: WantedSecret,
  reason: string,
  { exitCode = exitCodes.auth, ...details }: ErrorDetails & { readonly exitCode?: ExitCode } = {},
): CliError {
  const place = `the ${from.way === 'keychain' ? 'keychain entry' : from.way} ${inQuotes(excerpt(from.text))}`;
  return new CliError(exitCode, `unable to get ${key} from ${place} (${origin}): ${reason}`, {
    code: 'SECRET_UNAVAILABLE',
    ...placeOf({ key }),
    ...details,
  });
}

/** The option that an error is about, and where to see its source. */
export function placeOf({ key }: Pick<WantedSecret, 'key'>): Pick<ErrorDetails, 'target' | 'hints'> {
  return { target: key, hints: [`see where it is set with: weir config explain ${key}`] };
}
