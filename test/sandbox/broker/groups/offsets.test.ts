import { afterEach, describe, expect, test } from 'vitest';
import { addOffsetsToTxn } from '../../../../src/kafka/protocol/wire/apis/add-offsets-to-txn.ts';
import { deleteGroups } from '../../../../src/kafka/protocol/wire/apis/delete-groups.ts';
import { endTxn } from '../../../../src/kafka/protocol/wire/apis/end-txn.ts';
import { findCoordinator } from '../../../../src/kafka/protocol/wire/apis/find-coordinator.ts';
import { initProducerId } from '../../../../src/kafka/protocol/wire/apis/init-producer-id.ts';
import { joinGroup } from '../../../../src/kafka/protocol/wire/apis/join-group.ts';
import { listGroups } from '../../../../src/kafka/protocol/wire/apis/list-groups.ts';
import { offsetCommit } from '../../../../src/kafka/protocol/wire/apis/offset-commit.ts';
import { offsetDelete } from '../../../../src/kafka/protocol/wire/apis/offset-delete.ts';
import { offsetFetch } from '../../../../src/kafka/protocol/wire/apis/offset-fetch.ts';
import { txnOffsetCommit } from '../../../../src/kafka/protocol/wire/apis/txn-offset-commit.ts';
import { codes } from '../../../../src/kafka/protocol/wire/error-codes.ts';
import { type RawClient, rawClient } from '../client.ts';
import { expectNoDefects, groupStage, loadMs, type Stage } from './stage.ts';

let stage: Stage;
afterEach(() => expectNoDefects(stage));

const nobody = { groupId: 'g', generationIdOrMemberEpoch: -1, memberId: '' };

function partition(partitionIndex: number, committedOffset: number, committedMetadata?: string) {
  return { partitionIndex, committedOffset, committedMetadata };
}

async function commit(client: RawClient, offsets: readonly ReturnType<typeof partition>[], version = 9) {
  const topics = [{ name: 't', partitions: offsets }];
  const answer = await client.ask(offsetCommit, { ...nobody, topics }, version);
  return answer.topics[0]?.partitions.map(({ errorCode }) => errorCode);
}

async function fetch(client: RawClient, options: { version?: number; requireStable?: boolean } = {}) {
  const { version = 9, requireStable = false } = options;
  const topics = [{ name: 't', partitionIndexes: [0, 1] }];
  const answer = await client.ask(
    offsetFetch,
    { groupId: 'g', topics, groups: [{ groupId: 'g', topics }], requireStable },
    version,
  );
  const found = version >= 8 ? answer.groups[0]?.topics : answer.topics;
  return found?.[0]?.partitions.map(({ committedOffset, errorCode }) => errorCode || Number(committedOffset));
}

interface Producer {
  /** The connection to the coordinator of its transactions. */
  readonly client: RawClient;
  readonly producerId: bigint;
  readonly producerEpoch: number;
}

const transactionalId = 'x';

/** Creates a producer whose transaction includes the offsets of the group. */
async function newProducer(): Promise<Producer> {
  const find = { key: transactionalId, keyType: 1, coordinatorKeys: [transactionalId] };
  await stage.client().ask(findCoordinator, find);
  await stage.clock.runFor(1_000);
  const broker = stage.cluster.control.coordinatorOf('transaction', transactionalId) ?? 0;
  const client = rawClient(stage.cluster, broker);
  const init = () => client.ask(initProducerId, { transactionalId, transactionTimeoutMs: 60_000 }, 4);
  let given = await init();
  // The open transaction of the previous producer is aborted first.
  while (given.errorCode === codes.CONCURRENT_TRANSACTIONS) {
    await stage.clock.runFor(100);
    given = await init();
  }
  const { producerId, producerEpoch } = given;
  await client.ask(addOffsetsToTxn, { transactionalId, producerId, producerEpoch, groupId: 'g' });
  return { client, producerId, producerEpoch };
}

async function commitInTransaction({ producerId, producerEpoch }: Producer, offset: number) {
  const topics = [{ name: 't', partitions: [partition(0, offset)] }];
  const request = { transactionalId, groupId: 'g', producerId, producerEpoch, memberId: '', topics };
  return (await stage.client().ask(txnOffsetCommit, request)).topics[0]?.partitions[0]?.errorCode;
}

async function end({ client, producerId, producerEpoch }: Producer, committed: boolean): Promise<void> {
  await client.ask(endTxn, { transactionalId, producerId, producerEpoch, committed });
  await stage.clock.runFor(1_000);
}

describe('commits without members', () => {
  test.each([2, 5, 6, 8, 9])('a commit in version %i can be read in every version of OffsetFetch', async (version) => {
    stage = await groupStage();
    const client = stage.client();
    expect(await commit(client, [partition(0, 5, 'note'), partition(9, 1)], version)).toEqual([
      0,
      codes.UNKNOWN_TOPIC_OR_PARTITION,
    ]);
    for (const reading of [1, 2, 5, 7, 8, 9]) expect(await fetch(client, { version: reading })).toEqual([5, -1]);
  });

  test('metadata that is too long is refused for its partition only', async () => {
    stage = await groupStage();
    const answer = await commit(stage.client(), [partition(0, 1, 'x'.repeat(4_097)), partition(1, 2)]);
    expect(answer).toEqual([codes.OFFSET_METADATA_TOO_LARGE, 0]);
  });

  test('a commit with a generation is refused when the group does not exist', async () => {
    stage = await groupStage();
    const client = stage.client();
    const request = { ...nobody, generationIdOrMemberEpoch: 3, memberId: 'a' };
    const topics = [{ name: 't', partitions: [partition(0, 1)] }];
    const code = async (version: number) =>
      (await client.ask(offsetCommit, { ...request, topics }, version)).topics[0]?.partitions[0]?.errorCode;
    expect(await code(8)).toBe(codes.ILLEGAL_GENERATION);
    expect(await code(9)).toBe(codes.GROUP_ID_NOT_FOUND);
  });

  test('an offset survives its coordinator', async () => {
    stage = await groupStage();
    await commit(stage.client(), [partition(0, 5)]);
    const refused = await stage
      .otherClient()
      .ask(offsetFetch, { groupId: 'g', groups: [{ groupId: 'g', topics: undefined }] }, 8);
    expect(refused.groups[0]?.errorCode).toBe(codes.NOT_COORDINATOR);
    await stage.killCoordinator();
    await stage.clock.runFor(loadMs);
    expect(await fetch(stage.client())).toEqual([5, -1]);
  });

  test('the offsets of a deleted topic are removed, even if a topic with the same name is created', async () => {
    stage = await groupStage();
    const client = stage.client();
    await commit(client, [partition(0, 5)]);
    stage.cluster.control.deleteTopic('t');
    stage.cluster.control.createTopic({ name: 't', partitions: 4 });
    expect(await fetch(client)).toEqual([-1, -1]);
  });
});

test('a member that has not synced yet cannot commit', async () => {
  stage = await groupStage({ initialRebalanceDelayMs: 0 });
  const client = stage.client();
  const protocols = [{ name: 'range', metadata: Buffer.alloc(0) }];
  const request = {
    groupId: 'g',
    sessionTimeoutMs: 10_000,
    rebalanceTimeoutMs: 60_000,
    memberId: '',
    protocolType: 'consumer',
  };
  const joined = await stage.clock.runUntil(client.ask(joinGroup, { ...request, protocols }, 3));
  const { memberId, generationId: generationIdOrMemberEpoch } = joined;
  const topics = [{ name: 't', partitions: [partition(0, 1)] }];
  const answer = await client.ask(offsetCommit, { groupId: 'g', memberId, generationIdOrMemberEpoch, topics }, 9);
  expect(answer.topics[0]?.partitions[0]?.errorCode).toBe(codes.REBALANCE_IN_PROGRESS);
});

describe('offsets in a transaction', () => {
  test('are unstable until it commits', async () => {
    stage = await groupStage();
    const client = stage.client();
    await commit(client, [partition(0, 5)]);
    const producer = await newProducer();
    expect(await commitInTransaction(producer, 8)).toBe(0);
    expect(await fetch(client)).toEqual([5, -1]);
    expect(await fetch(client, { requireStable: true })).toEqual([codes.UNSTABLE_OFFSET_COMMIT, -1]);
    await end(producer, true);
    expect(await fetch(client, { requireStable: true })).toEqual([8, -1]);
  });

  test('are discarded when it aborts', async () => {
    stage = await groupStage();
    const client = stage.client();
    const producer = await newProducer();
    await commitInTransaction(producer, 8);
    await end(producer, false);
    expect(await fetch(client, { requireStable: true })).toEqual([-1, -1]);
  });

  test('are refused from a fenced producer', async () => {
    stage = await groupStage();
    const old = await newProducer();
    await commitInTransaction(await newProducer(), 8);
    expect(await commitInTransaction(old, 9)).toBe(codes.INVALID_PRODUCER_EPOCH);
  });
});

describe('groups that only have offsets', () => {
  test('are listed, can lose a single offset, and can be deleted', async () => {
    stage = await groupStage();
    const client = stage.client();
    await commit(client, [partition(0, 5), partition(1, 6)]);
    const listed = await client.ask(listGroups, { statesFilter: ['empty'], typesFilter: [] });
    expect(listed.groups).toEqual([{ groupId: 'g', protocolType: '', groupState: 'Empty', groupType: 'classic' }]);
    expect((await client.ask(listGroups, { typesFilter: ['consumer'] })).groups).toEqual([]);
    await client.ask(offsetDelete, { groupId: 'g', topics: [{ name: 't', partitions: [{ partitionIndex: 0 }] }] });
    expect(await fetch(client)).toEqual([-1, 6]);
    const deleted = await client.ask(deleteGroups, { groupsNames: ['g', 'e'] });
    expect(deleted.results.map(({ errorCode }) => errorCode)).toEqual([0, codes.GROUP_ID_NOT_FOUND]);
    expect(await fetch(client)).toEqual([-1, -1]);
  });
});
