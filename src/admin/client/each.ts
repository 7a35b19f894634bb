import type { CliError } from '../../errors.ts';
import { inParallel } from '../../net/parallel.ts';
import { AdminError } from './answer-error.ts';

/**
 * Reads something for every item, a few at a time. What the server refuses is the result of that item.
 * @throws any other error, which concerns all items
 */
export function readEach<T, R>(items: readonly T[], read: (item: T) => Promise<R>): Promise<readonly (R | CliError)[]> {
  return inParallel(items, async (item) => {
    try {
      return await read(item);
    } catch (error) {
      const isRefusal = error instanceof AdminError && [400, 404, 409, 422].includes(error.status);
      if (isRefusal) return error;
      throw error;
    }
  });
}
