import { consumerGroupDescribe } from '../../../../kafka/protocol/wire/apis/consumer-group-describe.ts';
import { consumerGroupHeartbeat } from '../../../../kafka/protocol/wire/apis/consumer-group-heartbeat.ts';
import { codes } from '../../../../kafka/protocol/wire/error-codes.ts';
import { type Handler, handler, type RequestContext } from '../../serve/handler.ts';
import { describeConsumerGroup, undescribedConsumers } from '../describe.ts';
import {
  type ConsumerGroup,
  type GroupWorld,
  groupOf,
  isClassic,
  isConsumer,
  newMemberId,
  turnInto,
} from '../group.ts';
import type { ConsumerGroupHeartbeatRequest, ConsumerGroupHeartbeatResponse } from '../messages.ts';
import { callerOf, coordinatorCode } from '../permission.ts';
import { heartbeat } from './heartbeat.ts';
import { emptyConsumer } from './membership.ts';
import { flawOf, type Refusal, refusedHeartbeat } from './refusal.ts';

/** The handlers of the APIs for groups of the consumer protocol. */
export function consumerHandlers(world: GroupWorld): readonly Handler[] {
  return [
    handler(consumerGroupHeartbeat, {
      handle: (context, request) => answer(world, context, request),
      refuse: (_request, errorCode) => refusedHeartbeat({ errorCode, errorMessage: '' }),
    }),
    handler(consumerGroupDescribe, {
      handle: (context, { groupIds }) => ({
        groups: groupIds.map((groupId) => {
          const code = coordinatorCode(context, groupId);
          return code === codes.NONE ? describeConsumerGroup(world, groupId) : undescribedConsumers(groupId, code);
        }),
      }),
      refuse: ({ groupIds }, code) => ({ groups: groupIds.map((groupId) => undescribedConsumers(groupId, code)) }),
    }),
  ];
}

function answer(
  world: GroupWorld,
  context: RequestContext,
  asked: ConsumerGroupHeartbeatRequest,
): ConsumerGroupHeartbeatResponse {
  const flaw = flawOf(asked, context.version);
  if (flaw !== undefined) return refusedHeartbeat(flaw);
  const code = coordinatorCode(context, asked.groupId);
  if (code !== codes.NONE) return refusedHeartbeat({ errorCode: code, errorMessage: '' });
  const request = asked.memberId === '' ? { ...asked, memberId: newMemberId(world, 'member') } : asked;
  const group = consumerGroupFor(world, request);
  if ('errorCode' in group) return refusedHeartbeat(group);
  return heartbeat({ environment: world.environment, group, request, caller: callerOf(context) });
}

/** Returns the consumer group. A join creates it if it is missing, or converts an empty classic group. */
function consumerGroupFor(
  world: GroupWorld,
  { groupId, memberEpoch }: ConsumerGroupHeartbeatRequest,
): ConsumerGroup | Refusal {
  const errorMessage = `Group ${groupId} is not a consumer group.`;
  const refusal: Refusal = { errorCode: codes.GROUP_ID_NOT_FOUND, errorMessage };
  if (memberEpoch !== 0 && !world.groups.has(groupId)) return refusal;
  const group = groupOf(world, groupId);
  const isEmpty = isClassic(group) && group.membership.state === 'Empty' && group.membership.pendingJoins.size === 0;
  if (isEmpty && memberEpoch === 0) turnInto(group, emptyConsumer());
  return isConsumer(group) ? group : refusal;
}
