import { within } from '../../../clock.ts';
import { unreachableError } from '../../../errors.ts';
import { createRetry, type RetryRule } from '../../../net/retry.ts';
import type { Client } from '../../protocol/client/client.ts';
import type { Api } from '../../protocol/wire/api.ts';

/** Sends the requests of one member to the coordinator of its group. */
export interface CoordinatorRequests {
  /** Sends a request under the retry rule, adapted by `rule`; ends at once when the member leaves the group. */
  ask<Request, Response>(
    api: Api<Request, Response>,
    request: () => Request | Promise<Request>,
    rule?: Omit<RetryRule, 'signal'>,
  ): Promise<Response>;
  /** Runs `attempt` under the retry rule for up to `patienceMs`; ends at once when the member leaves the group. */
  repeat<T>(what: string, attempt: () => Promise<T>): Promise<T>;
  /** Ends a pause of `repeat`, so that the next attempt starts at once. */
  hurry(): void;
  /** Waits; ends at once when the member leaves the group. */
  pause(milliseconds: number): Promise<void>;
  /** Ends all requests, then runs `last` for at most `limitMs`. Never rejects. */
  leave(limitMs: number, last: Leaving): Promise<void>;
  /** How long the coordinator may be unavailable: the longer of session timeout and retry timeout, in milliseconds. */
  readonly patienceMs: number;
}

/** Sends the request to leave the group; undefined if none is needed. */
export type Leaving = ((send: CoordinatorRequests['ask']) => Promise<unknown>) | undefined;

/** Creates the requests of one member. Sends nothing by itself. */
export function createCoordinatorRequests(
  client: Client,
  group: string,
  sessionTimeoutMs: number,
): CoordinatorRequests {
  const { deadline } = client.options;
  const { clock } = deadline;
  const left = new AbortController();
  const hurried = new AbortController();
  const patienceMs = Math.max(sessionTimeoutMs, deadline.limits.retryMs);
  const asker =
    (signal: AbortSignal): CoordinatorRequests['ask'] =>
    (api, request, rule = {}) =>
      createRetry(deadline, clock, { sinceFailure: true, ...rule, signal })(api.name, async () => {
        const made = await request();
        signal.throwIfAborted();
        return client.requestOnce(api, made, { group });
      });
  return {
    patienceMs,
    ask: asker(left.signal),
    async repeat(what, attempt) {
      const rule = { sinceFailure: true, limitMs: patienceMs };
      const signal = AbortSignal.any([left.signal, hurried.signal]);
      try {
        return await createRetry(deadline, clock, { ...rule, signal })(what, attempt);
      } catch (error) {
        if (error !== hurried.signal.reason || left.signal.aborted) throw error;
        return await createRetry(deadline, clock, { ...rule, signal: left.signal })(what, attempt);
      }
    },
    hurry: () => hurried.abort(),
    pause: (milliseconds) => clock.sleep(milliseconds, left.signal),
    async leave(limitMs, last) {
      left.abort(leftError());
      if (last === undefined) return;
      const late = new AbortController();
      const sent = last(asker(late.signal)).catch(() => undefined);
      await within(clock, limitMs, sent, () => late.abort(leftError()));
    },
  };
}

/** Makes the error that ends the pending work of a member when it leaves. */
export function leftError(): Error {
  return unreachableError('the group was left', { code: 'CLOSED', retryable: false });
}
