import type { Api } from '../../../../src/kafka/protocol/wire/api.ts';
import { lend } from '../../../../src/kafka/protocol/wire/sink.ts';

/** An API whose messages are bytes, for tests below the layouts. */
export function bytesApi(facts: Partial<Api<Buffer, Buffer>> = {}): Api<Buffer, Buffer> {
  return {
    ...{ name: 'Bytes', key: 16, min: 0, max: 0, flexibleFrom: Number.POSITIVE_INFINITY, target: 'any' },
    ...{ repeatable: true, changes: false, held: false },
    timeoutMs: () => 0,
    expectsAnswer: () => true,
    errorCode: () => 0,
    errorMessage: () => undefined,
    throttleMs: () => 0,
    request: () => ({ write: lend }),
    response: () => ({ read: ({ buffer, at }) => buffer.subarray(at) }),
    ...facts,
  };
}
