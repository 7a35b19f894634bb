import type { ItemError } from '../../errors.ts';

/**
 * The requests of a round, one after the other, and what failed: of a change that failed, nothing more is sent. The same
 * requests make changes and let the cluster check them.
 */
export interface Sending {
  /** Why changes failed, by name. */
  readonly errors: ReadonlyMap<string, ItemError>;
  /** Keeps an error that no request had. */
  fail(name: string, error: ItemError): void;
  /**
   * Sends a request about items that belong to changes, without those of changes that have failed.
   * @param request returns the error of each, in their order; its own failure is that of all
   */
  send<T>(
    items: readonly T[],
    nameOf: (item: T) => string,
    request: (items: readonly T[]) => Promise<readonly (ItemError | null | undefined)[]>,
  ): Promise<void>;
}

/** The items in parts, so that each request has at most as much as `most`. */
export function inParts<T>(
  items: readonly T[],
  most: number,
  sizeOf: (item: T) => number = () => 1,
): readonly (readonly T[])[] {
  const parts: T[][] = [];
  let total = most;
  for (const item of items) {
    const size = sizeOf(item);
    total += size;
    if (total > most) {
      parts.push([]);
      total = size;
    }
    parts.at(-1)?.push(item);
  }
  return parts;
}

/** What a request says of its items. */
export type Answer = Promise<readonly { readonly error: ItemError | null }[]>;

/** A request that returns only the errors of its rows. */
export function errorsOf<T>(request: (items: readonly T[]) => Answer) {
  return async (items: readonly T[]) => (await request(items)).map(({ error }) => error);
}
