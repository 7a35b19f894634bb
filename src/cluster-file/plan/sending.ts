import type { Cause, End } from '../../command-end.ts';
import type { Context } from '../../context.ts';
import { CliError, exitCodes, type ItemError, itemErrorOf, notChanged } from '../../errors.ts';
import type { Sending } from '../kinds/sending.ts';

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
