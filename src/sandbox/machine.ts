import type { LockWait } from '../files/lock.ts';
import type { Host } from '../host.ts';

/** What the sandbox needs of the machine it runs on. */
export interface Machine extends Pick<Host, 'env' | 'home' | 'platform'> {
  /** Aborted when the command ends early (Ctrl-C): what was begun is taken back. */
  readonly signal: AbortSignal;
  /** How locks that other commands hold are waited for; its signal is `signal`. */
  readonly lockWait: LockWait;
  /** Runs what has a limit of its own (child processes that start or end): the command's time stands still. */
  openEnded<T>(work: () => Promise<T>): Promise<T>;
  /** A line for a person, about a choice that was made for them. */
  notice(line: string): void;
  /** A line about what takes long, for a person. */
  progress(line: string): void;
}
