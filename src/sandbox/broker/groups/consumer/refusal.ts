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

/** Finds a fault in a heartbeat that does not depend on the group; undefined when there is none. */
export function flawOf(request: ConsumerGroupHeartbeatRequest, apiVersion: number): Refusal | undefined {
  const { groupId, memberId, memberEpoch, instanceId, rackId, serverAssignor, subscribedTopicRegex: regex } = request;
  const invalid = (errorMessage: string): Refusal => ({ errorCode: codes.INVALID_REQUEST, errorMessage });
  if (groupId === '') return invalid('GroupId must not be empty.');
  if (instanceId === '') return invalid('InstanceId must not be empty.');
  if (rackId === '') return invalid('RackId must not be empty.');
  // Before version 1 the coordinator may assign the member id.
  if (memberId === '' && (memberEpoch !== 0 || apiVersion >= 1)) return invalid('MemberId must not be empty.');
  if (memberEpoch < leaving.forAWhile) return invalid(`MemberEpoch ${memberEpoch} is invalid.`);
  if (memberEpoch === leaving.forAWhile && instanceId === undefined) return invalid('InstanceId must be given.');
  if (memberEpoch === 0) {
    if (request.rebalanceTimeoutMs === -1) return invalid('RebalanceTimeoutMs must be given in the first request.');
    if (request.topicPartitions?.length !== 0) return invalid('TopicPartitions must be empty when joining.');
    const names = request.subscribedTopicNames;
    if (names === undefined && regex === undefined)
      return invalid('A member that joins must name topics or a pattern.');
  }
  if (serverAssignor !== undefined && !Object.hasOwn(assignors, serverAssignor)) {
    const known = Object.keys(assignors).join(', ');
    return { errorCode: codes.UNSUPPORTED_ASSIGNOR, errorMessage: `unknown assignor ${serverAssignor}: use ${known}` };
  }
  if (regex !== undefined && patternOf(regex) === undefined) {
    return { errorCode: codes.INVALID_REGULAR_EXPRESSION, errorMessage: `${regex} is not a pattern.` };
  }
  return undefined;
}

/** Checks the epoch of a heartbeat. The previous epoch is valid, too: the response with the new one may be lost. */
export function epochFlaw(member: ConsumerMember, request: ConsumerGroupHeartbeatRequest): Refusal | undefined {
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
