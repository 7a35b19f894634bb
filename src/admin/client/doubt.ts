import { CliError, rephrased, withHints } from '../../errors.ts';
import { doubtAbout } from '../../net/http-call.ts';
import { HttpError } from '../../net/http-error.ts';
import { AdminError, hasStatus } from './answer-error.ts';
import type { Call } from './api.ts';

/**
 * Runs the attempts of a call, and takes care of those after which nobody knows whether the change was made: only a call
 * that `repeats` is sent again, a refusal of the repeated one is checked with `isDone`, and the last error says so.
 * @param run given the function that every attempt goes through
 */
export async function withDoubt<T>(
  call: Call<T>,
  run: (once: (attempt: () => Promise<T>) => Promise<T>) => Promise<T>,
): Promise<T> {
  const { method, repeats = method === 'GET', isDone } = call;
  let isInDoubt = false;
  async function once(attempt: () => Promise<T>): Promise<T> {
    try {
      return await attempt();
    } catch (error) {
      if (isInDoubt && isRefusal(error) && (await isDone?.().catch(() => false)))
        return call.read(undefined, call.path);
      if (method === 'GET' || !mayBeMade(error)) throw error;
      isInDoubt = true;
      throw repeats ? error : rephrased(error, error.message, { retryable: false });
    }
  }
  try {
    return await run(once);
  } catch (error) {
    throw isInDoubt && error instanceof CliError ? withHints(error, [doubtAbout('cluster')]) : error;
  }
}

/**
 * Whether a change may be made although the request failed: it was sent and not answered, or the operation was interrupted.
 * The server also answers 503 if it loses its leadership while it replicates the change.
 */
function mayBeMade(error: unknown): error is CliError {
  return (error instanceof HttpError && error.sent) || hasStatus(error, 502, 503, 504);
}

function isRefusal(error: unknown): boolean {
  return error instanceof AdminError && error.status < 500 && !error.retryable;
}
