import { setTimeout as sleep } from 'node:timers/promises';
import { type CliError, unreachableError } from '../../errors.ts';
import type { Client } from '../client/client.ts';
import { kafkaError, kafkaErrorText } from '../errors.ts';
import { heartbeat } from '../protocol/heartbeat.ts';
import { type JoinGroupResponse, joinGroup } from '../protocol/join-group.ts';
import { leaveGroup } from '../protocol/leave-group.ts';
import { syncGroup } from '../protocol/sync-group.ts';
import { assignPartitions } from './assignors.ts';
import type { Balancer } from './balancers.ts';
import { commitOffsets, committedOffsets, groupCodes, type PartitionOffset } from './commits.ts';
import type { GroupMembership, JoinedShare, MembershipOptions } from './member.ts';
import {
  decodeAssignment,
  decodeSubscription,
  encodeAssignment,
  encodeSubscription,
  type TopicPartitions,
} from './subscription.ts';

const noGeneration = -1;

interface State {
  memberId: string;
  generation: number;
  protocol: string;
  owned: readonly TopicPartitions[];
  isLeader: boolean;
  needsRejoin: boolean;
  failure: unknown;
  timer: NodeJS.Timeout | undefined;
  /** A JoinGroup or SyncGroup may be waiting for the other members. */
  isJoining: boolean;
  left: boolean;
}

/** Prepares a membership of the classic protocol (KIP-134, KIP-345); nothing is sent before `join`. */
export function createMembership(client: Client, options: MembershipOptions): GroupMembership {
  const state: State = {
    ...{ memberId: '', generation: noGeneration, protocol: '', owned: [], isLeader: false },
    ...{ needsRejoin: false, failure: undefined, timer: undefined, isJoining: false, left: false },
  };
  const member: Member = { client, options, state };
  return {
    get needsRejoin() {
      return state.needsRejoin;
    },
    get isLeader() {
      return state.isLeader;
    },
    get failure() {
      return state.failure;
    },
    requestRejoin() {
      state.needsRejoin = true;
      options.onChange();
    },
    join: () => join(member),
    commit: (offsets) => commit(member, offsets),
    committed: (share) => committedOffsets(client, options.group, share),
    leave: () => leave(member),
  };
}

interface Member {
  readonly client: Client;
  readonly options: MembershipOptions;
  readonly state: State;
}

async function join(member: Member): Promise<JoinedShare> {
  const { state } = member;
  stopHeartbeats(state);
  state.needsRejoin = false;
  state.isJoining = true;
  for (;;) {
    const place = await askForPlace(member);
    const share = place === undefined ? undefined : await pickUpShare(member, place);
    // Whoever left meanwhile must not come in again.
    if (state.left) throw unreachableError('the group was left', { code: 'CLOSED', retryable: false });
    if (share === undefined) continue;
    state.isJoining = false;
    const held = state.owned;
    const gaveUp = loses(held, share);
    state.owned = share;
    // Cooperative: what was given up is handed on by the rebalance that follows (KIP-429).
    if (gaveUp && state.protocol === 'cooperative-sticky') state.needsRejoin = true;
    scheduleHeartbeat(member);
    return { share, held };
  }
}

/** One JoinGroup; undefined when it has to be asked again. */
async function askForPlace({ client, options, state }: Member): Promise<JoinGroupResponse | undefined> {
  const subscription = { topics: options.topics(), owned: state.owned, generation: state.generation };
  const request = {
    group: options.group,
    sessionTimeoutMs: options.sessionTimeoutMs,
    rebalanceTimeoutMs: options.rebalanceTimeoutMs,
    memberId: state.memberId,
    instanceId: options.instanceId,
    protocols: options.balancers.map((name) => ({ name, metadata: encodeSubscription(subscription, name) })),
    reason: state.generation === noGeneration ? 'weir joins' : 'weir joins again',
  };
  const place = await client.request(joinGroup, request, { group: options.group });
  if (place.errorCode === groupCodes.memberIdRequired) {
    state.memberId = place.memberId;
    return undefined;
  }
  if (asksToStartAgain(state, place.errorCode)) return undefined;
  if (place.errorCode !== 0) throw joinError(options, place.errorCode);
  state.memberId = place.memberId;
  state.generation = place.generation;
  state.protocol = place.protocol;
  state.isLeader = place.leader === place.memberId;
  return place;
}

/** SyncGroup, with everybody's assignment when this member leads; undefined when it has to join again. */
async function pickUpShare(member: Member, place: JoinGroupResponse): Promise<readonly TopicPartitions[] | undefined> {
  const { client, options, state } = member;
  const assignments = state.isLeader && !place.skipAssignment ? await assignAll(member, place) : [];
  const request = {
    group: options.group,
    generation: state.generation,
    memberId: state.memberId,
    instanceId: options.instanceId,
    protocol: state.protocol,
    assignments,
  };
  const { errorCode, assignment } = await client.request(syncGroup, request, { group: options.group });
  if (asksToStartAgain(state, errorCode)) return undefined;
  if (errorCode !== 0) throw joinError(options, errorCode);
  return decodeAssignment(assignment);
}

async function assignAll(
  { client, state }: Member,
  place: JoinGroupResponse,
): Promise<readonly { memberId: string; assignment: Buffer }[]> {
  const members = place.members.map((member) => ({ ...member, subscription: decodeSubscription(member.metadata) }));
  const topics = [...new Set(members.flatMap((member) => member.subscription.topics))];
  const metadata = await client.metadata(topics);
  const counts = new Map(
    metadata.topics
      .filter((topic) => topic.errorCode === 0)
      .map((topic) => [topic.name, topic.partitions.length] as const),
  );
  const shares = assignPartitions(state.protocol as Balancer, members, counts);
  return [...shares].map(([memberId, share]) => ({ memberId, assignment: encodeAssignment(share) }));
}

/** Whether `code` means "join again"; forgets what the coordinator has forgotten. */
function asksToStartAgain(state: State, code: number): boolean {
  if (code === groupCodes.rebalanceInProgress) return true;
  if (code !== groupCodes.unknownMember && code !== groupCodes.illegalGeneration) return false;
  state.owned = [];
  state.generation = noGeneration;
  if (code === groupCodes.unknownMember) state.memberId = '';
  return true;
}

function joinError(options: MembershipOptions, code: number): CliError {
  const hints =
    code === groupCodes.inconsistentProtocol
      ? ['choose a balancer that the other members of the group use with --balancer']
      : [];
  return kafkaError(code, `unable to join group "${options.group}": ${kafkaErrorText(code)}`, {
    target: options.group,
    hints,
  });
}

/** Whether something that was held is missing in `share`. */
function loses(owned: readonly TopicPartitions[], share: readonly TopicPartitions[]): boolean {
  const kept = new Set(
    share.flatMap(({ topic, partitions }) => partitions.map((partition) => `${topic}/${partition}`)),
  );
  return owned.some(({ topic, partitions }) => partitions.some((partition) => !kept.has(`${topic}/${partition}`)));
}

function scheduleHeartbeat(member: Member): void {
  const { state, options } = member;
  stopHeartbeats(state);
  if (state.left || state.failure !== undefined) return;
  state.timer = setTimeout(() => void beat(member), options.heartbeatMs);
}

function stopHeartbeats(state: State): void {
  clearTimeout(state.timer);
  state.timer = undefined;
}

/** One heartbeat, then the next; never rejects. */
async function beat(member: Member): Promise<void> {
  const { client, options, state } = member;
  const { group, instanceId } = options;
  const { generation, memberId } = state;
  try {
    const { errorCode } = await client.request(heartbeat, { group, generation, memberId, instanceId }, { group });
    // An answer about an earlier generation says nothing any more.
    if (state.generation !== generation || state.memberId !== memberId) return;
    if (errorCode === groupCodes.rebalanceInProgress || errorCode === groupCodes.illegalGeneration)
      state.needsRejoin = true;
    else if (errorCode === groupCodes.unknownMember) forgetMembership(state);
    else if (errorCode !== 0) state.failure = memberError(options, errorCode);
  } catch (error) {
    state.failure = error;
  }
  if (state.needsRejoin || state.failure !== undefined) options.onChange();
  scheduleHeartbeat(member);
}

function forgetMembership(state: State): void {
  state.memberId = '';
  state.generation = noGeneration;
  state.owned = [];
  state.needsRejoin = true;
}

function memberError(options: MembershipOptions, code: number): CliError {
  const hints = code === groupCodes.fencedInstance ? [`another member uses --instance-id ${options.instanceId}`] : [];
  return kafkaError(code, `unable to stay in group "${options.group}": ${kafkaErrorText(code)}`, {
    target: options.group,
    hints,
  });
}

async function commit({ client, options, state }: Member, offsets: readonly PartitionOffset[]): Promise<boolean> {
  if (state.memberId === '') return false;
  if (offsets.length === 0) return true;
  const { group, instanceId } = options;
  const { generation, memberId } = state;
  const code = await commitOffsets(client, { group, generation, memberId, instanceId }, offsets);
  if (code === groupCodes.unknownMember) forgetMembership(state);
  else if (code !== 0) state.needsRejoin = true;
  return code === 0;
}

const leaveLimitMs = 2000;

async function leave(member: Member): Promise<void> {
  const { options, state } = member;
  state.left = true;
  stopHeartbeats(state);
  if (state.memberId === '' || options.instanceId !== undefined) return;
  // A coordinator that is gone finds out by the session timeout; nobody should wait for it here.
  await Promise.race([sendLeave(member).catch(() => undefined), sleep(leaveLimitMs, undefined, { ref: false })]);
}

async function sendLeave({ client, options, state }: Member): Promise<void> {
  const { group } = options;
  const request = { group, members: [{ memberId: state.memberId, instanceId: undefined }], reason: 'weir leaves' };
  if (!state.isJoining) {
    await client.request(leaveGroup, request, { group });
    return;
  }
  // A broker answers a connection in order: behind an open JoinGroup it hears nothing before the rebalance ends.
  const connection = await client.dedicated({ group });
  try {
    await connection.send(leaveGroup, request);
  } finally {
    connection.destroy();
  }
}
