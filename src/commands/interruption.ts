import type { Context } from '../context.ts';
import { stoppedError } from '../errors.ts';

type Reporter = Pick<Context, 'onInterrupt'>;

/**
 * Sets the report of a command that sends a change.
 * @param doing the change, for example `creating the cluster "x"`
 * @param checkWith the command that shows whether the change was made
 */
export function sending({ onInterrupt }: Reporter, doing: string, checkWith: string): void {
  const message = `stopped while ${doing}: the request may or may not have arrived`;
  onInterrupt(stoppedError(message, [`check with: ${checkWith}`]));
}
