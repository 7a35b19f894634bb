import { describe, expect, it } from 'vitest';
import { noUuid } from '../../../../src/kafka/protocol/wire/primitives.ts';
import { acceptFetch, type FetchedPartition } from '../../../../src/kafka/streams/consume/answer.ts';
import { createFetchSession } from '../../../../src/kafka/streams/consume/fetch-session.ts';
import { createPosition, nodeOf } from '../../../../src/kafka/streams/consume/position.ts';
import { batchAt } from '../../record-answers.ts';

function positionAt(offset: bigint, end?: bigint) {
  const position = createPosition({ topic: 't', partition: 0, offset, end });
  position.leader = 1;
  return position;
}

/** A broker that `position` is read from. */
function brokerOf(position: ReturnType<typeof positionAt>, node: number) {
  const session = createFetchSession();
  session.want(position);
  return { node, session, silent: new Set<typeof position>() };
}

/** An answer about no partition. */
const nothing = { throttleTimeMs: 0, errorCode: 0, sessionId: 0, responses: [], nodeEndpoints: undefined };

/** Takes in the answer of `node`, with what is not given as a leader without records says it. */
function accept(
  position: ReturnType<typeof positionAt>,
  node: number,
  told: Partial<FetchedPartition>,
  broker = brokerOf(position, node),
) {
  const answer: FetchedPartition = {
    partitionIndex: 0,
    errorCode: 0,
    highWatermark: 50n,
    lastStableOffset: 50n,
    logStartOffset: 0n,
    divergingEpoch: undefined,
    currentLeader: undefined,
    snapshotId: undefined,
    abortedTransactions: undefined,
    preferredReadReplica: -1,
    records: undefined,
    ...told,
  };
  const response = { ...nothing, responses: [{ topic: 't', topicId: noUuid, partitions: [answer] }] };
  return acceptFetch({ broker, request: broker.session.ask(), response, readCommitted: false, maxBytes: 1000 });
}

describe('a Fetch answer', () => {
  it('moves the position past its records', () => {
    const position = positionAt(1n);
    position.jumps = 2;
    const { chunks } = accept(position, 1, { records: batchAt(0n, ['a', 'b', 'c']) });
    expect(chunks).toEqual([expect.objectContaining({ position, from: 1n, to: 3n, jumps: 2 })]);
    expect(position.offset).toBe(3n);
  });

  it('that reaches the largest offset is passed on, and is the last', () => {
    const largest = 2n ** 63n - 1n;
    const { chunks, failed } = accept(positionAt(largest), 1, { records: batchAt(largest, ['a']) });
    expect(chunks).toHaveLength(1);
    expect(failed).toMatchObject([{ error: { code: 'CORRUPT_MESSAGE', retryable: false } }]);
  });

  describe.each([
    ['back', 1n, 2n, 'a batch ends at offset 5, and the next one begins at 1'],
    ['far ahead', 2n ** 40n, 2n, `a batch ends at offset ${2n ** 40n + 1n}, and the next one begins at 6`],
    ['below 0', -3n, 2n, 'invalid base offset -3'],
  ])('with a base offset that is damaged and points %s', (_, base, kept, why) => {
    const good = batchAt(0n, ['a', 'b']);
    const records = Buffer.concat(
      base < 2n
        ? [good, batchAt(2n, ['c', 'd', 'e', 'f']), batchAt(base, ['g']), batchAt(7n, ['h'])]
        : [good, batchAt(base, ['c', 'd']), batchAt(6n, ['g'])],
    );
    const until = base < 2n ? 6n : kept;

    it('passes on what precedes it, and is an error that names where that ends', () => {
      const position = positionAt(0n, 7n);
      const { chunks, failed } = accept(position, 1, { records });
      expect(chunks).toMatchObject([{ from: 0n, to: until }]);
      const message = `unable to read topic "t" partition 0 at offset ${until}: ${why}`;
      expect(failed).toMatchObject([{ error: { message, code: 'CORRUPT_MESSAGE', retryable: false } }]);
      expect(position).toMatchObject({ offset: until, done: false });
    });
  });

  it('with a first batch at a negative offset is an error, not records from before', () => {
    const { chunks, failed } = accept(positionAt(4n), 1, {
      records: Buffer.concat([batchAt(-9n, ['a']), batchAt(4n, ['b'])]),
    });
    const message = 'unable to read topic "t" partition 0 at offset 4: invalid base offset -9';
    expect({ chunks, failed }).toMatchObject({ chunks: [], failed: [{ error: { message } }] });
  });

  it('keeps offsets beyond 2^53 that rise', () => {
    const base = 2n ** 53n + 1n;
    const records = Buffer.concat([batchAt(base, ['a', 'b', 'c']), batchAt(base + 3n, ['d'])]);
    expect(accept(positionAt(base), 1, { records })).toMatchObject({ chunks: [{ to: base + 4n }], failed: [] });
  });

  it.each([
    [12, 2, undefined],
    [16, 3, undefined],
    [17, 3, 'unsupported magic byte 3'],
  ])('that ends %d bytes into a batch of magic %d is normal unless that is seen to be damaged', (cut, magic, why) => {
    const partial = Buffer.from(batchAt(1n, ['b']));
    partial.writeUInt8(magic, 16);
    const records = Buffer.concat([batchAt(0n, ['a']), partial.subarray(0, cut)]);
    const { chunks, failed } = accept(positionAt(0n), 1, { records });
    expect(chunks).toMatchObject([{ to: 1n }]);
    const message = `unable to read topic "t" partition 0 at offset 1: ${why}`;
    expect(failed).toMatchObject(why === undefined ? [] : [{ error: { message } }]);
  });

  it.each([
    [68, 'the broker sent only 68 of the 69 bytes of the batch'],
    [12, 'the broker sent only 12 of the 69 bytes of the batch'],
  ])('that has only %d bytes of a batch that fits is an error that says so', (cut, why) => {
    const { failed } = accept(positionAt(0n), 1, { records: batchAt(0n, ['a']).subarray(0, cut) });
    expect(failed).toMatchObject([{ error: { message: `unable to read topic "t" partition 0 at offset 0: ${why}` } }]);
  });

  it('without a partition that a new session asked for is an error that names it', () => {
    const { failed } = accept(positionAt(1n), 1, { partitionIndex: 1 });
    const message = `unable to read topic "t" partition 0: missing from the broker's answer`;
    expect(failed).toMatchObject([{ error: { message, retryable: true } }]);
  });

  it("directs the read to the leader's preferred replica, and back if that lacks the offset", () => {
    const position = positionAt(1n);
    expect(accept(position, 1, { preferredReadReplica: 3 }).redirected).toEqual([position]);
    expect(nodeOf(position)).toBe(3);
    expect(accept(position, 3, { errorCode: 1 })).toMatchObject({ outOfRange: [], redirected: [position] });
    expect(nodeOf(position)).toBe(1);
    expect(accept(position, 1, { errorCode: 1 }).outOfRange).toEqual([position]);
  });

  it('does not end the count of failures with a redirect, but with the answer of the replica', () => {
    const position = positionAt(1n);
    Object.assign(position, { failures: 3, failedSince: 5 });
    accept(position, 1, { preferredReadReplica: 3 });
    expect(position).toMatchObject({ failures: 3, failedSince: 5 });
    accept(position, 3, { records: batchAt(1n, ['a']) });
    expect(position).toMatchObject({ failures: 0, failedSince: undefined });
  });

  it('queries the offsets of the log when the leader names a replica again that lacks the offset', () => {
    const position = positionAt(1n);
    accept(position, 1, { preferredReadReplica: 3 });
    accept(position, 3, { errorCode: 1 });
    accept(position, 1, { preferredReadReplica: 3 });
    expect(accept(position, 3, { errorCode: 1 })).toMatchObject({ outOfRange: [position], redirected: [] });
    expect(nodeOf(position)).toBe(1);
  });

  it('reports a failure and the end of a failure', () => {
    const position = positionAt(1n);
    const { failed } = accept(position, 1, { errorCode: 6 });
    expect(failed).toMatchObject([{ position, error: { code: 'NOT_LEADER_OR_FOLLOWER', retryable: true } }]);
    Object.assign(position, { failures: 3, failedSince: 5 });
    accept(position, 2, {});
    expect(position).toMatchObject({ failures: 0, failedSince: undefined });
  });

  it('is ignored for a partition that is done', () => {
    const position = positionAt(1n);
    position.done = true;
    expect(accept(position, 1, { errorCode: 29 })).toMatchObject({ chunks: [], outOfRange: [], failed: [] });
  });

  it.each([
    ['whose offset the leader does not have', { errorCode: 1 }, 'outOfRange'],
    ['that has failed', { errorCode: 6 }, 'failed'],
    ['that is to be read from another replica', { preferredReadReplica: 3 }, 'redirected'],
  ] as const)('about a silent partition %s is no question about its end any more', (_what, told, part) => {
    const position = positionAt(1n, 40n);
    const silent = new Set([position]);
    const accepted = accept(position, 1, told, { ...brokerOf(position, 1), silent });
    expect({ silent: accepted.silent, count: accepted[part].length, left: silent.size }).toEqual({
      ...{ silent: [], count: 1, left: 0 },
    });
  });

  it('without records is a question about a range, not its end; a redirect is not even that', () => {
    const position = positionAt(1n, 40n);
    expect(accept(position, 1, {}).silent).toEqual([position]);
    expect(position.done).toBe(false);
    expect(accept(position, 1, { preferredReadReplica: 3 }).silent).toEqual([]);
    expect(accept(positionAt(1n), 1, {}).silent).toEqual([]);
  });

  it('without records asks about the end of a range once, not again with every answer', () => {
    const position = positionAt(1n, 40n);
    const broker = brokerOf(position, 1);
    expect(accept(position, 1, {}, broker).silent).toEqual([position]);
    // The position is being checked and is not in the session until that is done.
    broker.session.drop(position);
    expect(accept(positionAt(1n), 1, {}, broker).silent).toEqual([]);
  });

  it('that leaves out a partition named in a session is a question about its range as well', () => {
    const [bounded, endless] = [positionAt(1n, 40n), { ...positionAt(1n), partition: 1 }];
    const session = createFetchSession();
    const broker = { node: 1, session, silent: new Set<typeof bounded>() };
    session.want(bounded);
    session.want(endless);
    session.answered(session.ask(), 7);
    for (const position of [bounded, endless]) {
      position.offset = 9n;
      session.want(position);
    }
    const request = session.ask();
    expect({ isFull: request.isFull, named: request.positions.length }).toEqual({ isFull: false, named: 2 });
    const response = { ...nothing, sessionId: 7 };
    expect(acceptFetch({ broker, request, response, readCommitted: false, maxBytes: 1000 }).silent).toEqual([bounded]);
  });
});
