import { randomUUID } from 'node:crypto';
import { consumerGroupHeartbeat } from '../../../src/kafka/protocol/wire/apis/consumer-group-heartbeat.ts';
import { createTopics } from '../../../src/kafka/protocol/wire/apis/create-topics.ts';
import { deleteGroups } from '../../../src/kafka/protocol/wire/apis/delete-groups.ts';
import { findCoordinator } from '../../../src/kafka/protocol/wire/apis/find-coordinator.ts';
import { heartbeat } from '../../../src/kafka/protocol/wire/apis/heartbeat.ts';
import { joinGroup } from '../../../src/kafka/protocol/wire/apis/join-group.ts';
import { leaveGroup } from '../../../src/kafka/protocol/wire/apis/leave-group.ts';
import { metadata } from '../../../src/kafka/protocol/wire/apis/metadata.ts';
import { offsetCommit } from '../../../src/kafka/protocol/wire/apis/offset-commit.ts';
import { syncGroup } from '../../../src/kafka/protocol/wire/apis/sync-group.ts';
import { noUuid } from '../../../src/kafka/protocol/wire/primitives.ts';
import type { RawClient } from '../../sandbox/broker/client.ts';
import { tcpClient } from '../../sandbox/broker/tcp-client.ts';

/** A member, or future member, of the classic protocol. */
export interface Classic {
  readonly memberId?: string;
  readonly generationId?: number;
  readonly groupInstanceId?: string | undefined;
  readonly protocols?: readonly string[];
  readonly protocolType?: string | undefined;
  readonly protocolName?: string | undefined;
  readonly sessionTimeoutMs?: number;
  readonly version?: number;
  readonly groupId?: string;
}

/** The content of a consumer protocol heartbeat, which joins with epoch 0. */
export interface Beat {
  readonly memberEpoch?: number;
  readonly instanceId?: string;
  readonly topics?: readonly string[] | undefined;
  readonly assignor?: string;
  readonly owned?: readonly number[] | undefined;
  readonly rebalanceTimeoutMs?: number;
  readonly regex?: string;
  readonly version?: number;
}

/** A broker under comparison, with a unique group and a unique topic of four partitions. */
export interface Side {
  readonly group: string;
  readonly topic: string;
  readonly client: RawClient;
  /** Opens another connection. */
  another(): RawClient;
  close(): void;
}

/** Connects to a broker and prepares its topic and group. */
export async function openSide(address: string): Promise<Side> {
  const clients: RawClient[] = [];
  const another = (): RawClient => {
    const client = tcpClient(address);
    clients.push(client);
    return client;
  };
  const client = another();
  const [group, topic] = [`group-${randomUUID()}`, `topic-${randomUUID()}`];
  const made = { name: topic, numPartitions: 4, replicationFactor: 1, assignments: [], configs: [] };
  await client.ask(createTopics, { topics: [made], timeoutMs: 10_000, validateOnly: false });
  await untilNone(async () => {
    const asked = { topics: [{ topicId: noUuid, name: topic }], allowAutoTopicCreation: false };
    return (await client.ask(metadata, asked)).topics[0]?.errorCode ?? -1;
  });
  await untilNone(async () => {
    const found = await client.ask(findCoordinator, { key: group, keyType: 0, coordinatorKeys: [group] });
    return found.coordinators[0]?.errorCode ?? -1;
  });
  const side: Side = {
    ...{ group, topic, client, another },
    close() {
      for (const one of clients) one.close();
    },
  };
  await warmUp(side);
  return side;
}

/** Waits until the coordinator has loaded and knows the topic, then deletes the group. */
async function warmUp(side: Side): Promise<void> {
  await untilNone(async () => ([14, 15, 16].includes(await beat(side, 'nobody', 1)) ? 1 : 0));
  let member = await consumerBeat(side, 'probe');
  while ((member.share?.length ?? 4) < 4) {
    member = await consumerBeat(side, 'probe', {
      memberEpoch: member.memberEpoch,
      topics: [side.topic],
      owned: [],
      rebalanceTimeoutMs: 60_000,
    });
  }
  await consumerBeat(side, 'probe', { memberEpoch: -1 });
  await untilNone(async () => {
    const answer = await side.client.ask(deleteGroups, { groupsNames: [side.group] });
    return answer.results[0]?.errorCode ?? -1;
  });
}

async function untilNone(ask: () => Promise<number>): Promise<void> {
  while ((await ask()) !== 0) await new Promise((resolve) => setTimeout(resolve, 50));
}

/** Sends a JoinGroup request, whose response may have to wait for other members. */
export function join(side: Side, classic: Classic = {}, client = side.client) {
  const { memberId = '', groupInstanceId, protocols = ['range'], version = 9, groupId = side.group } = classic;
  const request = {
    ...{ groupId, sessionTimeoutMs: classic.sessionTimeoutMs ?? 20_000, rebalanceTimeoutMs: 60_000, memberId },
    ...{ groupInstanceId, protocolType: classic.protocolType ?? 'consumer' },
    protocols: protocols.map((name) => ({ name, metadata: subscription(side.topic) })),
  };
  return client.ask(joinGroup, request, version);
}

/** Encodes the subscription of a classic consumer: version 0, the topic, no user data. */
function subscription(topic: string): Buffer {
  const name = Buffer.from(topic);
  const head = Buffer.alloc(8);
  head.writeInt32BE(1, 2);
  head.writeInt16BE(name.length, 6);
  return Buffer.concat([head, name, Buffer.from('ffffffff', 'hex')]);
}

/** Obtains a member id and joins with it. */
export async function joinWithId(side: Side, classic: Classic = {}, client = side.client) {
  const { memberId } = await join(side, classic, client);
  return join(side, { ...classic, memberId }, client);
}

/** Sends a SyncGroup request; `shares` is keyed by member id. */
export function sync(
  side: Side,
  classic: Classic,
  shares: Readonly<Record<string, string>> = {},
  client = side.client,
) {
  const { memberId = '', generationId = -1, groupInstanceId } = classic;
  const assignments = Object.entries(shares).map(([id, text]) => ({ memberId: id, assignment: Buffer.from(text) }));
  const { protocolType = 'consumer', protocolName = 'range' } = classic;
  const request = { groupId: side.group, generationId, memberId, groupInstanceId, assignments };
  return client.ask(syncGroup, { ...request, protocolType, protocolName }, classic.version ?? 5);
}

/** Sends a Heartbeat request and returns the error code. */
export async function beat(side: Side, memberId: string, generationId: number, groupInstanceId?: string) {
  return (await side.client.ask(heartbeat, { groupId: side.group, memberId, generationId, groupInstanceId })).errorCode;
}

/** Sends a LeaveGroup request and returns the error code of the request, then those of the members. */
export async function leave(side: Side, ...members: readonly { memberId: string; groupInstanceId?: string }[]) {
  const answer = await side.client.ask(leaveGroup, {
    groupId: side.group,
    members: members.map((one) => ({ groupInstanceId: undefined, reason: undefined, ...one })),
  });
  return [answer.errorCode, ...answer.members.map(({ errorCode }) => errorCode)];
}

/** Commits an offset of partition 0, by default without a member, and returns the error code. */
export async function commit(side: Side, classic: Classic = {}, version = 9) {
  const { memberId = '', generationId = -1, groupInstanceId } = classic;
  const partitions = [{ partitionIndex: 0, committedOffset: 7, committedMetadata: 'm' }];
  const topics = [{ name: side.topic, partitions }];
  const request = { groupId: side.group, generationIdOrMemberEpoch: generationId, memberId, groupInstanceId, topics };
  return (await side.client.ask(offsetCommit, request, version)).topics[0]?.partitions[0]?.errorCode;
}

/** Sends a ConsumerGroupHeartbeat. Returns error code, epoch and partitions (undefined without an assignment). */
export async function consumerBeat(side: Side, memberId: string, told: Beat = {}) {
  const { memberEpoch = 0, regex } = told;
  const isJoin = memberEpoch === 0;
  const topics = 'topics' in told ? told.topics : isJoin && regex === undefined ? [side.topic] : undefined;
  const owned = 'owned' in told ? told.owned : isJoin ? [] : undefined;
  const topicId = owned === undefined || owned.length === 0 ? noUuid : await topicIdOf(side);
  const answer = await side.client.ask(
    consumerGroupHeartbeat,
    {
      ...{ groupId: side.group, memberId, memberEpoch, instanceId: told.instanceId, rackId: undefined },
      rebalanceTimeoutMs: told.rebalanceTimeoutMs ?? (isJoin ? 60_000 : -1),
      ...{ subscribedTopicNames: topics, subscribedTopicRegex: regex, serverAssignor: told.assignor },
      topicPartitions: owned && (owned.length === 0 ? [] : [{ topicId, partitions: owned }]),
    },
    told.version ?? 1,
  );
  const share = answer.assignment?.topicPartitions.flatMap(({ partitions }) => partitions);
  return { errorCode: answer.errorCode, memberEpoch: answer.memberEpoch, share };
}

/** Returns the id of the side's topic. */
export async function topicIdOf({ client, topic }: Side): Promise<string> {
  const asked = { topics: [{ topicId: noUuid, name: topic }], allowAutoTopicCreation: false };
  return (await client.ask(metadata, asked)).topics[0]?.topicId ?? noUuid;
}
