import type { Clock } from '../../../clock.ts';
import { CliError, rephrased } from '../../../errors.ts';
import type { Client } from '../../protocol/client/client.ts';
import { kafkaError, kafkaErrorText } from '../../protocol/errors.ts';
import type { RequestOf, ResponseOf } from '../../protocol/wire/api.ts';
import { consumerGroupHeartbeat } from '../../protocol/wire/apis/consumer-group-heartbeat.ts';
import { codes } from '../../protocol/wire/error-codes.ts';
import { type Committer, commitOffsets, judgeCommit, type PartitionOffset } from './commits.ts';
import { type CoordinatorRequests, createCoordinatorRequests, leftError } from './coordinator-requests.ts';
import { createHeartbeats, type Heartbeats } from './heartbeats.ts';
import {
  type CommitOutcome,
  type ConsumerMembershipOptions,
  type GroupMembership,
  type JoinedShare,
  membershipOf,
} from './member.ts';
import { isOwnedBy, type TopicPartitions } from './subscription.ts';
import { createTopicIds, type NamedPartitions, type TopicIds } from './topic-ids.ts';
import { verdictOf } from './verdicts.ts';

/** Member epochs with a special meaning (KIP-848). */
const epochs = { join: 0, leave: -1, leaveForAWhile: -2 } as const;

/** The heartbeat interval until the coordinator has sent one, in milliseconds. */
const firstIntervalMs = 3_000;
/** The pause before joining again when the coordinator has removed the member during the join, in milliseconds. */
const restartPauseMs = 250;
type Beat = RequestOf<typeof consumerGroupHeartbeat>;
type BeatAnswer = ResponseOf<typeof consumerGroupHeartbeat>;

/** How often a commit is attempted while the coordinator raises the member epoch. */
const commitTries = 3;
/** How often a join may give back an instance id that its own lost attempts have taken. */
const mostReleases = 5;

/**
 * The phase of a member of the consumer protocol:
 *
 *     outside ── join ──► joining ── epoch ──► stable ── forgotten ──► joining        any ── leave ──► left
 *
 * From `joining` on, the coordinator may know the member, so the member must send a request when it leaves.
 */
type Phase = 'outside' | 'joining' | 'stable' | 'left';

interface State {
  phase: Phase;
  /** 0: not a member. */
  epoch: number;
  intervalMs: number;
  owned: readonly NamedPartitions[];
  /** The share that the coordinator has assigned, if it differs from `owned`. */
  target: readonly NamedPartitions[] | undefined;
  needsRejoin: boolean;
  failure: unknown;
  /** Settles when no join is in progress. */
  settled: Promise<void>;
}

interface Member {
  readonly memberId: string;
  readonly client: Client;
  readonly options: ConsumerMembershipOptions;
  readonly ids: TopicIds;
  readonly state: State;
  readonly requests: CoordinatorRequests;
  readonly heartbeats: Heartbeats;
}

/**
 * Creates a membership of the consumer protocol (KIP-848): the coordinator assigns the partitions, and the member gives
 * up and takes over partitions through heartbeats, without waiting for other members. Sends nothing before `join`.
 */
export function createConsumerMembership(client: Client, options: ConsumerMembershipOptions): GroupMembership {
  return membershipOf(createMember(client, options), { join, commit, committer, watched: () => unwatched, leave });
}

/** The coordinator assigns the partitions, so no member watches topics. */
const unwatched: ReadonlyMap<string, number> = new Map();

function committer({ options: { group, instanceId }, state, memberId }: Member): Committer {
  return { group, generation: state.epoch, memberId, instanceId };
}

function createMember(client: Client, options: ConsumerMembershipOptions): Member {
  const state: State = {
    phase: 'outside',
    epoch: epochs.join,
    intervalMs: firstIntervalMs,
    owned: [],
    target: undefined,
    needsRejoin: false,
    failure: undefined,
    settled: Promise.resolve(),
  };
  const requests = createCoordinatorRequests(client, options.group, options.sessionTimeoutMs);
  const { deadline } = client.options;
  const member: Member = {
    memberId: newMemberId(deadline.clock),
    client,
    options,
    ids: createTopicIds(client),
    state,
    requests,
    heartbeats: createHeartbeats({
      clock: deadline.clock,
      intervalMs: () => state.intervalMs,
      sessionMs: options.sessionTimeoutMs,
      patienceMs: requests.patienceMs,
      beat: () => beat(member),
      retried: (error, next) => deadline.failed(error, next),
      failed: (error) => fail(member, error),
    }),
  };
  return member;
}

/** Adopts the assigned share. The next heartbeat reports it, which frees the revoked partitions for other members. */
async function join(member: Member): Promise<JoinedShare> {
  const { state, heartbeats } = member;
  if (state.phase === 'left') throw leftError();
  heartbeats.stop();
  const { promise, resolve } = Promise.withResolvers<void>();
  state.settled = promise;
  try {
    if (state.epoch === epochs.join) await enter(member);
  } finally {
    resolve();
  }
  const held = state.owned;
  const share = state.target ?? held;
  state.owned = share;
  state.target = undefined;
  state.needsRejoin = false;
  state.phase = 'stable';
  // At once: the heartbeat reports the owned partitions and a changed subscription.
  heartbeats.start(0);
  // By id: a topic that was deleted and created again is a different topic.
  const ids = new Set(share.map(({ topicId }) => topicId));
  return { share: share.map(withoutId), held: held.filter(({ topicId }) => ids.has(topicId)).map(withoutId) };
}

function withoutId({ topic, partitions }: NamedPartitions): TopicPartitions {
  return { topic, partitions };
}

/** Joins the group, with as many heartbeats as needed. */
async function enter(member: Member): Promise<void> {
  const { state, requests, heartbeats } = member;
  state.phase = 'joining';
  let releases = 0;
  for (let rounds = 1; state.epoch === epochs.join; rounds += 1) {
    if (rounds > 1) await requests.pause(restartPauseMs);
    const response = await ask(member, epochs.join);
    // The answer to the join after a release may be lost as well.
    if (response.errorCode === codes.UNRELEASED_INSTANCE_ID && releases < mostReleases) {
      releases += 1;
      if (await release(member)) continue;
    }
    await requests.repeat('Metadata', () => takeIn(member, response));
    heartbeats.heard();
  }
}

function hasLeft(state: State): boolean {
  return state.phase === 'left';
}

/** A heartbeat outside of their course. @throws CliError CLOSED when the group was left meanwhile */
async function ask(member: Member, epoch: number): Promise<BeatAnswer> {
  const response = await member.requests
    .ask(consumerGroupHeartbeat, () => heartbeatRequest(member, epoch))
    .catch(explain);
  if (hasLeft(member.state)) throw leftError();
  return response;
}

/**
 * Gives back the instance id that a join has taken whose answer was lost: the coordinator refuses every further join,
 * this member's too. False where another member has it.
 */
async function release(member: Member): Promise<boolean> {
  return (await ask(member, epochs.leaveForAWhile)).errorCode === 0;
}

function explain(error: unknown): never {
  throw error instanceof CliError && error.code === 'UNSUPPORTED_VERSION' ? withoutProtocol(error) : error;
}

function heartbeatRequest(member: Member, epoch: number): Beat {
  const { options, memberId, state } = member;
  const { group, instanceId, assignor, rebalanceTimeoutMs, rack } = options;
  return {
    groupId: group,
    memberId,
    memberEpoch: epoch,
    // Everything is sent every time, so that the coordinator always returns the assignment.
    instanceId,
    rackId: rack || undefined,
    rebalanceTimeoutMs,
    subscribedTopicNames: options.topics(),
    serverAssignor: assignor,
    topicPartitions: epoch > 0 ? state.owned : [],
  };
}

/** Sends one heartbeat, without retries; ignores the answer if the member has changed since. */
async function beat(member: Member): Promise<void> {
  const { client, options, state } = member;
  const { epoch } = state;
  const { group } = options;
  const response = await client.requestOnce(consumerGroupHeartbeat, heartbeatRequest(member, epoch), { group });
  // The member has left, or another heartbeat has changed the epoch.
  if (hasLeft(state) || state.epoch !== epoch) return;
  await takeIn(member, response);
  if (state.needsRejoin) options.onChange();
}

/** Applies a heartbeat answer. @throws CliError when the membership has ended, or topic names cannot be read */
async function takeIn(member: Member, response: BeatAnswer): Promise<void> {
  const { options, state } = member;
  const { errorCode, memberEpoch, heartbeatIntervalMs, assignment } = response;
  if (errorCode !== 0) {
    if (verdictOf(errorCode) !== 'forgotten') throw consumerMemberError(options, response);
    forget(member);
    return;
  }
  state.epoch = memberEpoch;
  // An interval of nothing would be heartbeats without end.
  if (heartbeatIntervalMs > 0) state.intervalMs = heartbeatIntervalMs;
  if (assignment === undefined) return;
  const assigned = await member.ids.named(assignment.topicPartitions, options.topics());
  if (hasLeft(state) || state.epoch !== memberEpoch) return;
  if (isSame(assigned, state.owned)) state.target = undefined;
  else {
    state.target = assigned;
    state.needsRejoin = true;
  }
}

/** Resets a member that the coordinator has removed: other members may own its partitions now. */
function forget({ state, heartbeats, options }: Member): void {
  if (hasLeft(state)) return;
  heartbeats.stop();
  state.phase = 'joining';
  state.epoch = epochs.join;
  state.owned = [];
  state.target = undefined;
  state.needsRejoin = true;
  // Before what the heartbeats have kept waiting goes on: it must see that the partitions are gone.
  options.onChange();
}

function isSame(left: readonly NamedPartitions[], right: readonly NamedPartitions[]): boolean {
  const names = (share: readonly NamedPartitions[]): string =>
    share
      .flatMap(({ topicId, partitions }) => partitions.map((partition) => `${topicId}/${partition}`))
      .sort()
      .join(' ');
  return names(left) === names(right);
}

function fail({ state, heartbeats, options }: Member, error: unknown): void {
  if (hasLeft(state)) return;
  heartbeats.stop();
  state.failure ??= error;
  options.onChange();
}

async function commit(member: Member, offsets: readonly PartitionOffset[]): Promise<CommitOutcome> {
  const { options, state, requests } = member;
  const owned = offsets.filter(isOwnedBy(state.owned));
  if (state.epoch <= epochs.join) return { committed: [], unknown: [], refused: 'lost' };
  for (let tries = 1; ; tries += 1) {
    const answers = await requests.repeat(`OffsetCommit of group "${options.group}"`, () => commitOnce(member, owned));
    const { committed, unknown, verdict } = judgeCommit(answers, options.group);
    if (verdict === undefined) return { committed, unknown, refused: undefined };
    if (verdict === 'lost' || verdict === 'forgotten') {
      forget(member);
      return { committed, unknown, refused: 'lost' };
    }
    if (tries >= commitTries) return { committed, unknown, refused: 'rebalancing' };
    // The coordinator has raised the epoch, and the heartbeat answer with the new epoch has not arrived yet.
    await requests.repeat('ConsumerGroupHeartbeat', () => beat(member));
    if (state.epoch <= epochs.join) return { committed, unknown, refused: 'lost' };
  }
}

function commitOnce({ client, options, memberId, state }: Member, owned: readonly PartitionOffset[]) {
  const { group, instanceId } = options;
  return commitOffsets(client, { group, generation: state.epoch, memberId, instanceId }, owned);
}

async function leave(member: Member, limitMs: number): Promise<void> {
  const { options, state, heartbeats, requests } = member;
  if (state.phase === 'left') return;
  const isKnown = state.phase !== 'outside';
  state.phase = 'left';
  heartbeats.stop();
  const epoch = options.instanceId === undefined ? epochs.leave : epochs.leaveForAWhile;
  const request = heartbeatRequest(member, epoch);
  await requests.leave(limitMs, isKnown ? (send) => send(consumerGroupHeartbeat, () => request) : undefined);
}

/** Makes a random UUID (version 4) for a member that chooses its own id (KIP-848), with the clock's random numbers. */
export function newMemberId(clock: Pick<Clock, 'random'>): string {
  const digits = Array.from({ length: 32 }, () => Math.floor(clock.random() * 16));
  digits[12] = 4;
  digits[16] = 8 + ((digits[16] ?? 0) & 3);
  const hex = digits.map((digit) => digit.toString(16)).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Makes the error for a heartbeat answer that ends the membership. */
function consumerMemberError(
  { group, instanceId, assignor }: ConsumerMembershipOptions,
  { errorCode, errorMessage }: BeatAnswer,
): CliError {
  const hints: Readonly<Record<number, string>> = {
    [codes.UNRELEASED_INSTANCE_ID]: `use another --instance-id: a member already uses ${instanceId}`,
    [codes.FENCED_INSTANCE_ID]: `use another --instance-id: a member already uses ${instanceId}`,
    [codes.UNSUPPORTED_ASSIGNOR]: `use --balancer uniform or range, Kafka's own: the coordinator does not support ${assignor}`,
    [codes.GROUP_ID_NOT_FOUND]: 'use --group-protocol classic: the group uses the classic protocol',
  };
  const hint = hints[errorCode];
  return kafkaError(errorCode, `unable to stay in group "${group}": ${kafkaErrorText(errorCode, errorMessage)}`, {
    target: group,
    hints: hint === undefined ? [] : [hint],
  });
}

/** Adds a hint to the error of a broker that does not support the consumer protocol. */
function withoutProtocol(error: CliError): CliError {
  return rephrased(error, error.message, {
    hints: ['use --group-protocol classic: the broker does not support the consumer group protocol'],
    retryable: false,
  });
}
