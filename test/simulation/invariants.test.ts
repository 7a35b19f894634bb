import { describe, expect, it } from 'vitest';
import type { Client } from '../../src/kafka/protocol/client/client.ts';
import { createPosition } from '../../src/kafka/streams/consume/position.ts';
import { resetPositions } from '../../src/kafka/streams/consume/reset.ts';
import { rewindTruncated } from '../../src/kafka/streams/consume/truncation.ts';
import { createFakeCluster } from '../kafka/streams/consume/fake-cluster.ts';
import { logOf } from '../kafka/streams/consume/fake-log.ts';
import { rewindOf } from './invariants/lossy.ts';

describe('the warning about a truncated log, as the client words it, says where reading continues', () => {
  it('where a new leader has truncated it', async () => {
    const position = createPosition({ topic: 'foo', partition: 3, offset: 30n, end: undefined, epoch: 5 });
    const warnings: string[] = [];
    const row = { errorCode: 0, endOffset: 12n, leaderEpoch: 5 };
    const ask = async () => [{ item: position, row, error: undefined }];
    await rewindTruncated({ ask } as unknown as Client, [position], (line) => warnings.push(line));
    expect(warnings.map(rewindOf)).toEqual([{ topic: 'foo', partition: 3, offset: 12 }]);
  });

  it.each([
    ['where it ends before the offset', 7n, { topic: 'foo', partition: 0, offset: 2 }],
    ['but not where it was trimmed', 0n, undefined],
  ])('%s', async (_where, offset, rewind) => {
    const log = { ...logOf(1, ['a', 'b']), logStart: 1n };
    const { client, clock, deadline } = createFakeCluster({ foo: { partitions: [log] } });
    const warnings: string[] = [];
    const position = createPosition({ topic: 'foo', partition: 0, offset, end: undefined });
    await clock.runUntil(resetPositions(client, [position], (line) => warnings.push(line)));
    deadline.dispose();
    expect(warnings.map(rewindOf)).toEqual([rewind]);
  });
});
