import type { Host } from '../host/host.ts';
import type { RequestTrace } from '../kafka/protocol/options.ts';
import type { HttpTrace } from '../net/http.ts';

/** One traced request to any of the APIs. */
export type RequestEvent = RequestTrace | HttpTrace;

/** Warnings to the user, on stderr. */
export interface Warnings {
  /** Prints a warning, unless `--quiet` is given. The same text again is another event, such as a second loss. */
  warn(line: string): void;
  /** Prints a warning unless the same text was printed before: for a state that is found again with every look. */
  warnOnce(line: string): void;
}

/** What the clients of a command are made from, besides the configuration. */
export interface ClientParts {
  readonly host: Host;
  /** The command without flags and arguments, for example `weir profile create`. */
  readonly command: string;
  readonly messages: Warnings;
  readonly trace: ((event: RequestEvent) => void) | undefined;
  /** Called before a request is sent that changes something. */
  readonly onChange?: () => void;
  /** Whether programs may be run for secrets, which may ask the person: not for completion. */
  readonly mayRun?: boolean;
  /** Prompts for a password that no source sets; undefined if no prompt is possible. */
  readonly askPassword?: (what: string) => Promise<string | undefined>;
}
