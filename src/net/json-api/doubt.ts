import { CliError, rephrased } from '../../errors.ts';
import type { Http, HttpAnswer, HttpRequest } from '../http.ts';
import { HttpError } from '../http-error.ts';
import type { Call } from './call.ts';
import { ApiError, isRefusal } from './error.ts';

/** The code of an error that itself says what became of a change whose answer was lost. */
export const answerLost = 'ANSWER_LOST';

/** What the dialect of an API says about changes without an answer. */
export interface Doubts {
  /** Whether the server may have made a change although it answers with this error status. */
  mayBeMade(status: number): boolean;
  /** The hint for a change of which nobody knows whether it was made. */
  hint(doing: string): string;
}

/** What a change is made with. */
export interface ChangeParts {
  readonly doubts: Doubts;
  readonly http: Pick<Http, 'request'>;
  /** Aborted when the command ends. */
  readonly signal: AbortSignal;
}

/** Whether a call changes something. */
export function isChange({ method, changes = method !== 'GET' }: Pick<Call<unknown>, 'method' | 'changes'>): boolean {
  return changes;
}

/** Runs one attempt of a change. */
export type Once<T> = (attempt: () => Promise<T>) => Promise<T>;

/**
 * Runs the attempts of a change, and takes care of those after which nobody knows whether it was made: only a call that
 * `repeats` or can `look` is sent again, a refusal of the repeated one is checked, and the last error says so. It also says
 * so if the end of the command cuts a request short.
 * @param run given the function that every attempt goes through, and the client for its requests
 */
export async function withDoubt<T>(
  call: Call<T>,
  { doubts, http, signal }: ChangeParts,
  run: (once: Once<T>, http: Pick<Http, 'request'>) => Promise<T>,
): Promise<T> {
  let isUnanswered = false;
  let isInDoubt = false;

  async function request(given: HttpRequest): Promise<HttpAnswer> {
    const onStart = (): void => {
      isUnanswered = true;
    };
    const answer = await http.request({ ...given, onStart });
    isUnanswered = false;
    return answer;
  }

  async function once(attempt: () => Promise<T>): Promise<T> {
    const found = isInDoubt ? await call.look?.() : undefined;
    if (found !== undefined) return found;
    try {
      return await attempt();
    } catch (error) {
      const made = isInDoubt && isRefusal(error) ? await madeBefore(call) : undefined;
      if (made !== undefined) return made.value;
      if (!mayBeMade(error, doubts)) throw error;
      isInDoubt = true;
      throw call.repeats || call.look ? error : rephrased(error, error.message, { retryable: false });
    }
  }

  try {
    return await run(once, { request });
  } catch (error) {
    const isCut = isUnanswered && signal.aborted && error === signal.reason;
    if (!(error instanceof CliError) || !(isCut || isInDoubt) || isExplained(call, error)) throw error;
    const hints = [...error.hints, doubts.hint(call.doing)];
    throw rephrased(error, error.message, { hints, retryAfterMs: undefined, cause: error.cause });
  }
}

/** The result of an earlier request that made the change, which explains the refusal of a repeated one. */
async function madeBefore<T>(call: Call<T>): Promise<{ readonly value: T } | undefined> {
  if (await call.isDone?.().catch(() => false)) return { value: call.read(undefined, call.path) };
  const value = await call.look?.();
  return value === undefined ? undefined : { value };
}

/** Whether a change may be made although the request failed: it was sent and not answered, or it was interrupted. */
function mayBeMade(error: unknown, doubts: Doubts): error is CliError {
  return error instanceof HttpError ? error.sent : error instanceof ApiError && doubts.mayBeMade(error.status);
}

/** Whether an error leaves nothing open: a refusal was looked into, or the error says what happened. */
function isExplained(call: Call<unknown>, error: CliError): boolean {
  return error.code === answerLost || (call.look !== undefined && isRefusal(error));
}
