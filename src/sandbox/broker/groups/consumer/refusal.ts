import { codes } from '../../../../kafka/protocol/wire/error-codes.ts';
import type { ConsumerGroupHeartbeatRequest, ConsumerGroupHeartbeatResponse } from '../messages.ts';
import { assignors } from './assignors.ts';
import { type ConsumerMember, leaving } from './membership.ts';
import { isNothing, shareOf, without } from './share.ts';
import { patternOf } from './target.ts';

/** The reason for refusing a heartbeat. */
export interface Refusal {
  readonly errorCode: number;
  readonly errorMessage: string;
}

/** Builds the response to a refused heartbeat. */
export function refusedHeartbeat({ errorCode, errorMessage }: Refusal): ConsumerGroupHeartbeatResponse {
  return { errorCode, errorMessage, memberEpoch: 0 };
}

type Request = ConsumerGroupHeartbeatRequest;

/** The rules for any heartbeat, each with what to say if it is broken. */
const rules: readonly ((request: Request, apiVersion: number) => string | false)[] = [
  ({ groupId }) => groupId === '' && 'GroupId must not be empty.',
  ({ instanceId }) => instanceId === '' && 'InstanceId must not be empty.',
  ({ rackId }) => rackId === '' && 'RackId must not be empty.',
  // Before version 1 the coordinator may assign the member id.
  ({ memberId, memberEpoch }, version) =>
    memberId === '' && (memberEpoch !== 0 || version >= 1) && 'MemberId must not be empty.',
  ({ memberEpoch }) => memberEpoch < leaving.forAWhile && `MemberEpoch ${memberEpoch} is invalid.`,
  ({ memberEpoch, instanceId }) =>
    memberEpoch === leaving.forAWhile && instanceId === undefined && 'InstanceId must be given.',
];

/** The further rules for the first heartbeat of a member. */
const joinRules: typeof rules = [
  ({ rebalanceTimeoutMs }) => rebalanceTimeoutMs === -1 && 'RebalanceTimeoutMs must be given in the first request.',
  ({ topicPartitions }) => topicPartitions?.length !== 0 && 'TopicPartitions must be empty when joining.',
  ({ subscribedTopicNames: names, subscribedTopicRegex: regex }) =>
    names === undefined && regex === undefined && 'A member that joins must name topics or a pattern.',
];

/** Finds a fault in a heartbeat that does not depend on the group; undefined when there is none. */
export function flawOf(request: Request, apiVersion: number): Refusal | undefined {
  const { memberEpoch, serverAssignor, subscribedTopicRegex: regex } = request;
  for (const rule of memberEpoch === 0 ? [...rules, ...joinRules] : rules) {
    const errorMessage = rule(request, apiVersion);
    if (errorMessage !== false) return { errorCode: codes.INVALID_REQUEST, errorMessage };
  }
  if (serverAssignor !== undefined && !Object.hasOwn(assignors, serverAssignor)) {
    const names = Object.keys(assignors).join(', ');
    return { errorCode: codes.UNSUPPORTED_ASSIGNOR, errorMessage: `unknown assignor ${serverAssignor}: use ${names}` };
  }
  if (regex !== undefined && patternOf(regex) === undefined) {
    return { errorCode: codes.INVALID_REGULAR_EXPRESSION, errorMessage: `${regex} is not a pattern.` };
  }
  return undefined;
}

/** Checks the epoch of a heartbeat. The previous epoch is valid, too: the response with the new one may be lost. */
export function epochFlaw(member: ConsumerMember, request: Request): Refusal | undefined {
  const { memberEpoch, topicPartitions } = request;
  if (memberEpoch === member.memberEpoch) return undefined;
  const isBehind = memberEpoch < member.memberEpoch && memberEpoch === member.previousMemberEpoch;
  const isWithin = topicPartitions !== undefined && isNothing(without(shareOf(topicPartitions), member.assigned));
  if (isBehind && isWithin) return undefined;
  return {
    errorCode: codes.FENCED_MEMBER_EPOCH,
    errorMessage: `member ${member.memberId} has epoch ${member.memberEpoch}, not ${memberEpoch}.`,
  };
}
