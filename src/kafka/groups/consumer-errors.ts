import { type CliError, rephrased } from '../../errors.ts';
import { kafkaError, kafkaErrorText } from '../errors.ts';
import type { ConsumerGroupHeartbeatResponse } from '../protocol/consumer-group-heartbeat.ts';
import type { ConsumerMembershipOptions } from './member.ts';
import { groupCodes } from './verdicts.ts';

/** Makes the error for a heartbeat answer that ends the membership. */
export function consumerMemberError(
  { group, instanceId, assignor }: ConsumerMembershipOptions,
  { errorCode, errorMessage }: ConsumerGroupHeartbeatResponse,
): CliError {
  const hints: Readonly<Record<number, string>> = {
    [groupCodes.unreleasedInstance]: `use another --instance-id: a member already uses ${instanceId}`,
    [groupCodes.fencedInstance]: `use another --instance-id: a member already uses ${instanceId}`,
    [groupCodes.unsupportedAssignor]: `use --balancer uniform or range, Kafka's own: the coordinator does not support ${assignor}`,
    [groupCodes.groupNotFound]: 'use --group-protocol classic: the group uses the classic protocol',
  };
  const hint = hints[errorCode];
  return kafkaError(errorCode, `unable to stay in group "${group}": ${kafkaErrorText(errorCode, errorMessage)}`, {
    target: group,
    hints: hint === undefined ? [] : [hint],
  });
}

/** Adds a hint to the error of a broker that does not support the consumer protocol. */
export function withoutProtocol(error: CliError): CliError {
  return rephrased(error, error.message, {
    hints: ['use --group-protocol classic: the broker does not support the consumer group protocol'],
    retryable: false,
  });
}
