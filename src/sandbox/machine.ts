import type { Host } from '../host.ts';

/** What the sandbox needs of the machine it runs on. */
export interface Machine extends Pick<Host, 'env' | 'home' | 'platform'> {
  /** Aborted when the command ends early (Ctrl-C): what was begun is taken back. */
  readonly signal: AbortSignal;
  /** A line for a person, about a choice that was made for them. */
  notice(line: string): void;
  /** A line about what takes long, for a person. */
  progress(line: string): void;
}
