import { compileFormat } from '../../../../src/kafka/records/language/format.ts';
import { createWalker } from '../../../../src/kafka/streams/consume/walk.ts';
import type { WalkThread } from '../../../../src/kafka/streams/consume/walk-thread.ts';

/** How a scripted thread prints. */
export const layout = '%v ';

/** A thread that is ready when the test says so, and walks in this thread. */
export function scriptedThread() {
  const format = compileFormat(layout);
  const walker = createWalker({ format, printControl: false, readCommitted: false, pieceBytes: 1 });
  const ready = Promise.withResolvers<void>();
  const seen = { walked: 0, closed: 0 };
  const limits: number[] = [];
  ready.promise.catch(() => undefined);
  const thread: WalkThread = {
    ready: ready.promise,
    async walk({ chunks, memory, limit }, take) {
      seen.walked += 1;
      limits.push(limit);
      for (const chunk of chunks) for (const piece of walker.walk(chunk, limit)) await take(chunk, piece);
      return memory;
    },
    close() {
      seen.closed += 1;
      ready.reject(new Error('the thread has ended'));
    },
  };
  return { thread, ready, seen, limits };
}
