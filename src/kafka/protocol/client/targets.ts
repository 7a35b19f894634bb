import type { CliError } from '../../../errors.ts';
import { kafkaError, kafkaErrorText } from '../errors.ts';
import type { Api, CoordinatedName } from '../wire/api.ts';
import { isDisabled } from './redpanda.ts';

/** The coordinator of a group or of a transactional id. */
export type Coordinated = CoordinatedName;

/** The leader of one partition. */
export interface PartitionTarget {
  readonly topic: string;
  readonly partition: number;
}

/** The broker that must answer a request. */
export type Target = 'any' | 'controller' | { readonly node: number } | Coordinated | PartitionTarget;

/** Returns the name of a target; equal targets have equal names. */
export function nameOfTarget(target: Target): string {
  if (typeof target === 'string') return target;
  if ('node' in target) return `node ${target.node}`;
  if ('group' in target) return `group ${target.group}`;
  if ('transactionalId' in target) return `transaction ${target.transactionalId}`;
  return `partition ${target.partition} ${target.topic}`;
}

/** Whether a target is a coordinator. */
export function isCoordinated(target: Target): target is Coordinated {
  return typeof target === 'object' && ('group' in target || 'transactionalId' in target);
}

/** Whether a target is the leader of a partition. */
export function isPartition(target: Target): target is PartitionTarget {
  return typeof target === 'object' && 'topic' in target;
}

/** The key of a coordinator: the group or the transactional id. */
export function keyOf(target: Coordinated): string {
  return 'group' in target ? target.group : target.transactionalId;
}

/** An error code of the cluster, with its text if it sent one. */
export interface BrokerError {
  readonly code: number;
  readonly text: string | undefined;
}

/** Makes the error for a target that cannot be located, with the error code that the cluster returned. */
export function unlocatedError(target: Target, { code, text }: BrokerError, source: string): CliError {
  const why = kafkaErrorText(code, text);
  if (isCoordinated(target)) {
    const what = 'group' in target ? 'group' : 'transactional id';
    const message = `unable to find the coordinator of ${what} "${keyOf(target)}": ${why}`;
    return kafkaError(code, message, { target: keyOf(target) });
  }
  if (isPartition(target)) {
    const { topic, partition } = target;
    const message = `unable to find the leader of topic "${topic}" partition ${partition}: ${why}`;
    return kafkaError(code, message, { target: topic, ...(isDisabled(code) && { retryable: false }) });
  }
  if (target === 'controller')
    return kafkaError(code, `the cluster has no controller at the moment, according to ${source}`);
  return kafkaError(code, `unable to find ${nameOfTarget(target)}: ${why}`);
}

/**
 * Returns the target of a request, as its API declares.
 * @param named the caller's target, for APIs that leave the choice to the caller
 */
export function targetOf<Request>(api: Api<Request, unknown>, request: Request, named: Target | undefined): Target {
  if (named !== undefined) return named;
  return typeof api.target === 'function' ? api.target(request) : fixedTarget(api);
}

/** Returns the target of all requests of an API that any broker, or the controller, answers. */
export function fixedTarget({ name, target }: Pick<Api<never, unknown>, 'name' | 'target'>): 'any' | 'controller' {
  if (target === 'any' || target === 'controller') return target;
  throw new Error(`a ${name} request needs a ${target} as its target`);
}
