import { type CliError, rephrased } from '../../../errors.ts';
import { kafkaError, kafkaErrorText } from '../../protocol/errors.ts';
import type { ResponseOf } from '../../protocol/wire/api.ts';
import type { consumerGroupHeartbeat } from '../../protocol/wire/apis/consumer-group-heartbeat.ts';
import { codes } from '../../protocol/wire/error-codes.ts';
import type { ConsumerMembershipOptions } from './member.ts';

/** Makes the error for a heartbeat answer that ends the membership. */
export function consumerMemberError(
  { group, instanceId, assignor }: ConsumerMembershipOptions,
  { errorCode, errorMessage }: ResponseOf<typeof consumerGroupHeartbeat>,
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
export function withoutProtocol(error: CliError): CliError {
  return rephrased(error, error.message, {
    hints: ['use --group-protocol classic: the broker does not support the consumer group protocol'],
    retryable: false,
  });
}
