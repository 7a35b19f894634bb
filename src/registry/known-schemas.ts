import type { Clock } from '../clock.ts';
import { CliError, exitCodes } from '../errors.ts';

/** How long an id that does not exist is not asked for again, in milliseconds. */
const missingMs = 10_000;
/** The most ids that are remembered; records with made-up ids must not fill the memory. */
const most = 10_000;

/** The id of a schema, after its context if that is not the default one. */
export type KnownId = number | `:${string}`;

/** Remembers answers by id for the time of a command. */
export interface KnownSchemas<T> {
  /** Returns what is known about an id, or fetches it; several callers share one request. */
  get(id: KnownId, fetch: () => Promise<T>): Promise<T>;
}

/** Creates an empty memory. */
export function createKnownSchemas<T>(clock: Pick<Clock, 'now'>): KnownSchemas<T> {
  const known = new Map<KnownId, Promise<T>>();
  const missingSince = new Map<KnownId, number>();

  function forget(id: KnownId): void {
    known.delete(id);
    missingSince.delete(id);
  }
  return {
    get(id, fetch) {
      const since = missingSince.get(id);
      if (since !== undefined && clock.now() - since >= missingMs) forget(id);
      const found = known.get(id);
      if (found !== undefined) return found;
      const [oldest] = known.keys();
      if (known.size >= most && oldest !== undefined) forget(oldest);
      const fetched = fetch();
      known.set(id, fetched);
      fetched.catch((error: unknown) => {
        if (known.get(id) !== fetched) return;
        if (error instanceof CliError && error.exitCode === exitCodes.notFound) missingSince.set(id, clock.now());
        else forget(id);
      });
      return fetched;
    },
  };
}
