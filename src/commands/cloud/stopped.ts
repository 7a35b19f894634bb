import type { Context } from '../../context.ts';
import { CliError, exitCodes } from '../../errors.ts';

type Reporter = Pick<Context, 'onInterrupt'>;

/** Creates the report of a command that a signal stops. The hints name the commands that continue. */
export function stopped(message: string, hints: readonly string[], target?: string): CliError {
  const subject = target === undefined ? {} : { target };
  return new CliError(exitCodes.interrupted, message, { code: 'INTERRUPTED', hints, ...subject });
}

/** Sets the report of a command that has not changed anything so far. */
export function untouched({ onInterrupt }: Reporter): void {
  onInterrupt(stopped('stopped before anything was changed', ['repeat the command']));
}

/**
 * Sets the report of a command that sends a change.
 * @param doing the change, for example `creating the cluster "x"`
 * @param checkWith the command that shows whether the change was made
 */
export function sending({ onInterrupt }: Reporter, doing: string, checkWith: string): void {
  const message = `stopped while ${doing}: the request may or may not have arrived`;
  onInterrupt(stopped(message, [`check with: ${checkWith}`]));
}
