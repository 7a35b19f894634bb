import type { Head, Receiver } from './http-exchange.ts';

/** A response whose body is read as a stream. */
export interface HttpStream extends Head {
  /** The body; throws if the rest does not arrive. Leaving the loop aborts the request. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/**
 * Receives a response in chunks, with backpressure: the server waits until the previous chunk is read.
 * @param abort ends the request; called if the consumer stops before the end
 */
export function receiveStream(abort: (error: Error) => void): {
  readonly receiver: Receiver;
  readonly head: Promise<HttpStream>;
} {
  const head = Promise.withResolvers<HttpStream>();
  // The request may fail before anything waits for its head.
  head.promise.catch(() => undefined);
  const waiting: Uint8Array[] = [];
  let ended = false;
  let failure: Error | undefined;
  let wake: (() => void) | undefined;
  let goOn: (() => void) | undefined;

  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const chunk = waiting.shift();
        if (chunk !== undefined) yield chunk;
        else if (failure !== undefined) throw failure;
        else if (ended) return;
        else await more();
      }
    } finally {
      if (!ended && failure === undefined) abort(new Error('the consumer stopped reading'));
    }
  }
  async function more(): Promise<void> {
    goOn?.();
    goOn = undefined;
    if (waiting.length > 0 || ended || failure !== undefined) return;
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }

  const receiver: Receiver = {
    head: (given) => head.resolve({ ...given, chunks: chunks() }),
    data(chunk) {
      waiting.push(chunk);
      wake?.();
      return new Promise((resolve) => {
        goOn = resolve;
      });
    },
    end() {
      ended = true;
      wake?.();
    },
    fail(error) {
      failure = error;
      head.reject(error);
      wake?.();
    },
  };
  return { receiver, head: head.promise };
}
