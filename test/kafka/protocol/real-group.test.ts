import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aboutTopics } from '../../../src/kafka/client/cluster-metadata.ts';
import type { Api } from '../../../src/kafka/protocol/api.ts';
import { fetch } from '../../../src/kafka/protocol/fetch.ts';
import { heartbeat } from '../../../src/kafka/protocol/heartbeat.ts';
import { joinGroup } from '../../../src/kafka/protocol/join-group.ts';
import { leaveGroup } from '../../../src/kafka/protocol/leave-group.ts';
import { listOffsets } from '../../../src/kafka/protocol/list-offsets.ts';
import { offsetCommit } from '../../../src/kafka/protocol/offset-commit.ts';
import { offsetFetch } from '../../../src/kafka/protocol/offset-fetch.ts';
import { produce } from '../../../src/kafka/protocol/produce.ts';
import { syncGroup } from '../../../src/kafka/protocol/sync-group.ts';
import { createTopics } from '../../../src/kafka/wire/apis/create-topics.ts';
import { deleteTopics } from '../../../src/kafka/wire/apis/delete-topics.ts';
import { findCoordinator } from '../../../src/kafka/wire/apis/find-coordinator.ts';
import { initProducerId } from '../../../src/kafka/wire/apis/init-producer-id.ts';
import { metadata as metadataApi } from '../../../src/kafka/wire/apis/metadata.ts';
import { offsetForLeaderEpoch } from '../../../src/kafka/wire/apis/offset-for-leader-epoch.ts';
import { noUuid } from '../../../src/kafka/wire/primitives.ts';
import { services } from '../../services/services.ts';
import { writeBatch } from '../records/batches.ts';
import { openRaw, type RawBroker } from './raw-broker.ts';

const topic = `group-layouts-${process.pid}`;
// An empty subscription. If the coordinator cannot read it, it does not answer.
const metadata = Buffer.from('000000000000ffffffff', 'hex');
const assignment = Buffer.from('assignment');
let broker: RawBroker;
let topicId: string;

/** The topic as a version names it. */
function told(version: number, idsFrom: number) {
  return version >= idsFrom ? { topic: '', topicId } : { topic };
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
    group,
    sessionTimeoutMs: 300_000,
    rebalanceTimeoutMs: 300_000,
    memberId: '',
    instanceId: undefined,
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
  const partitions = [{ partition: 0, time: -1n, leaderEpoch: -1 }];
  for (;;) {
    const asked = { isolation: 'uncommitted', topics: [{ name: topic, partitions }] } as const;
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
    expect([joined.errorCode, joined.protocol, joined.generation]).toEqual([0, 'range', 1]);
    expect(joined.leader).toBe(joined.memberId);
    expect(joined.members.map((member) => [member.memberId, member.metadata.toString('hex')])).toEqual([
      [joined.memberId, metadata.toString('hex')],
    ]);

    const { generation, memberId } = joined;
    const member = { group, generation, memberId, instanceId: undefined };
    const assignments = [{ memberId, assignment }];
    const synced = await broker.ask(syncGroup, at(syncGroup, round), { ...member, protocol: 'range', assignments });
    expect([synced.errorCode, String(synced.assignment)]).toEqual([0, 'assignment']);
    expect(await broker.ask(heartbeat, at(heartbeat, round), member)).toMatchObject({ errorCode: 0 });

    const partitions = [{ partition: 0, offset: 7n, leaderEpoch: -1, metadata: 'note' }];
    const committed = { ...member, topics: [{ topic, partitions }] };
    expect(await broker.ask(offsetCommit, at(offsetCommit, round), committed)).toMatchObject({
      partitions: [{ topic, partition: 0, errorCode: 0 }],
    });
    const asked = { groups: [{ group, topics: [{ topic, partitions: [0] }] }], requireStable: true };
    const fetched = await broker.ask(offsetFetch, at(offsetFetch, round), asked);
    expect(fetched.groups[0]?.partitions).toMatchObject([{ topic, partition: 0, offset: 7n, metadata: 'note' }]);

    const leaving = { group, members: [{ memberId, instanceId: undefined }], reason: '' };
    expect(await broker.ask(leaveGroup, at(leaveGroup, round), leaving)).toMatchObject({ errorCode: 0 });
  });
});

describe('the requests of records, in every version that weir and a real broker both know', () => {
  const records = writeBatch([{ key: null, value: Buffer.from('value'), headers: [], timestamp: 1_700_000_000_000 }]);

  const write = (version: number) =>
    broker.ask(produce, version, {
      ...({ acks: -1, timeoutMs: 5000 } as const),
      topics: [{ topic, topicId, partitions: [{ partition: 0, records }] }],
    });

  beforeAll(async () => {
    expect((await write(produce.max)).partitions).toMatchObject([{ errorCode: 0 }]);
  });

  it.each([3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13])('Produce v%d writes a batch', async (version) => {
    const answer = await write(version);
    expect(answer.partitions).toMatchObject([{ ...told(version, 13), partition: 0, errorCode: 0 }]);
  });

  it.each([4, 5, 6, 7, 8, 9, 10, 11, 12, 13])('Fetch v%d reads it back', async (version) => {
    const partitions = [{ partition: 0, leaderEpoch: -1, offset: 0n, maxBytes: 1_000_000 }];
    const answer = await broker.ask(fetch, version, {
      maxWaitMs: 5000,
      minBytes: 1,
      maxBytes: 1_000_000,
      readCommitted: true,
      rack: '',
      topics: [{ topic, topicId, partitions }],
    });
    expect(answer.partitions).toMatchObject([{ ...told(version, 13), partition: 0, errorCode: 0 }]);
    expect(answer.partitions[0]?.records?.includes('value')).toBe(true);
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
