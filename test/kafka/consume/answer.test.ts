import { describe, expect, it } from 'vitest';
import { acceptFetch } from '../../../src/kafka/consume/answer.ts';
import { createPosition, nodeOf } from '../../../src/kafka/consume/position.ts';
import type { FetchedPartition } from '../../../src/kafka/protocol/fetch.ts';
import { batchAt } from '../record-answers.ts';

function positionAt(offset: bigint, end?: bigint) {
  const position = createPosition({ topic: 't', partition: 0, offset, end });
  position.leader = 1;
  return position;
}

/** Takes in the answer of `node`, with what is not given as a leader without records says it. */
function accept(position: ReturnType<typeof positionAt>, node: number, told: Partial<FetchedPartition>) {
  const answer: FetchedPartition = {
    ...{ topic: 't', partition: 0, errorCode: 0, highWatermark: 50n, lastStableOffset: 50n, logStartOffset: 0n },
    ...{ abortedTransactions: [], preferredReadReplica: -1, records: Buffer.alloc(0) },
    ...told,
  };
  const response = { throttleMs: 0, errorCode: 0, partitions: [answer] };
  const asked = [{ position, offset: position.offset }];
  const arrival = { type: 'answered', node, asked, startedAt: performance.now(), response } as const;
  return acceptFetch(arrival, { retryMs: 1000, readCommitted: false });
}

describe('a Fetch answer', () => {
  it('moves the position behind its records', () => {
    const position = positionAt(1n);
    const { chunks } = accept(position, 1, { records: batchAt(0n, ['a', 'b', 'c']) });
    expect(chunks).toEqual([expect.objectContaining({ position, from: 1n, to: 3n })]);
    expect(position.offset).toBe(3n);
  });

  it('sends reading to the replica that the leader prefers, and back when that one does not have the offset', () => {
    const position = positionAt(1n);
    accept(position, 1, { preferredReadReplica: 3 });
    expect(nodeOf(position)).toBe(3);
    expect(accept(position, 3, { errorCode: 1 }).outOfRange).toEqual([]);
    expect(nodeOf(position)).toBe(1);
    expect(accept(position, 1, { errorCode: 1 }).outOfRange).toEqual([position]);
  });

  it('forgets a leader that is none any more, and counts the failures until one succeeds', () => {
    const position = positionAt(1n);
    accept(position, 1, { errorCode: 6 });
    expect(position).toMatchObject({ leader: -1, failures: 1, failedSince: expect.any(Number) });
    position.leader = 2;
    accept(position, 2, {});
    expect(position).toMatchObject({ leader: 2, failures: 0, failedSince: undefined });
  });

  it('is of no interest for a partition that is done', () => {
    const position = positionAt(1n);
    position.done = true;
    expect(accept(position, 1, { errorCode: 29 })).toEqual({ chunks: [], outOfRange: [] });
  });

  it('ends a range when nothing is left before its end, but not before the log has reached that end', () => {
    const short = positionAt(1n, 60n);
    accept(short, 1, {});
    expect(short.done).toBe(false);
    const within = positionAt(1n, 40n);
    accept(within, 1, {});
    expect(within.done).toBe(true);
  });
});
