import { afterEach, describe, expect, test } from 'vitest';
import { consumerGroupDescribe } from '../../../../src/kafka/protocol/wire/apis/consumer-group-describe.ts';
import { consumerGroupHeartbeat } from '../../../../src/kafka/protocol/wire/apis/consumer-group-heartbeat.ts';
import { joinGroup } from '../../../../src/kafka/protocol/wire/apis/join-group.ts';
import { offsetCommit } from '../../../../src/kafka/protocol/wire/apis/offset-commit.ts';
import { codes } from '../../../../src/kafka/protocol/wire/error-codes.ts';
import type { RawClient } from '../client.ts';
import { expectNoDefects, groupStage, loadMs, type Stage } from './stage.ts';

interface Beat {
  readonly memberEpoch?: number;
  readonly instanceId?: string;
  readonly topics?: readonly string[];
  readonly regex?: string;
  readonly assignor?: string;
  /** Partitions of `t`. */
  readonly owned?: readonly number[];
  readonly version?: number;
  readonly rebalanceTimeoutMs?: number;
}

let stage: Stage;
afterEach(() => expectNoDefects(stage));

/** Sends a heartbeat; with epoch 0 it joins and subscribes to `t`. Returns the assignment as partitions of `t`. */
async function beat(client: RawClient, memberId: string, told: Beat = {}) {
  const { memberEpoch = 0, regex, topics = memberEpoch === 0 && regex === undefined ? ['t'] : undefined } = told;
  const owned = told.owned ?? (memberEpoch === 0 ? [] : undefined);
  const answer = await client.ask(
    consumerGroupHeartbeat,
    {
      groupId: 'g',
      memberId,
      memberEpoch,
      instanceId: told.instanceId,
      rackId: undefined,
      rebalanceTimeoutMs: told.rebalanceTimeoutMs ?? (memberEpoch === 0 ? 60_000 : -1),
      subscribedTopicNames: topics,
      subscribedTopicRegex: regex,
      serverAssignor: told.assignor,
      topicPartitions: owned && (owned.length === 0 ? [] : [{ topicId: await stage.topicId('t'), partitions: owned }]),
    },
    told.version ?? 1,
  );
  const { assignment, ...rest } = answer;
  return { ...rest, share: assignment?.topicPartitions.flatMap(({ partitions }) => partitions) };
}

async function describeGroup(client: RawClient) {
  return (await client.ask(consumerGroupDescribe, { groupIds: ['g'], includeAuthorizedOperations: false })).groups[0];
}

describe('joining and sharing', () => {
  test('the first member gets all partitions immediately, in epoch 1', async () => {
    stage = await groupStage();
    const client = stage.client();
    expect(await beat(client, 'a')).toMatchObject({
      errorCode: 0,
      memberId: 'a',
      memberEpoch: 1,
      heartbeatIntervalMs: 5_000,
      share: [0, 1, 2, 3],
    });
    expect(await describeGroup(client)).toMatchObject({ groupState: 'Stable', groupEpoch: 1, assignorName: 'uniform' });
  });

  test('a second member waits until the first has revoked its half', async () => {
    stage = await groupStage();
    const client = stage.client();
    await beat(client, 'a');
    expect(await beat(client, 'b')).toMatchObject({ memberEpoch: 2, share: [] });
    const revoke = await beat(client, 'a', { memberEpoch: 1, owned: [0, 1, 2, 3] });
    expect(revoke.memberEpoch).toBe(1);
    expect(revoke.share).toHaveLength(2);
    expect((await beat(client, 'b', { memberEpoch: 2 })).share).toBeUndefined();
    expect((await describeGroup(client))?.groupState).toBe('Reconciling');
    expect(await beat(client, 'a', { memberEpoch: 1, owned: revoke.share ?? [] })).toMatchObject({ memberEpoch: 2 });
    const taken = await beat(client, 'b', { memberEpoch: 2, owned: [] });
    expect([...(taken.share ?? []), ...(revoke.share ?? [])].sort()).toEqual([0, 1, 2, 3]);
    expect((await describeGroup(client))?.groupState).toBe('Stable');
  });

  test('the range assignor splits each topic into ranges', async () => {
    stage = await groupStage();
    stage.cluster.control.createTopic({ name: 'five', partitions: 5 });
    const client = stage.client();
    await beat(client, 'a', { assignor: 'range', topics: ['five'] });
    await beat(client, 'b', { assignor: 'range', topics: ['five'] });
    const described = await describeGroup(client);
    const targets = described?.members.map(({ targetAssignment }) => targetAssignment.topicPartitions[0]?.partitions);
    expect(targets).toEqual([
      [0, 1, 2],
      [3, 4],
    ]);
    expect(described?.assignorName).toBe('range');
  });

  test('a topic created later increments the epoch with the next heartbeat', async () => {
    stage = await groupStage();
    const client = stage.client();
    expect(await beat(client, 'a', { topics: ['later'] })).toMatchObject({ memberEpoch: 1, share: [] });
    stage.cluster.control.createTopic({ name: 'later', partitions: 2 });
    expect(await beat(client, 'a', { memberEpoch: 1 })).toMatchObject({ memberEpoch: 2, share: [0, 1] });
  });

  test('a pattern matches topics created later', async () => {
    stage = await groupStage();
    const client = stage.client();
    expect((await beat(client, 'a', { regex: 'u.*' })).share).toEqual([]);
    stage.cluster.control.createTopic({ name: 'u1', partitions: 2 });
    expect(await beat(client, 'a', { memberEpoch: 1 })).toMatchObject({ memberEpoch: 2, share: [0, 1] });
    expect((await beat(client, 'b', { regex: '(' })).errorCode).toBe(codes.INVALID_REGULAR_EXPRESSION);
  });

  test('a member of version 0 may join without an id and gets one', async () => {
    stage = await groupStage();
    const client = stage.client();
    expect((await beat(client, '', { version: 0 })).memberId).not.toBe('');
    expect((await beat(client, '')).errorCode).toBe(codes.INVALID_REQUEST);
  });
});

describe('a heartbeat is refused', () => {
  test.each([
    ['with an unknown assignor', { assignor: 'none' }, codes.UNSUPPORTED_ASSIGNOR],
    ['when it joins with partitions', { owned: [0] }, codes.INVALID_REQUEST],
    ['when it joins without a rebalance timeout', { rebalanceTimeoutMs: -1 }, codes.INVALID_REQUEST],
    ['with an invalid epoch', { memberEpoch: -3 }, codes.INVALID_REQUEST],
    ['of a group that does not exist', { memberEpoch: 1 }, codes.GROUP_ID_NOT_FOUND],
    ['when it leaves temporarily without an instance id', { memberEpoch: -2 }, codes.INVALID_REQUEST],
  ])('%s', async (_what, told, code) => {
    stage = await groupStage();
    expect((await beat(stage.client(), 'a', told)).errorCode).toBe(code);
  });

  test('from an unknown member or with an epoch that is too high or too low', async () => {
    stage = await groupStage();
    const client = stage.client();
    await beat(client, 'a');
    expect((await beat(client, 'x', { memberEpoch: 1 })).errorCode).toBe(codes.UNKNOWN_MEMBER_ID);
    expect((await beat(client, 'a', { memberEpoch: 2 })).errorCode).toBe(codes.FENCED_MEMBER_EPOCH);
    await beat(client, 'a', { memberEpoch: 1, topics: ['t', 'u'] });
    await beat(client, 'a', { memberEpoch: 2, topics: ['t'] });
    expect((await beat(client, 'a', { memberEpoch: 1, owned: [] })).errorCode).toBe(codes.FENCED_MEMBER_EPOCH);
  });

  test('but not in the previous epoch, because the response with the new one may be lost', async () => {
    stage = await groupStage();
    const client = stage.client();
    await beat(client, 'a');
    await beat(client, 'a', { memberEpoch: 1, topics: ['t', 'u'] });
    expect(await beat(client, 'a', { memberEpoch: 1, owned: [0] })).toMatchObject({ errorCode: 0, memberEpoch: 2 });
    expect((await beat(client, 'a', { memberEpoch: 1 })).errorCode).toBe(codes.FENCED_MEMBER_EPOCH);
  });
});

describe('leaving and being removed', () => {
  test('a member that leaves frees its partitions', async () => {
    stage = await groupStage();
    const client = stage.client();
    await beat(client, 'a');
    await beat(client, 'b');
    expect(await beat(client, 'a', { memberEpoch: -1 })).toMatchObject({ errorCode: 0, memberEpoch: -1 });
    expect(await beat(client, 'b', { memberEpoch: 2 })).toMatchObject({ memberEpoch: 3, share: [0, 1, 2, 3] });
    expect((await beat(client, 'a', { memberEpoch: -1 })).errorCode).toBe(codes.UNKNOWN_MEMBER_ID);
  });

  test('a member without heartbeats for the session timeout is removed', async () => {
    stage = await groupStage();
    const client = stage.client();
    await beat(client, 'a');
    await stage.clock.runFor(45_000);
    expect((await beat(client, 'a', { memberEpoch: 1 })).errorCode).toBe(codes.UNKNOWN_MEMBER_ID);
  });

  test('a member that does not revoke partitions in time is removed', async () => {
    stage = await groupStage();
    const client = stage.client();
    await beat(client, 'a', { rebalanceTimeoutMs: 20_000 });
    await beat(client, 'b');
    await beat(client, 'a', { memberEpoch: 1, owned: [0, 1, 2, 3] });
    await stage.clock.runFor(19_000);
    await beat(client, 'b', { memberEpoch: 2 });
    expect((await beat(client, 'a', { memberEpoch: 1 })).errorCode).toBe(0);
    await stage.clock.runFor(1_000);
    expect((await beat(client, 'a', { memberEpoch: 1 })).errorCode).toBe(codes.UNKNOWN_MEMBER_ID);
    expect((await beat(client, 'b', { memberEpoch: 2 })).share).toEqual([0, 1, 2, 3]);
  });

  test('a static member that leaves temporarily keeps its partitions, even with a new id', async () => {
    stage = await groupStage();
    const client = stage.client();
    await beat(client, 'a', { instanceId: 'i' });
    expect((await beat(client, 'b', { instanceId: 'i' })).errorCode).toBe(codes.UNRELEASED_INSTANCE_ID);
    expect((await beat(client, 'a', { instanceId: 'i', memberEpoch: -2 })).memberEpoch).toBe(-2);
    expect(await beat(client, 'c')).toMatchObject({ memberEpoch: 2, share: [] });
    expect((await beat(client, 'b', { instanceId: 'i' })).share).toHaveLength(2);
    expect((await beat(client, 'a', { instanceId: 'i', memberEpoch: 1 })).errorCode).toBe(codes.FENCED_INSTANCE_ID);
  });

  test('a static member that does not return is removed when its session expires', async () => {
    stage = await groupStage();
    const client = stage.client();
    await beat(client, 'a', { instanceId: 'i' });
    await beat(client, 'a', { instanceId: 'i', memberEpoch: -2 });
    await stage.clock.runFor(45_000);
    expect((await beat(client, 'c')).share).toEqual([0, 1, 2, 3]);
  });
});

describe('two protocols', () => {
  const classicJoin = (client: RawClient, memberId = '') =>
    client.ask(joinGroup, {
      groupId: 'g',
      sessionTimeoutMs: 10_000,
      rebalanceTimeoutMs: 60_000,
      memberId,
      protocolType: 'consumer',
      protocols: [{ name: 'range', metadata: Buffer.alloc(0) }],
    });

  test('a classic member cannot join a group of the consumer protocol that has members', async () => {
    stage = await groupStage();
    const client = stage.client();
    await beat(client, 'a');
    expect((await classicJoin(client)).errorCode).toBe(codes.INCONSISTENT_GROUP_PROTOCOL);
    await beat(client, 'a', { memberEpoch: -1 });
    expect((await classicJoin(client)).errorCode).toBe(codes.MEMBER_ID_REQUIRED);
  });

  test('a classic group is only converted to the consumer protocol when it has no members', async () => {
    stage = await groupStage();
    const client = stage.client();
    const { memberId } = await classicJoin(client);
    const joined = classicJoin(client, memberId);
    expect((await beat(stage.client(), 'a')).errorCode).toBe(codes.GROUP_ID_NOT_FOUND);
    await stage.clock.runUntil(joined);
    await stage.clock.runFor(70_000);
    expect(await beat(client, 'a')).toMatchObject({ errorCode: 0, memberEpoch: 1 });
  });
});

test('a new coordinator keeps members and epochs', async () => {
  stage = await groupStage();
  await beat(stage.client(), 'a');
  await stage.clock.runFor(44_000);
  await stage.killCoordinator();
  const client = stage.client();
  expect((await beat(client, 'a', { memberEpoch: 1 })).errorCode).toBe(codes.COORDINATOR_LOAD_IN_PROGRESS);
  await stage.clock.runFor(44_000 + loadMs);
  expect(await beat(client, 'a', { memberEpoch: 1 })).toMatchObject({ errorCode: 0, memberEpoch: 1 });
});

test('a commit in another epoch is refused as stale', async () => {
  stage = await groupStage();
  const client = stage.client();
  await beat(client, 'a');
  const commit = async (generationIdOrMemberEpoch: number, memberId: string) => {
    const partitions = [{ partitionIndex: 0, committedOffset: 1, committedMetadata: '' }];
    const topics = [{ name: 't', partitions }];
    const answer = await client.ask(offsetCommit, { groupId: 'g', generationIdOrMemberEpoch, memberId, topics }, 9);
    return answer.topics[0]?.partitions[0]?.errorCode;
  };
  expect(await commit(1, 'a')).toBe(0);
  expect(await commit(2, 'a')).toBe(codes.STALE_MEMBER_EPOCH);
  expect(await commit(-1, '')).toBe(codes.UNKNOWN_MEMBER_ID);
});
