import type { Deadline } from '../../deadline.ts';
import type { HttpTrace } from '../../net/http.ts';
import type { ProxySettings } from '../../net/proxies.ts';

/** Where a secret is. What is not a file is the secret itself, or the command or entry that gives it. */
export type SecretFrom = { readonly file: string } | { readonly text: unknown } | { readonly place: readonly string[] };

/** What every client needs that requests tokens and keeps them. */
export interface SignInOptions {
  /** Whether `http:` to other machines is allowed. */
  readonly insecureHttp: boolean;
  /** Where tokens are stored; undefined without a home directory, and then they are not stored. */
  readonly stateDirectory: string | undefined;
  /** The user whose files are there; undefined on a system without user ids. */
  readonly uid: number | undefined;
  readonly proxy: ProxySettings;
  readonly userAgent: string;
  readonly deadline: Deadline;
  /** Prints a warning. */
  readonly warn: (line: string) => void;
  /** Called once per request, for `--trace`. */
  readonly trace?: (event: HttpTrace) => void;
}
