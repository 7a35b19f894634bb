import { homeDirectory, safeDirectory, withoutSecrets } from '../../config/child-process.ts';
import type { Deadline } from '../../deadline.ts';
import { mostSecretBytes } from '../../format/secret-line.ts';
import type { Host, SpawnOptions, SpawnResult } from '../../host/host.ts';

/** What a program is run with. */
export interface RunWorld {
  readonly host: Host;
  readonly deadline: Pick<Deadline, 'clock' | 'signal'>;
}

/** A program that gives or takes a secret. */
export interface SecretProgram extends Pick<SpawnOptions, 'stdio' | 'input' | 'mostBytes'> {
  readonly file: string;
  readonly args: readonly string[];
  /** Whether it is run in the home directory on every system. */
  readonly isAtHome?: boolean;
}

/** How long such a program may run: a person may have to touch a key, or to unlock a safe. */
export const programLimitMs = 60_000;

/**
 * Runs a program until it ends, its time is over, or the command is aborted: then it is ended, with what it has started.
 * @throws the error of `overdue`, the reason of the abort, or the system's error if it cannot be started
 */
export async function runLimited(
  { host, deadline: { clock, signal: outer } }: RunWorld,
  { file, args, isAtHome = false, ...options }: SecretProgram,
  overdue: () => Error,
): Promise<SpawnResult> {
  const limit = new AbortController();
  const cancel = clock.after(programLimitMs, () => limit.abort(overdue()));
  const signal = AbortSignal.any([outer, limit.signal]);
  const place = isAtHome ? await homeDirectory(host) : safeDirectory(host);
  const given = { ...options, ...place, env: withoutSecrets, signal, endsWhole: true };
  try {
    signal.throwIfAborted();
    return await host.spawn(file, args, given);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    cancel();
  }
}

/** Runs a program for what it prints, while it may ask the person on the terminal. */
export function runForOutput(
  world: RunWorld,
  program: Pick<SecretProgram, 'file' | 'args' | 'isAtHome'>,
  overdue: () => Error,
): Promise<SpawnResult> {
  return runLimited(world, { ...program, stdio: 'ask', mostBytes: mostSecretBytes }, overdue);
}
