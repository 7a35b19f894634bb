import { expect, test } from 'vitest';
import type { Client } from '../../../../src/kafka/protocol/client/client.ts';
import { type FetchOptions, sendFetch, topLevelError } from '../../../../src/kafka/streams/consume/fetch-request.ts';
import { createFetchSession } from '../../../../src/kafka/streams/consume/fetch-session.ts';
import { createPosition } from '../../../../src/kafka/streams/consume/position.ts';

const requestOf = (isFull: boolean) => ({ isFull }) as Parameters<typeof topLevelError>[1];

test.each([70, 71, 106])('error %i of a whole answer ends the session, not the read', (code) => {
  expect(topLevelError(1, requestOf(false), code)).toBe('session');
  // Without a session there is nothing to end: the broker cannot be read from.
  expect(topLevelError(1, requestOf(true), code)).toMatchObject({
    message: expect.stringMatching(/^unable to read from broker 1: /),
    target: '1',
  });
});

test.each([
  [0, undefined],
  [6, { retryable: true }],
  [29, { retryable: false }],
])('error %i of a whole answer is %j', (code, error) => {
  const judged = topLevelError(1, requestOf(false), code);
  if (error === undefined) expect(judged).toBeUndefined();
  else expect(judged).toMatchObject(error);
});

test.each([
  [false, 0],
  [true, 1],
])('a request for records that are read committed (%s) has the isolation level %i', async (readCommitted, level) => {
  const sent: unknown[] = [];
  const send = async (api: { readonly max: number }, request: unknown) => void sent.push([api.max, request]);
  const client = {
    options: { deadline: { clock: { now: () => 0 } } },
    dedicated: async () => ({ send }),
  } as unknown as Client;
  const session = createFetchSession();
  session.want(createPosition({ topic: 't', partition: 3, offset: 7n, end: undefined }));
  const limits = { maxWaitMs: 500, maxBytes: 9, maxPartitionBytes: 5, rack: 'r' };
  const broker = {
    node: 1,
    connection: undefined,
    isBusy: false,
    answered: undefined,
    session,
    silent: new Set<never>(),
  };
  await sendFetch(client, broker, { ...limits, readCommitted } as FetchOptions);
  const partition = { partition: 3, currentLeaderEpoch: -1, fetchOffset: 7n, partitionMaxBytes: 5 };
  // The id of the topic is not known: it is asked for by name.
  expect(sent).toMatchObject([
    [
      12,
      {
        maxWaitMs: 500,
        minBytes: 1,
        maxBytes: 9,
        isolationLevel: level,
        sessionId: 0,
        sessionEpoch: -1,
        topics: [{ topic: 't', partitions: [partition] }],
        forgottenTopicsData: [],
        rackId: 'r',
      },
    ],
  ]);
});
