import type { LockWait } from '../files/lock.ts';
import type { Host } from '../host/host.ts';

/** What the sandbox needs from the machine it runs on. */
export interface Machine extends Pick<Host, 'env' | 'home' | 'platform'> {
  /** The user whose files are run; undefined on a system without user ids. */
  readonly uid: number | undefined;
  /** Aborted when the command is interrupted (Ctrl-C); unfinished work is then rolled back. */
  readonly signal: AbortSignal;
  /** How to wait for locks that other commands hold; its signal is `signal`. */
  readonly lockWait: LockWait;
  /** Runs work that has its own time limit (starting or stopping child processes) with the command timeout paused. */
  openEnded<T>(work: () => Promise<T>): Promise<T>;
  /** Prints a line about a choice made on the user's behalf. */
  notice(line: string): void;
  /** Prints a line about a slow step. */
  progress(line: string): void;
}

/** How the programs of others are run: with the environment of this machine, without input, and until its signal. */
export function execution({ env, signal }: Pick<Machine, 'env' | 'signal'>) {
  return { env: { ...env }, extendEnv: false, stdin: 'ignore', reject: false, cancelSignal: signal } as const;
}
