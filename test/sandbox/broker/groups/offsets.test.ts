import { afterEach, describe, expect, test } from 'vitest';
import { deleteGroups } from '../../../../src/sandbox/broker/apis/delete-groups.ts';
import { listGroups } from '../../../../src/sandbox/broker/apis/list-groups.ts';
import { offsetCommit } from '../../../../src/sandbox/broker/apis/offset-commit.ts';
import { offsetDelete } from '../../../../src/sandbox/broker/apis/offset-delete.ts';
import { offsetFetch } from '../../../../src/sandbox/broker/apis/offset-fetch.ts';
import { txnOffsetCommit } from '../../../../src/sandbox/broker/apis/txn-offset-commit.ts';
import { codes } from '../../../../src/sandbox/broker/error-codes.ts';
import type { RawClient } from '../client.ts';
import { groupStage, idOf, type Stage } from './stage.ts';

let stage: Stage;
afterEach(() => expect(stage.defects).toEqual([]));

const nobody = { groupId: 'g', generationIdOrMemberEpoch: -1, memberId: '' };

function partition(partitionIndex: number, committedOffset: number, committedMetadata?: string) {
  return { partitionIndex, committedOffset, committedMetadata };
}

async function commit(client: RawClient, offsets: readonly ReturnType<typeof partition>[], version = 9) {
  const topics = [{ name: 't', topicId: idOf('t'), partitions: offsets }];
  const answer = await client.ask(offsetCommit, { ...nobody, topics }, version);
  return answer.topics[0]?.partitions.map(({ errorCode }) => errorCode);
}

async function fetch(client: RawClient, options: { version?: number; requireStable?: boolean } = {}) {
  const { version = 9, requireStable = false } = options;
  const topics = [{ name: 't', topicId: idOf('t'), partitionIndexes: [0, 1] }];
  const answer = await client.ask(
    offsetFetch,
    { groupId: 'g', topics, groups: [{ groupId: 'g', topics }], requireStable },
    version,
  );
  const found = version >= 8 ? answer.groups[0]?.topics : answer.topics;
  return found?.[0]?.partitions.map(({ committedOffset, errorCode }) => errorCode || committedOffset);
}

async function commitInTransaction(client: RawClient, offset: number) {
  const topics = [{ name: 't', partitions: [partition(0, offset)] }];
  const request = { transactionalId: 'x', groupId: 'g', producerId: 7, producerEpoch: 0, memberId: '', topics };
  return (await client.ask(txnOffsetCommit, request)).topics[0]?.partitions[0]?.errorCode;
}

describe('commits without members', () => {
  test.each([2, 5, 6, 8, 9, 10])(
    'version %i is kept and read again in every version of OffsetFetch',
    async (version) => {
      stage = groupStage();
      const client = stage.client();
      expect(await commit(client, [partition(0, 5, 'note'), partition(9, 1)], version)).toEqual([
        0,
        codes.UNKNOWN_TOPIC_OR_PARTITION,
      ]);
      for (const reading of [1, 2, 5, 7, 8, 9, 10]) expect(await fetch(client, { version: reading })).toEqual([5, -1]);
    },
  );

  test('metadata that is too long is refused, each partition for itself', async () => {
    stage = groupStage();
    const answer = await commit(stage.client(), [partition(0, 1, 'x'.repeat(4_097)), partition(1, 2)]);
    expect(answer).toEqual([codes.OFFSET_METADATA_TOO_LARGE, 0]);
  });

  test('a generation of a group that does not exist is refused', async () => {
    stage = groupStage();
    const client = stage.client();
    const request = { ...nobody, generationIdOrMemberEpoch: 3, memberId: 'a' };
    const topics = [{ name: 't', partitions: [partition(0, 1)] }];
    const code = async (version: number) =>
      (await client.ask(offsetCommit, { ...request, topics }, version)).topics[0]?.partitions[0]?.errorCode;
    expect(await code(8)).toBe(codes.ILLEGAL_GENERATION);
    expect(await code(9)).toBe(codes.GROUP_ID_NOT_FOUND);
  });

  test('an offset outlives its coordinator', async () => {
    stage = groupStage();
    await commit(stage.client(), [partition(0, 5)]);
    stage.move(2);
    await stage.clock.runFor(200);
    expect(await fetch(stage.client(2))).toEqual([5, -1]);
    const refused = await stage.client(1).ask(offsetFetch, { groupId: 'g', groups: [{ groupId: 'g' }] }, 8);
    expect(refused.groups[0]?.errorCode).toBe(codes.NOT_COORDINATOR);
  });
});

describe('offsets in a transaction', () => {
  test('they are unstable until it ends, and then committed', async () => {
    stage = groupStage();
    const client = stage.client();
    await commit(client, [partition(0, 5)]);
    expect(await commitInTransaction(client, 8)).toBe(0);
    expect(await fetch(client)).toEqual([5, -1]);
    expect(await fetch(client, { requireStable: true })).toEqual([codes.UNSTABLE_OFFSET_COMMIT, -1]);
    stage.cluster.transactionalOffsets?.complete({ group: 'g', producerId: 7, producerEpoch: 0, committed: true });
    expect(await fetch(client, { requireStable: true })).toEqual([8, -1]);
  });

  test('they go with one that is aborted', async () => {
    stage = groupStage();
    const client = stage.client();
    await commitInTransaction(client, 8);
    stage.cluster.transactionalOffsets?.complete({ group: 'g', producerId: 7, producerEpoch: 0, committed: false });
    expect(await fetch(client, { requireStable: true })).toEqual([-1, -1]);
  });
});

describe('groups that only have offsets', () => {
  test('are listed, lose an offset, and are deleted', async () => {
    stage = groupStage();
    const client = stage.client();
    await commit(client, [partition(0, 5), partition(1, 6)]);
    const listed = await client.ask(listGroups, { statesFilter: ['empty'], typesFilter: [] });
    expect(listed.groups).toEqual([{ groupId: 'g', protocolType: '', groupState: 'Empty', groupType: 'classic' }]);
    expect((await client.ask(listGroups, { typesFilter: ['consumer'] })).groups).toEqual([]);
    await client.ask(offsetDelete, { groupId: 'g', topics: [{ name: 't', partitions: [{ partitionIndex: 0 }] }] });
    expect(await fetch(client)).toEqual([-1, 6]);
    const deleted = await client.ask(deleteGroups, { groupsNames: ['g', 'none'] });
    expect(deleted.results.map(({ errorCode }) => errorCode)).toEqual([0, codes.GROUP_ID_NOT_FOUND]);
    expect(await fetch(client)).toEqual([-1, -1]);
  });
});
