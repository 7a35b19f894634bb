import type { Context, StopCause } from '../../context.ts';
import {
  CliError,
  type ExitCode,
  exitCodes,
  type ItemError,
  itemErrorOf,
  notChanged,
  stopCodes,
} from '../../errors.ts';
import type { Sending } from '../kinds/sending.ts';

/** What ends an application before its last request: a signal, a timeout, brokers that do not answer. */
export interface End {
  /** Why nothing more is sent; undefined while requests are. */
  why(): Cause | undefined;
  /** Waits for an answer until the command times out. @throws CliError for that, or of `work` */
  answer<T>(work: Promise<T>): Promise<T>;
  forget(): void;
}

/** Why an application ended, and the exit code of what it left as it was. */
export interface Cause {
  readonly text: string;
  readonly exitCode: ExitCode;
}

function causeOf(stop: StopCause): Cause {
  return { text: `the command ${stop === 'timeout' ? 'timed out' : 'was stopped'}`, exitCode: stopCodes[stop] };
}

/** Watches what ends an application. */
export function watchEnd(context: Context): End {
  let why: Cause | undefined;
  const timeout = Promise.withResolvers<never>();
  timeout.promise.catch(() => {}); // there may be no request that waits
  const forget = context.onStop((cause) => {
    why ??= causeOf(cause);
    if (cause === 'timeout')
      timeout.reject(
        new CliError(exitCodes.unreachable, 'there was no answer before the command timed out; it may have been done', {
          code: 'COMMAND_TIMEOUT',
        }),
      );
    return 'finishing the request that is on its way';
  });
  return {
    why: () => why,
    async answer(work) {
      try {
        return await Promise.race([work, timeout.promise]);
      } catch (error) {
        if (error instanceof CliError && error.exitCode === exitCodes.unreachable)
          why ??= { text: error.message, exitCode: error.exitCode };
        throw error;
      }
    },
    forget,
  };
}

/** Sends the requests of a round until the end. */
export function sendingUntil(end: End): Sending {
  const begun = new Set<string>();
  return sendingWith(async (names, request, fail) => {
    const why = end.why();
    if (why !== undefined) return fail((name) => (begun.has(name) ? notFinished(why) : notSent(why)));
    try {
      const errors = await end.answer(request());
      for (const name of names) begun.add(name);
      return errors;
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      return fail(() => itemErrorOf(error));
    }
  });
}

/** Sends requests that change nothing: if one fails, the cluster has said nothing about its changes. */
export function checkingWith(context: Context): Sending {
  return sendingWith(async (_names, request) => {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof CliError) || error.exitCode === exitCodes.unreachable) throw error;
      context.signal.throwIfAborted();
      context.warn(`the cluster could not check all changes: ${error.message}`);
      return [];
    }
  });
}

type Errors = readonly (ItemError | null | undefined)[];

/** How one request is sent: `fail` gives an error to each of its names. */
type Send = (
  names: readonly string[],
  request: () => Promise<Errors>,
  fail: (errorOf: (name: string) => ItemError) => Errors,
) => Promise<Errors>;

function sendingWith(send: Send): Sending {
  const errors = new Map<string, ItemError>();
  return {
    errors,
    fail: (name, error) => void errors.set(name, error),
    async send(items, nameOf, request) {
      const due = items.filter((item) => !errors.has(nameOf(item)));
      if (due.length === 0) return;
      const names = due.map(nameOf);
      const found = await send(
        names,
        () => request(due),
        (errorOf) => names.map(errorOf),
      );
      for (const [at, name] of names.entries()) {
        const error = found[at];
        if (error != null) errors.set(name, error);
      }
    },
  };
}

/** The error of a change for which nothing was sent before the end. */
export function notSent({ text, exitCode }: Cause): ItemError {
  return notChanged(`not changed: ${text}`, exitCode);
}

/** The error of a change that needs one that failed. */
export const needsFailure = notChanged('not changed, because something that it needs has failed', exitCodes.conflict);

function notFinished({ text, exitCode }: Cause): ItemError {
  return { ...notChanged(`only a part of it was changed: ${text}`, exitCode), code: 'PARTLY_CHANGED' };
}
