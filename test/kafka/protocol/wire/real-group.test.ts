import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aboutTopics } from '../../../../src/kafka/protocol/client/cluster-metadata.ts';
import type { Api } from '../../../../src/kafka/protocol/wire/api.ts';
import { createTopics } from '../../../../src/kafka/protocol/wire/apis/create-topics.ts';
import { deleteTopics } from '../../../../src/kafka/protocol/wire/apis/delete-topics.ts';
import { fetch } from '../../../../src/kafka/protocol/wire/apis/fetch.ts';
import { findCoordinator } from '../../../../src/kafka/protocol/wire/apis/find-coordinator.ts';
import { heartbeat } from '../../../../src/kafka/protocol/wire/apis/heartbeat.ts';
import { initProducerId } from '../../../../src/kafka/protocol/wire/apis/init-producer-id.ts';
import { joinGroup } from '../../../../src/kafka/protocol/wire/apis/join-group.ts';
import { leaveGroup } from '../../../../src/kafka/protocol/wire/apis/leave-group.ts';
import { listOffsets } from '../../../../src/kafka/protocol/wire/apis/list-offsets.ts';
import { metadata as metadataApi } from '../../../../src/kafka/protocol/wire/apis/metadata.ts';
import { offsetCommit } from '../../../../src/kafka/protocol/wire/apis/offset-commit.ts';
import {
  fetchedGroups,
  offsetFetch,
  offsetFetchRequest,
} from '../../../../src/kafka/protocol/wire/apis/offset-fetch.ts';
import { offsetForLeaderEpoch } from '../../../../src/kafka/protocol/wire/apis/offset-for-leader-epoch.ts';
import { produce } from '../../../../src/kafka/protocol/wire/apis/produce.ts';
import { syncGroup } from '../../../../src/kafka/protocol/wire/apis/sync-group.ts';
import { noUuid } from '../../../../src/kafka/protocol/wire/primitives.ts';
import { services } from '../../../services/services.ts';
import { writeBatch } from '../../records/batches/batches.ts';
import { openRaw, type RawBroker } from './raw-broker.ts';

const topic = `group-layouts-${process.pid}`;
// An empty subscription. If the coordinator cannot read it, it does not answer.
const metadata = Buffer.from('000000000000ffffffff', 'hex');
const assignment = Buffer.from('assignment');
let broker: RawBroker;
let topicId: string;

/** The topic in the answer of a version, which names it by its id from version 13. */
function told(version: number, name: 'name' | 'topic') {
  return version >= 13 ? { [name]: '', topicId } : { [name]: topic, topicId: noUuid };
}

/** The version for a round; rounds go from the lowest to the highest version of each API. */
function at(api: Api<never, unknown>, round: number): number {
  return Math.min(api.min + round, api.max);
}

/** Waits for the coordinator: a new broker creates the topics of offsets and transactions only now. */
async function settled<R extends { readonly errorCode: number }>(ask: () => Promise<R>): Promise<R> {
  for (;;) {
    const answer = await ask();
    if (![14, 15, 16].includes(answer.errorCode)) return answer;
    await setTimeout(50);
  }
}

/** Joins as the only member, with the coordinator's id if it requires one. */
async function join(group: string, version: number) {
  const request = {
    groupId: group,
    sessionTimeoutMs: 300_000,
    rebalanceTimeoutMs: 300_000,
    memberId: '',
    protocolType: 'consumer',
    protocols: [{ name: 'range', metadata }],
    reason: '',
  };
  const first = await settled(() => broker.ask(joinGroup, version, request));
  if (first.errorCode !== 79) return first;
  return broker.ask(joinGroup, version, { ...request, memberId: first.memberId });
}

beforeAll(async () => {
  broker = await openRaw(services().plaintext);
  const topics = [{ name: topic, numPartitions: 1, replicationFactor: 1, configs: [] }];
  await broker.ask(createTopics, 7, { topics, timeoutMs: 5000, validateOnly: false });
  await settled(async () => {
    const { coordinators } = await broker.ask(findCoordinator, 4, { keyType: 0, coordinatorKeys: [topic] });
    return { errorCode: coordinators[0]?.errorCode ?? 0 };
  });
  await untilLed();
  topicId = (await broker.ask(metadataApi, 12, aboutTopics([topic]))).topics[0]?.topicId ?? '';
});

/** Waits until the broker knows that it leads the new topic. */
async function untilLed(): Promise<void> {
  const asked = { topics: [{ name: topic, partitions: [{ partitionIndex: 0, timestamp: -1n }] }] };
  for (;;) {
    const { topics } = await broker.ask(listOffsets, listOffsets.max, asked);
    if (topics[0]?.partitions[0]?.errorCode === 0) return;
    await setTimeout(20);
  }
}

afterAll(async () => {
  await broker.ask(deleteTopics, 6, { topics: [{ name: topic, topicId: noUuid }], timeoutMs: 5000 });
  broker.close();
});

describe('the requests of groups, in every version that weir and a real broker both know', () => {
  it.each([0, 1, 2, 3, 4, 5, 6, 7])('cover the whole life of a member (round %d)', async (round) => {
    const group = `${topic}-${round}`;
    const joined = await join(group, at(joinGroup, round));
    expect([joined.errorCode, joined.protocolName, joined.generationId]).toEqual([0, 'range', 1]);
    expect(joined.leader).toBe(joined.memberId);
    expect(joined.members.map((member) => [member.memberId, member.metadata.toString('hex')])).toEqual([
      [joined.memberId, metadata.toString('hex')],
    ]);

    const { generationId, memberId } = joined;
    const member = { groupId: group, generationId, memberId };
    const assignments = [{ memberId, assignment }];
    const syncing = { ...member, protocolType: 'consumer', protocolName: 'range', assignments };
    const synced = await broker.ask(syncGroup, at(syncGroup, round), syncing);
    expect([synced.errorCode, String(synced.assignment)]).toEqual([0, 'assignment']);
    expect(await broker.ask(heartbeat, at(heartbeat, round), member)).toMatchObject({ errorCode: 0 });

    const partitions = [{ partitionIndex: 0, committedOffset: 7n, committedMetadata: 'note' }];
    const committing = { groupId: group, generationIdOrMemberEpoch: generationId, memberId };
    const committed = { ...committing, topics: [{ name: topic, topicId, partitions }] };
    expect(await broker.ask(offsetCommit, at(offsetCommit, round), committed)).toMatchObject({
      topics: [{ partitions: [{ partitionIndex: 0, errorCode: 0 }] }],
    });
    const topics = [{ name: topic, topicId, partitionIndexes: [0] }];
    const asked = offsetFetchRequest({ groups: [{ groupId: group, topics }], requireStable: true });
    const [fetched] = fetchedGroups(await broker.ask(offsetFetch, at(offsetFetch, round), asked));
    expect(fetched?.topics).toMatchObject([
      { partitions: [{ partitionIndex: 0, committedOffset: 7n, metadata: 'note' }] },
    ]);

    const leaving = { groupId: group, memberId, members: [{ memberId }] };
    expect(await broker.ask(leaveGroup, at(leaveGroup, round), leaving)).toMatchObject({ errorCode: 0 });
  });
});

describe('the requests of records, in every version that weir and a real broker both know', () => {
  const records = writeBatch([{ key: null, value: Buffer.from('value'), headers: [], timestamp: 1_700_000_000_000 }]);

  const write = (version: number) =>
    broker.ask(produce, version, {
      acks: -1,
      timeoutMs: 5000,
      topicData: [{ name: topic, topicId, partitionData: [{ index: 0, records }] }],
    });

  beforeAll(async () => {
    expect((await write(produce.max)).responses).toMatchObject([{ partitionResponses: [{ errorCode: 0 }] }]);
  });

  it.each([3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13])('Produce v%d writes a batch', async (version) => {
    const answer = await write(version);
    const partitionResponses = [{ index: 0, errorCode: 0 }];
    expect(answer.responses).toMatchObject([{ ...told(version, 'name'), partitionResponses }]);
  });

  it.each([4, 5, 6, 7, 8, 9, 10, 11, 12, 13])('Fetch v%d reads it back', async (version) => {
    const partitions = [{ partition: 0, fetchOffset: 0n, partitionMaxBytes: 1_000_000 }];
    const answer = await broker.ask(fetch, version, {
      maxWaitMs: 5000,
      minBytes: 1,
      maxBytes: 1_000_000,
      isolationLevel: 1,
      topics: [{ topic, topicId, partitions }],
    });
    const [topicAnswer] = answer.responses;
    expect(topicAnswer).toMatchObject({ ...told(version, 'topic'), partitions: [{ partitionIndex: 0, errorCode: 0 }] });
    expect(topicAnswer?.partitions[0]?.records?.includes('value')).toBe(true);
  });

  it.each([2, 3, 4])('OffsetForLeaderEpoch v%d returns the end of the first epoch', async (version) => {
    const partitions = [{ partition: 0, currentLeaderEpoch: -1, leaderEpoch: 0 }];
    const answer = await broker.ask(offsetForLeaderEpoch, version, { topics: [{ topic, partitions }] });
    expect(answer.topics).toMatchObject([{ topic, partitions: [{ partition: 0, errorCode: 0, leaderEpoch: 0 }] }]);
    expect(answer.topics[0]?.partitions[0]?.endOffset).toBeGreaterThan(0n);
  });

  it.each([0, 1, 2, 3, 4])('InitProducerId v%d gives an id', async (version) => {
    const request = { transactionalId: undefined, transactionTimeoutMs: 60_000 };
    const answer = await settled(() => broker.ask(initProducerId, version, request));
    expect(answer).toMatchObject({ errorCode: 0, producerEpoch: 0 });
  });
});
