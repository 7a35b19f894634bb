import { param } from '../../http/reply.ts';
import { badRequest } from '../admin-error.ts';
import type { World } from '../world.ts';
import { nameOf } from './partition.ts';

/** The internal topic whose partitions coordinate transactions. */
export const coordinatorTopic = { ns: 'kafka_internal', topic: 'tx' } as const;

/** The partition that coordinates a transactional id. Not the hash of the real server, but as stable. */
export function coordinatorOf({ state }: Pick<World, 'state'>, transactionalId: string): number {
  const partitions = [...state.partitions.values()].filter(
    ({ ns, topic }) => ns === 'kafka_internal' && topic === 'tx',
  );
  const sum = [...Buffer.from(transactionalId)].reduce((total, byte) => (total * 31 + byte) % 65_536, 7);
  return partitions.length === 0 ? 0 : sum % partitions.length;
}

/** The name of the partition that coordinates the request: from its transactional id, or from its query. */
export function coordinatorName(
  world: Pick<World, 'state'>,
  params: Readonly<Record<string, string>>,
  query: URLSearchParams,
): string {
  const transactionalId = param({ params }, 'transactional_id');
  const asked = query.get('coordinator_partition_id') ?? '';
  if (transactionalId === '' && !/^\d{1,9}$/.test(asked))
    throw badRequest('the parameter coordinator_partition_id must be a whole number');
  const id = transactionalId === '' ? Number(asked) : coordinatorOf(world, transactionalId);
  return nameOf({ ...coordinatorTopic, id });
}
