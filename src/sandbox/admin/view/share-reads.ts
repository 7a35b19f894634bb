/**
 * Wraps a read so that callers share it, and none gets an answer from before its call: while one read is under way, all
 * further callers share the next.
 */
export function shareReads<T>(read: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | undefined;
  let next: Promise<T> | undefined;
  function start(): Promise<T> {
    const reading = read().finally(() => {
      current = undefined;
    });
    current = reading;
    return reading;
  }
  return () => {
    if (current === undefined) return start();
    next ??= current
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return start();
      });
    return next;
  };
}
