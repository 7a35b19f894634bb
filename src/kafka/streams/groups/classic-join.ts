import type { CliError } from '../../../errors.ts';
import { kafkaError, kafkaErrorText } from '../../protocol/errors.ts';
import type { ResponseOf } from '../../protocol/wire/api.ts';
import { joinGroup } from '../../protocol/wire/apis/join-group.ts';
import { syncGroup } from '../../protocol/wire/apis/sync-group.ts';
import { codes } from '../../protocol/wire/error-codes.ts';
import { assignPartitions } from './assignors.ts';
import type { Balancer } from './balancer-words.ts';
import { forget, loseClaim, type Member, memberError, noGeneration } from './classic-state.ts';
import type { MembershipOptions } from './member.ts';
import {
  decodeAssignment,
  decodeSubscription,
  encodeAssignment,
  encodeSubscription,
  type TopicPartitions,
} from './subscription.ts';
import { verdictOf } from './verdicts.ts';

function protocolTypeOf({ kind }: MembershipOptions): string {
  return kind?.type ?? 'consumer';
}

function protocolName({ kind }: MembershipOptions, balancer: Balancer): string {
  return kind === undefined ? balancer : `${balancer}:${kind.purpose}`;
}

function balancerOf(protocol: string): Balancer {
  return protocol.split(':', 1)[0] as Balancer;
}

type JoinAnswer = ResponseOf<typeof joinGroup>;

/** Sends JoinGroup and SyncGroup once; undefined if the member must start over. @throws CliError when it cannot join */
export async function joinRound(member: Member): Promise<readonly TopicPartitions[] | undefined> {
  const answer = await askForPlace(member);
  return answer === undefined ? undefined : pickUpShare(member, answer);
}

async function askForPlace(member: Member): Promise<JoinAnswer | undefined> {
  const { options, state, requests } = member;
  // The coordinator answers when all members have joined or the rebalance timeout is over; the wait is no failure.
  const rule = { heldMs: options.rebalanceTimeoutMs };
  const answer = await requests.ask(joinGroup, () => joinRequest(member), rule);
  if (state.phase === 'left') return undefined;
  if (answer.errorCode === codes.MEMBER_ID_REQUIRED) {
    state.memberId = answer.memberId;
    return undefined;
  }
  if (startsAgain(member, answer.errorCode)) return undefined;
  state.memberId = answer.memberId;
  state.generation = answer.generationId;
  state.protocol = answer.protocolName ?? '';
  state.isLeader = answer.leader === answer.memberId;
  return answer;
}

function joinRequest({ options, state }: Member) {
  const { claim } = state;
  const subscription = {
    topics: options.topics(),
    owned: claim?.share ?? [],
    generation: claim?.generation ?? noGeneration,
  };
  return {
    groupId: options.group,
    sessionTimeoutMs: options.sessionTimeoutMs,
    rebalanceTimeoutMs: options.rebalanceTimeoutMs,
    memberId: state.memberId,
    groupInstanceId: options.instanceId,
    protocolType: protocolTypeOf(options),
    protocols: options.balancers.map((balancer) => ({
      name: protocolName(options, balancer),
      metadata: encodeSubscription(subscription, balancer),
    })),
    reason: claim === undefined ? 'weir joins' : 'weir joins again',
  };
}

/** Sends SyncGroup, with the assignments of all members if this member is the leader. */
async function pickUpShare(member: Member, answer: JoinAnswer): Promise<readonly TopicPartitions[] | undefined> {
  const { options, state, requests } = member;
  const shares = state.isLeader ? await assignAll(member, answer) : [];
  // A static leader that has returned keeps the assignments as they are, but watches the topics again.
  const assignments = answer.skipAssignment ? [] : shares;
  if (!state.isLeader) state.watched = new Map();
  const request = {
    groupId: options.group,
    generationId: state.generation,
    memberId: state.memberId,
    groupInstanceId: options.instanceId,
    protocolType: protocolTypeOf(options),
    protocolName: state.protocol,
    assignments,
  };
  // The leader may be slow or gone; the coordinator detects that within the rebalance timeout.
  const limitMs = Math.max(options.rebalanceTimeoutMs, member.client.options.deadline.limits.retryMs);
  const { errorCode, assignment } = await requests.ask(syncGroup, () => request, { limitMs });
  if (state.phase === 'left' || startsAgain(member, errorCode)) return undefined;
  return decodeAssignment(assignment);
}

async function assignAll(
  { client, state }: Member,
  answer: JoinAnswer,
): Promise<readonly { memberId: string; assignment: Buffer }[]> {
  const members = answer.members.map(({ memberId, groupInstanceId, metadata }) => ({
    memberId,
    instanceId: groupInstanceId,
    subscription: decodeSubscription(metadata),
  }));
  const topics = [...new Set(members.flatMap((member) => member.subscription.topics))];
  const described = topics.length === 0 ? [] : (await client.metadata(topics)).topics;
  const counts = new Map(described.map(({ name, partitions }) => [name, partitions.length]));
  // A topic that does not exist (yet, or any more) has no partitions; its subscribers share those of the other topics.
  state.watched = new Map(topics.map((topic) => [topic, counts.get(topic) ?? 0]));
  const shares = assignPartitions(balancerOf(state.protocol), members, state.watched);
  return [...shares].map(([memberId, share]) => ({ memberId, assignment: encodeAssignment(share) }));
}

/** Whether the member has to join again; drops the state that is void. @throws CliError for any other error */
function startsAgain({ state, options }: Member, code: number): boolean {
  if (code === 0) return false;
  const verdict = verdictOf(code);
  if (verdict === undefined) throw joinError(options, code);
  if (verdict === 'lost') loseClaim(state);
  if (verdict === 'forgotten') forget(state);
  return true;
}

function joinError(options: MembershipOptions, code: number): CliError {
  if (code === codes.FENCED_INSTANCE_ID) return memberError(options, code);
  if (code === codes.INCONSISTENT_GROUP_PROTOCOL && options.kind !== undefined) return options.kind.occupied();
  const hints =
    code === codes.INCONSISTENT_GROUP_PROTOCOL
      ? ['use --balancer to choose a balancer that the other members of the group use']
      : [];
  return kafkaError(code, `unable to join group "${options.group}": ${kafkaErrorText(code)}`, {
    target: options.group,
    hints,
  });
}
