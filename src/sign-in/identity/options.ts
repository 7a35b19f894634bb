import type { CliError } from '../../errors.ts';
import type { Address } from '../../net/address.ts';
import type { HttpOptions } from '../../net/http.ts';

/** Whose identities a client signs in with. */
export type Provider = 'aws' | 'azure' | 'google';

/** How a program has ended. */
export interface ProgramResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly isTooLong?: boolean;
}

/** The machine that an identity comes from. */
export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's home directory, if there is one. */
  readonly home: string | undefined;
  readonly platform: string;
  /**
   * Runs a program of the user without a shell, limited in time and size.
   * @throws the system's error if it cannot be started; what `overdue` returns if it does not end
   */
  run(file: string, args: readonly string[], overdue: () => CliError): Promise<ProgramResult>;
}

/** The options of the source of a cloud identity, built from the configuration in `clients/identity.ts`. */
export interface IdentityOptions extends Pick<HttpOptions, 'deadline' | 'proxy' | 'trace' | 'userAgent'> {
  readonly provider: Provider;
  /** The configured addresses, which say the region, or whom a token is for. */
  readonly brokers: readonly Address[];
  /** Options of AWS; empty: not set. */
  readonly aws: { readonly profile: string; readonly region: string; readonly roleArn: string };
  /** What a token is for; empty: what the address says. */
  readonly scope: string;
  /** The client id of a managed identity of Azure; empty: that of the environment. */
  readonly clientId: string;
  /** The file with credentials of Google; undefined: that of the environment. */
  readonly credentialsFile: string | undefined;
  readonly machine: Machine;
  /** Whether a login that another program keeps may be replaced: completion could be ended before the new one is stored. */
  readonly mayRenew: boolean;
  /** Prints a warning, once for the same text. */
  readonly warn: (line: string) => void;
}
