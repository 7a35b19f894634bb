import { type CliError, rephrased } from '../../errors.ts';
import { kafkaError, kafkaErrorText } from '../errors.ts';
import type { ConsumerGroupHeartbeatResponse } from '../protocol/consumer-group-heartbeat.ts';
import type { ConsumerMembershipOptions } from './member.ts';
import { groupCodes } from './verdicts.ts';

/** The error of a heartbeat that ends the membership. */
export function consumerMemberError(
  { group, instanceId, assignor }: ConsumerMembershipOptions,
  { errorCode, errorMessage }: ConsumerGroupHeartbeatResponse,
): CliError {
  const hints: Readonly<Record<number, string>> = {
    [groupCodes.unreleasedInstance]: `another member uses --instance-id ${instanceId}`,
    [groupCodes.fencedInstance]: `another member uses --instance-id ${instanceId}`,
    [groupCodes.unsupportedAssignor]: `the coordinator does not know --balancer ${assignor}: uniform and range are Kafka's`,
    [groupCodes.groupNotFound]: 'the group is of the classic protocol: --group-protocol classic',
  };
  const hint = hints[errorCode];
  return kafkaError(errorCode, `unable to stay in group "${group}": ${kafkaErrorText(errorCode, errorMessage)}`, {
    target: group,
    hints: hint === undefined ? [] : [hint],
  });
}

/** The error of a broker that does not know the API. */
export function withoutProtocol(error: CliError): CliError {
  return rephrased(error, error.message, {
    hints: ['the broker does not support the consumer group protocol: use --group-protocol classic'],
    retryable: false,
  });
}
