import type { Context } from '../context.ts';

/**
 * The same readings, not bounded by the command timeout; the first signal ends them.
 * @param stop aborted by that signal, when the readings have to end; absent if they end with the context
 */
export async function* unbounded<T>(
  readings: AsyncIterable<T>,
  { openEnded, onStop }: Context,
  stop?: AbortController,
): AsyncGenerator<T> {
  const end = Promise.withResolvers<void>();
  const phase = openEnded(() => end.promise);
  const release = stop && onStop(() => void stop.abort());
  try {
    yield* readings;
  } finally {
    release?.();
    end.resolve();
    await phase;
  }
}
