import { randomUUID } from 'node:crypto';
import { createAcls } from '../../../src/kafka/cluster/access/acls.ts';
import type { RequestOf, ResponseOf } from '../../../src/kafka/protocol/wire/api.ts';
import { consumerGroupHeartbeat } from '../../../src/kafka/protocol/wire/apis/consumer-group-heartbeat.ts';
import { findCoordinator } from '../../../src/kafka/protocol/wire/apis/find-coordinator.ts';
import { heartbeat } from '../../../src/kafka/protocol/wire/apis/heartbeat.ts';
import { joinGroup } from '../../../src/kafka/protocol/wire/apis/join-group.ts';
import { leaveGroup } from '../../../src/kafka/protocol/wire/apis/leave-group.ts';
import { offsetCommit } from '../../../src/kafka/protocol/wire/apis/offset-commit.ts';
import { syncGroup } from '../../../src/kafka/protocol/wire/apis/sync-group.ts';
import { encodeAssignment, encodeSubscription } from '../../../src/kafka/streams/groups/subscription.ts';
import { openRaw, type RawBroker } from '../../kafka/protocol/wire/raw-broker.ts';
import { clientOf } from '../../services/scripted-client.ts';
import { services } from '../../services/services.ts';

/** Groups in the state that a test needs, made with single requests to the shared broker. */
export interface GroupMaker {
  /** Commits offsets of a group without members. */
  commit(group: string, topic: string, offsets: Readonly<Record<number, bigint>>): Promise<void>;
  /** Adds the only member of a classic group, with these partitions of the topic. */
  joinClassic(group: string, topic: string, partitions: readonly number[]): Promise<string>;
  /** Adds a member of a group of the consumer protocol. */
  joinConsumer(group: string, topic: string): Promise<string>;
  /** Makes a member of a classic group leave. */
  leave(group: string, memberId: string): Promise<void>;
  /** Denies the limited test user everything about groups whose names begin with a prefix; the broker knows it then. */
  deny(prefix: string): Promise<void>;
  close(): void;
}

/** The environment of the test user who is subject to ACLs. */
export function limitedUser(): Readonly<Record<string, string>> {
  const { user, pass } = services().otherUser;
  return { WEIR_BROKERS: services().sasl, WEIR_USER: user, WEIR_PASS: pass, WEIR_SASL_MECHANISM: 'PLAIN' };
}

const sessionTimeoutMs = 60_000;
/** Codes of a coordinator that is not ready yet. */
const unready = [14, 15, 16];
const memberIdRequired = 79;
const protocolType = 'consumer';

/** Connects to the shared broker. The members that it adds stay until their session ends, well after the test. */
export async function makeGroups(): Promise<GroupMaker> {
  const broker = await openRaw(services().plaintext);
  return {
    async commit(group, topic, offsets) {
      const partitions = Object.entries(offsets).map(([partition, offset]) => ({
        partitionIndex: Number(partition),
        committedOffset: offset,
      }));
      await coordinated(broker, group);
      const nobody = { groupId: group, generationIdOrMemberEpoch: -1, memberId: '' };
      const request = { ...nobody, topics: [{ name: topic, partitions }] };
      await whenReady(async () => {
        const answer = await broker.ask(offsetCommit, 9, request);
        return { codes: answer.topics.flatMap((one) => one.partitions.map(({ errorCode }) => errorCode)) };
      });
    },
    async joinClassic(group, topic, partitions) {
      await coordinated(broker, group);
      const metadata = encodeSubscription({ topics: [topic], owned: [], generation: -1 }, 'range');
      const request = {
        groupId: group,
        sessionTimeoutMs,
        rebalanceTimeoutMs: sessionTimeoutMs,
        memberId: '',
        protocolType,
        protocols: [{ name: 'range', metadata }],
      };
      const { memberId, generationId } = await join(broker, request);
      const assignments = [{ memberId, assignment: encodeAssignment([{ topic, partitions }]) }];
      const member = { groupId: group, generationId, memberId, protocolType, protocolName: 'range' };
      expectCodes([(await broker.ask(syncGroup, 5, { ...member, assignments })).errorCode]);
      return memberId;
    },
    async joinConsumer(group, topic) {
      await coordinated(broker, group);
      const memberId = randomUUID();
      const { errorCode } = await broker.ask(consumerGroupHeartbeat, 1, {
        groupId: group,
        memberId,
        memberEpoch: 0,
        rebalanceTimeoutMs: sessionTimeoutMs,
        subscribedTopicNames: [topic],
        topicPartitions: [],
      });
      expectCodes([errorCode]);
      return memberId;
    },
    async leave(group, memberId) {
      expectCodes([(await broker.ask(leaveGroup, 5, { groupId: group, members: [{ memberId }] })).errorCode]);
    },
    async deny(prefix) {
      const principal = `User:${services().otherUser.user}`;
      const pattern = { resource_type: 'GROUP', resource_name: prefix, resource_pattern_type: 'PREFIXED' };
      const rule = { principal, host: '*', operation: 'ALL', permission: 'DENY' };
      await using client = clientOf([services().plaintext]);
      const [created] = await createAcls(client, [{ ...pattern, ...rule }]);
      if (created?.error !== null) throw new Error(created?.error.message);
    },
    close: () => broker.close(),
  };
}

/** Looks up the coordinator until the cluster has one: the first look-up creates the topic of the offsets. */
async function coordinated(broker: RawBroker, group: string): Promise<void> {
  for (const end = performance.now() + 120_000; performance.now() < end; ) {
    const { coordinators } = await broker.ask(findCoordinator, 4, { keyType: 0, coordinatorKeys: [group] });
    // The answer to a heartbeat of an unknown member says whether the coordinator has loaded its groups.
    const described = await broker.ask(heartbeat, 0, { groupId: group, generationId: 0, memberId: 'nobody' });
    if (![coordinators[0]?.errorCode ?? 15, described.errorCode].some((code) => unready.includes(code))) return;
  }
  throw new Error(`group ${group} has no coordinator`);
}

/** Joins with the member id that the coordinator gives. */
async function join(broker: RawBroker, request: RequestOf<typeof joinGroup>): Promise<ResponseOf<typeof joinGroup>> {
  let { memberId } = request;
  const { answer } = await whenReady(async () => {
    let got = await broker.ask(joinGroup, 9, { ...request, memberId });
    if (got.errorCode === memberIdRequired) {
      ({ memberId } = got);
      got = await broker.ask(joinGroup, 9, { ...request, memberId });
    }
    return { codes: [got.errorCode], answer: got };
  });
  return answer;
}

/** Repeats a request while the coordinator is not ready, also if it was ready before: a slow one says so again. */
async function whenReady<T extends { readonly codes: readonly number[] }>(ask: () => Promise<T>): Promise<T> {
  for (const end = performance.now() + 120_000; ; ) {
    const answer = await ask();
    if (!answer.codes.some((code) => unready.includes(code)) || performance.now() > end) {
      expectCodes(answer.codes);
      return answer;
    }
  }
}

function expectCodes(codes: readonly number[]): void {
  const failed = codes.find((code) => code !== 0);
  if (failed !== undefined) throw new Error(`the broker answered with code ${failed}`);
}
