import { describe, expect, it } from 'vitest';
import { noUuid } from '../../../../src/kafka/protocol/wire/primitives.ts';
import {
  commitQuestion,
  committedOffsets,
  type PartitionOffset,
} from '../../../../src/kafka/streams/groups/commits.ts';
import { failureOf } from '../../../services/scripted-client.ts';
import { cut, scriptedCoordinator } from './coordinator.ts';

const items = [
  { topic: 't', partition: 0 },
  { topic: 't', partition: 1 },
];

function answer(rows: readonly (readonly [partition: number, offset: bigint, errorCode: number])[]) {
  const partitions = rows.map(([partitionIndex, committedOffset, errorCode]) => ({
    partitionIndex,
    committedOffset,
    committedLeaderEpoch: -1,
    metadata: '',
    errorCode,
  }));
  return { groups: [{ groupId: 'g', errorCode: 0, topics: [{ name: 't', topicId: noUuid, partitions }] }] };
}

describe('a commit', () => {
  it('is by topic ids, so that it never counts for another topic of the same name, unless an id is not known', () => {
    const committer = { group: 'g', generation: -1, memberId: '', instanceId: undefined };
    const known = { topic: 't', topicId: 'id', partition: 0, offset: 5n, leaderEpoch: -1 };
    const unknown = { ...known, topic: 'u', topicId: undefined };
    const newest = (items: readonly PartitionOffset[]) => commitQuestion(committer, items).api;
    expect(newest([known, { ...known, partition: 1 }])).toMatchObject({ name: 'OffsetCommit', max: 10 });
    expect(newest([known, unknown])).toMatchObject({ name: 'OffsetCommit', max: 9 });
  });
});

describe('committed offsets', () => {
  it('are waited for only while a transaction may still change them', async () => {
    const { client, clock, on, of } = scriptedCoordinator();
    // As a broker does: without the request for stable offsets, it returns those from before the transaction.
    on('OffsetFetch', ({ requireStable, groups }, before) => {
      const isPending = before < 3;
      const second = isPending && requireStable ? ([1, -1n, 88] as const) : ([1, isPending ? 1n : 9n, 0] as const);
      return answer(groups[0].topics[0].partitionIndexes.length === 2 ? [[0, 5n, 0], second] : [second]);
    });
    const work = committedOffsets(client, 'g', items);
    await clock.runFor(10_000);
    expect((await work).map(({ offset }) => offset)).toEqual([5n, 9n]);
    expect(of('OffsetFetch').map(({ request }) => request.groups[0].topics[0].partitionIndexes)).toEqual([
      [0, 1],
      [1],
      [1],
      [1],
    ]);
  });

  it('that stay unstable for the whole retry timeout are an error of their own partition', async () => {
    const { client, clock, on } = scriptedCoordinator({ retry: 5_000 });
    on('OffsetFetch', ({ groups }) =>
      answer(
        groups[0].topics[0].partitionIndexes.map((partition: number) => (partition === 0 ? [0, 5n, 0] : [1, -1n, 88])),
      ),
    );
    const work = committedOffsets(client, 'g', items);
    await clock.runFor(10_000);
    expect((await work).map(({ offset, errorCode }) => [offset, errorCode])).toEqual([
      [5n, 0],
      [-1n, 88],
    ]);
  });

  it('that are known are not read again after a lost answer', async () => {
    const { client, clock, on, of } = scriptedCoordinator();
    on('OffsetFetch', ({ groups }, before) => {
      if (before === 1) return Promise.reject(cut());
      const [stable, second] = [[0, 5n, 0] as const, before === 0 ? ([1, -1n, 88] as const) : ([1, 9n, 0] as const)];
      return answer(groups[0].topics[0].partitionIndexes.length === 2 ? [stable, second] : [second]);
    });
    const work = committedOffsets(client, 'g', items);
    await clock.runFor(10_000);
    expect((await work).map(({ partition, offset }) => [partition, offset])).toEqual([
      [0, 5n],
      [1, 9n],
    ]);
    expect(of('OffsetFetch').map(({ request }) => request.groups[0].topics[0].partitionIndexes)).toEqual([
      [0, 1],
      [1],
      [1],
    ]);
  });

  it('cannot be read once the coordinator is gone, even if some were unstable before', async () => {
    const { client, clock, on } = scriptedCoordinator({ retry: 5_000 });
    on('OffsetFetch', (_, before) =>
      before === 0
        ? answer([
            [0, 5n, 0],
            [1, -1n, 88],
          ])
        : Promise.reject(cut()),
    );
    const work = failureOf(committedOffsets(client, 'g', items));
    await clock.runFor(20_000);
    expect(await work).toMatchObject({ code: 'RETRY_TIMEOUT', exitCode: 5 });
  });

  it('cannot be read by a principal that may not describe the group', async () => {
    const { client, clock, on } = scriptedCoordinator();
    on('OffsetFetch', () => ({ groups: [{ groupId: 'g', errorCode: 30, topics: [] }] }));
    const work = failureOf(committedOffsets(client, 'g', items));
    await clock.runFor(1_000);
    expect(await work).toMatchObject({ code: 'GROUP_AUTHORIZATION_FAILED', exitCode: 4 });
  });

  it('cannot be read without a coordinator', async () => {
    const { client, clock, on } = scriptedCoordinator({ retry: 5_000 });
    on('OffsetFetch', () => Promise.reject(cut()));
    const work = failureOf(committedOffsets(client, 'g', items));
    await clock.runFor(10_000);
    expect(await work).toMatchObject({ code: 'RETRY_TIMEOUT', exitCode: 5 });
  });
});
