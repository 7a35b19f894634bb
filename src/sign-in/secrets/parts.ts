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
  /** The key of its option, or what else it is, such as `the password of user "ana"`. */
  readonly key: string;
  /** Its option; undefined for a secret that no option has. */
  readonly option: SecretKey | undefined;
  readonly from: SecretSource;
  /** Where that was said; empty if it is clear. */
  readonly origin: string;
}

/** The error for a secret that cannot be read. It names the place, never what was found there. */
export function secretFault(
  { key, option, from, origin }: WantedSecret,
  reason: string,
  { exitCode = exitCodes.auth, ...details }: ErrorDetails & { readonly exitCode?: ExitCode } = {},
): CliError {
  const place = `the ${from.way === 'keychain' ? 'keychain entry' : from.way} ${inQuotes(excerpt(from.text))}`;
  return new CliError(exitCode, `unable to get ${key} from ${place}${said(origin)}: ${reason}`, {
    code: 'SECRET_UNAVAILABLE',
    ...placeOf({ key, option }),
    ...details,
  });
}

/** What an error is about, and where to see the source of an option. */
export function placeOf({ key, option }: Pick<WantedSecret, 'key' | 'option'>): Pick<ErrorDetails, 'target' | 'hints'> {
  const hints = option === undefined ? [] : [`see where it is set with: weir config explain ${option}`];
  return { target: key, hints };
}

/** Where something was said, in parentheses, for messages. */
export function said(origin: string): string {
  return origin === '' ? '' : ` (${origin})`;
}
