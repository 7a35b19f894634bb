import type {
  ConsumerGroupHeartbeatRequest,
  ConsumerGroupHeartbeatResponse,
} from '../../apis/consumer-group-heartbeat.ts';
import { codes } from '../../error-codes.ts';
import { assignors } from './assignors.ts';
import { type ConsumerMember, leaving } from './membership.ts';
import { isNothing, shareOf, without } from './share.ts';
import { patternOf } from './target.ts';

/** Why a heartbeat is refused. */
export interface Refusal {
  readonly errorCode: number;
  readonly errorMessage: string;
}

/** The answer to a heartbeat that is refused. */
export function refusedHeartbeat({ errorCode, errorMessage }: Refusal): ConsumerGroupHeartbeatResponse {
  return { errorCode, errorMessage, memberEpoch: 0 };
}

/** What is wrong with a heartbeat, whatever the group; undefined when nothing is. */
export function flawOf(request: ConsumerGroupHeartbeatRequest, apiVersion: number): Refusal | undefined {
  const { groupId, memberId, memberEpoch, instanceId, rackId, serverAssignor, subscribedTopicRegex: regex } = request;
  const invalid = (errorMessage: string): Refusal => ({ errorCode: codes.INVALID_REQUEST, errorMessage });
  if (groupId === '') return invalid('GroupId must not be empty.');
  if (instanceId === '') return invalid('InstanceId must not be empty.');
  if (rackId === '') return invalid('RackId must not be empty.');
  // Before version 1 the coordinator may name the member.
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
    return { errorCode: codes.UNSUPPORTED_ASSIGNOR, errorMessage: `there is no assignor ${serverAssignor}: ${known}` };
  }
  if (regex !== undefined && patternOf(regex) === undefined) {
    return { errorCode: codes.INVALID_REGULAR_EXPRESSION, errorMessage: `${regex} is not a pattern.` };
  }
  return undefined;
}

/** Whether a member may speak in this epoch; one behind is forgiven, as the answer with the new one may be lost. */
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
