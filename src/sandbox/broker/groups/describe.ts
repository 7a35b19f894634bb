import type { WrittenResponseOf } from '../../../kafka/protocol/wire/api.ts';
import type { consumerGroupDescribe } from '../../../kafka/protocol/wire/apis/consumer-group-describe.ts';
import { type describeGroups, noOperations } from '../../../kafka/protocol/wire/apis/describe-groups.ts';
import { codes } from '../../../kafka/protocol/wire/error-codes.ts';
import { metadataOf } from './classic/membership.ts';
import { type ConsumerMember, type Share, stateOf } from './consumer/membership.ts';
import { listOf, noShare } from './consumer/share.ts';
import {
  type ClassicGroup,
  type ConsumerGroup,
  type Group,
  type GroupsEnvironment,
  type GroupWorld,
  isClassic,
  isConsumer,
} from './group.ts';

type DescribedGroup = WrittenResponseOf<typeof describeGroups>['groups'][number];
type DescribedConsumerGroup = WrittenResponseOf<typeof consumerGroupDescribe>['groups'][number];

/** Describes a classic group for DescribeGroups; versions before 6 report no error for a missing group. */
export function describeGroup({ groups }: GroupWorld, groupId: string, apiVersion: number): DescribedGroup {
  const group = groups.get(groupId);
  if (group !== undefined && isClassic(group)) return described(group);
  const errorMessage = group === undefined ? `Group ${groupId} not found.` : `Group ${groupId} is not a classic group.`;
  const error = apiVersion >= 6 ? { errorCode: codes.GROUP_ID_NOT_FOUND, errorMessage } : { errorCode: codes.NONE };
  return { ...error, groupId, groupState: 'Dead', protocolType: '', protocolData: '', members: [] };
}

/** Builds the answer for a group that this broker does not coordinate. */
export function undescribedGroup(groupId: string, errorCode: number): DescribedGroup {
  return { errorCode, groupId, groupState: '', protocolType: '', protocolData: '', members: [] };
}

function described({ groupId, membership }: ClassicGroup): DescribedGroup {
  const { state, protocolType, protocolName, members } = membership;
  const isStable = state === 'Stable';
  return {
    errorCode: codes.NONE,
    groupId,
    groupState: state,
    protocolType,
    protocolData: isStable ? (protocolName ?? '') : '',
    members: [...members.values()].map((member) => ({
      memberId: member.memberId,
      groupInstanceId: member.groupInstanceId,
      clientId: member.clientId,
      clientHost: member.clientHost,
      memberMetadata: isStable ? metadataOf(member, protocolName) : new Uint8Array(),
      memberAssignment: member.assignment,
    })),
    authorizedOperations: noOperations,
  };
}

/** Describes a group of the consumer protocol for ConsumerGroupDescribe. */
export function describeConsumerGroup({ environment, groups }: GroupWorld, groupId: string): DescribedConsumerGroup {
  const group = groups.get(groupId);
  if (group !== undefined && isConsumer(group)) return describedConsumers(environment, group);
  const errorMessage =
    group === undefined ? `Group ${groupId} not found.` : `Group ${groupId} is not a consumer group.`;
  return { ...undescribedConsumers(groupId, codes.GROUP_ID_NOT_FOUND), errorMessage };
}

/** Builds the answer for a group that this broker does not coordinate. */
export function undescribedConsumers(groupId: string, errorCode: number): DescribedConsumerGroup {
  return {
    errorCode,
    groupId,
    groupState: '',
    groupEpoch: 0,
    assignmentEpoch: 0,
    assignorName: '',
    members: [],
    authorizedOperations: noOperations,
  };
}

function describedConsumers(environment: GroupsEnvironment, { groupId, membership }: ConsumerGroup) {
  const { groupEpoch, assignmentEpoch, assignorName, members, target } = membership;
  const named = (share: Share) => ({
    topicPartitions: listOf(share).map((one) => ({
      ...one,
      topicName: environment.topicById(one.topicId)?.name ?? '',
    })),
  });
  const member = (one: ConsumerMember) => ({
    memberId: one.memberId,
    instanceId: one.instanceId,
    rackId: one.rackId,
    memberEpoch: one.memberEpoch,
    clientId: one.clientId,
    clientHost: one.clientHost,
    subscribedTopicNames: one.subscribedTopicNames,
    subscribedTopicRegex: one.subscribedTopicRegex,
    assignment: named(one.assigned),
    targetAssignment: named(target.get(one.memberId) ?? noShare),
    memberType: 1,
  });
  return {
    errorCode: codes.NONE,
    groupId,
    groupState: stateOf(membership),
    groupEpoch,
    assignmentEpoch,
    assignorName,
    members: [...members.values()].map(member),
    authorizedOperations: noOperations,
  };
}

/** Describes a group for ListGroups. */
export function listedGroup(group: Group) {
  const { groupId } = group;
  if (isConsumer(group)) {
    return { groupId, protocolType: 'consumer', groupState: stateOf(group.membership), groupType: 'consumer' };
  }
  const { protocolType, state } = isClassic(group) ? group.membership : { protocolType: '', state: 'Empty' };
  return { groupId, protocolType, groupState: state, groupType: 'classic' };
}
