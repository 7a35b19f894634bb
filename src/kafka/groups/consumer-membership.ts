import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { CliError } from '../../errors.ts';
import type { Client } from '../client/client.ts';
import { kafkaError, kafkaErrorText } from '../errors.ts';
import {
  type ConsumerGroupHeartbeatResponse,
  consumerGroupHeartbeat,
  type TopicIdPartitions,
} from '../protocol/consumer-group-heartbeat.ts';
import { createTopicIds, type TopicIds } from '../topic-ids.ts';
import { commitOffsets, committedOffsets, groupCodes, type PartitionOffset } from './commits.ts';
import type { ConsumerMembershipOptions, GroupMembership, JoinedShare } from './member.ts';
import type { TopicPartitions } from './subscription.ts';

/** Member epochs with a meaning of their own. */
const epochs = { join: 0, leave: -1, leaveForAWhile: -2 } as const;

/** Before the coordinator has said how often. */
const firstIntervalMs = 3_000;
const leaveLimitMs = 2_000;
/** A commit is repeated so often when the coordinator has just raised the epoch. */
const commitTries = 3;

interface State {
  readonly memberId: string;
  /** 0: not a member. */
  epoch: number;
  intervalMs: number;
  owned: readonly TopicPartitions[];
  /** What the coordinator wants the member to have, where that differs from `owned`. */
  target: readonly TopicPartitions[] | undefined;
  needsRejoin: boolean;
  failure: unknown;
  timer: NodeJS.Timeout | undefined;
  left: boolean;
}

interface Member {
  readonly client: Client;
  readonly options: ConsumerMembershipOptions;
  readonly ids: TopicIds;
  readonly state: State;
}

/**
 * Prepares a membership of the consumer protocol (KIP-848): the coordinator shares the partitions, the member gives
 * up and takes over by heartbeats, and nobody waits for anybody. Nothing is sent before `join`.
 */
export function createConsumerMembership(client: Client, options: ConsumerMembershipOptions): GroupMembership {
  const state: State = {
    ...{ memberId: randomUUID(), epoch: epochs.join, intervalMs: firstIntervalMs, owned: [], target: undefined },
    ...{ needsRejoin: false, failure: undefined, timer: undefined, left: false },
  };
  const member: Member = { client, options, ids: createTopicIds(client), state };
  return {
    get needsRejoin() {
      return state.needsRejoin;
    },
    isLeader: false,
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

/** Takes over what the coordinator wants, and tells it so: what was given up becomes free for others. */
async function join(member: Member): Promise<JoinedShare> {
  const { state } = member;
  clearTimeout(state.timer);
  state.needsRejoin = false;
  // A first time, or a subscription that has changed.
  if (state.target === undefined) await heartbeat(member);
  while (state.epoch === epochs.join) await heartbeat(member);
  const held = state.owned;
  const share = state.target ?? held;
  state.owned = share;
  state.target = undefined;
  state.needsRejoin = false;
  if (share !== held) await heartbeat(member);
  schedule(member);
  return { share, held };
}

/** One heartbeat; takes in what it says. @throws CliError when the membership cannot go on */
async function heartbeat(member: Member): Promise<void> {
  const { options, state } = member;
  const epoch = state.epoch;
  const response = await send(member, epoch);
  // The member has left, or another heartbeat was faster.
  if (state.left || state.epoch !== epoch) return;
  const { errorCode, memberEpoch, heartbeatIntervalMs, assignment } = response;
  if (errorCode === groupCodes.unknownMember || errorCode === groupCodes.fencedEpoch) {
    forget(state);
    return;
  }
  if (errorCode !== 0) throw memberError(options, response);
  state.epoch = memberEpoch;
  state.intervalMs = heartbeatIntervalMs;
  if (assignment === undefined) return;
  const wanted = await member.ids.named(assignment, options.topics());
  if (isSame(wanted, state.owned)) state.target = undefined;
  else {
    state.target = wanted;
    state.needsRejoin = true;
  }
}

async function send({ client, options, ids, state }: Member, epoch: number): Promise<ConsumerGroupHeartbeatResponse> {
  const { group, instanceId, assignor, rebalanceTimeoutMs } = options;
  const topics = options.topics();
  const owned: readonly TopicIdPartitions[] = epoch > 0 ? await ids.numbered(state.owned) : [];
  const request = {
    ...{ group, memberId: state.memberId, memberEpoch: epoch, instanceId, rack: options.rack || undefined },
    ...{ rebalanceTimeoutMs, topics, assignor, owned },
  };
  try {
    return await client.request(consumerGroupHeartbeat, request, { group });
  } catch (error) {
    throw error instanceof CliError && error.code === 'UNSUPPORTED_VERSION' ? withoutProtocol(error) : error;
  }
}

function withoutProtocol(error: CliError): CliError {
  return new CliError(error.exitCode, error.message, {
    code: error.code,
    hints: ['the broker has no groups of the new protocol: --group-protocol classic'],
    cause: error,
  });
}

function forget(state: State): void {
  state.epoch = epochs.join;
  state.owned = [];
  state.target = undefined;
  state.needsRejoin = true;
}

function isSame(left: readonly TopicPartitions[], right: readonly TopicPartitions[]): boolean {
  const names = (share: readonly TopicPartitions[]): string =>
    share
      .flatMap(({ topic, partitions }) => partitions.map((partition) => `${topic}/${partition}`))
      .sort()
      .join(' ');
  return names(left) === names(right);
}

function schedule(member: Member): void {
  const { state } = member;
  clearTimeout(state.timer);
  if (state.left || state.failure !== undefined) return;
  state.timer = setTimeout(() => void beat(member), state.intervalMs);
}

/** A heartbeat, then the next; never rejects. */
async function beat(member: Member): Promise<void> {
  const { state, options } = member;
  try {
    await heartbeat(member);
  } catch (error) {
    state.failure = error;
  }
  if (state.needsRejoin || state.failure !== undefined) options.onChange();
  schedule(member);
}

function memberError(
  { group, instanceId, assignor }: ConsumerMembershipOptions,
  { errorCode, errorMessage }: ConsumerGroupHeartbeatResponse,
): CliError {
  const hints: Readonly<Record<number, string>> = {
    [groupCodes.unreleasedInstance]: `another member uses --instance-id ${instanceId}`,
    [groupCodes.unsupportedAssignor]: `the coordinator does not know --balancer ${assignor}: uniform and range are Kafka's`,
    [groupCodes.groupNotFound]: 'the group is of the classic protocol: --group-protocol classic',
  };
  const hint = hints[errorCode];
  return kafkaError(errorCode, `unable to stay in group "${group}": ${kafkaErrorText(errorCode, errorMessage)}`, {
    target: group,
    hints: hint === undefined ? [] : [hint],
  });
}

async function commit(member: Member, offsets: readonly PartitionOffset[]): Promise<boolean> {
  const { client, options, state } = member;
  const { group, instanceId } = options;
  if (state.epoch <= 0) return false;
  if (offsets.length === 0) return true;
  for (let tries = 1; ; tries += 1) {
    const { memberId, epoch } = state;
    const code = await commitOffsets(client, { group, generation: epoch, memberId, instanceId }, offsets);
    if (code === 0) return true;
    if (code !== groupCodes.staleEpoch) forget(state);
    // The coordinator has raised the epoch, and the heartbeat that says so has not come yet.
    else if (tries < commitTries) await heartbeat(member);
    if (state.epoch <= 0 || tries >= commitTries) return false;
  }
}

async function leave(member: Member): Promise<void> {
  const { options, state } = member;
  state.left = true;
  clearTimeout(state.timer);
  if (state.epoch <= 0) return;
  const epoch = options.instanceId === undefined ? epochs.leave : epochs.leaveForAWhile;
  // A coordinator that is gone finds out by the session timeout; nobody should wait for it here.
  await Promise.race([send(member, epoch).catch(() => undefined), sleep(leaveLimitMs, undefined, { ref: false })]);
}
