import { kafkaError, kafkaErrorText } from '../errors.ts';
import { findCoordinator } from '../protocol/find-coordinator.ts';
import type { OpenConnection } from '../transport/connection.ts';
import type { BrokerMetadata, Target } from './client.ts';

/** A target that has a coordinator. */
export type Coordinated = Extract<Target, { readonly group: string } | { readonly transactionalId: string }>;

/** Where the coordinators of groups and transactions are. */
export interface Coordinators {
  /** The broker as the cluster told it, asked for once until it is forgotten. */
  find(target: Coordinated): Promise<BrokerMetadata>;
  forget(target: Coordinated): void;
}

const coordinatorNotAvailable = 15;

/** Finds coordinators by asking the broker that `any` connects to. */
export function createCoordinators(any: () => Promise<OpenConnection>): Coordinators {
  const known = new Map<string, BrokerMetadata>();
  return {
    async find(target) {
      const { id, keyType, key, what } = describe(target);
      const cached = known.get(id);
      if (cached !== undefined) return cached;
      const connection = await any();
      const { coordinators } = await connection.send(findCoordinator, { keyType, keys: [key] });
      const found = coordinators[0];
      const code = found?.errorCode ?? coordinatorNotAvailable;
      if (found === undefined || code !== 0) {
        const why = kafkaErrorText(code, found?.errorMessage);
        throw kafkaError(code, `unable to find the coordinator of ${what} "${key}": ${why}`, { target: key });
      }
      const broker = { id: found.nodeId, host: found.host, port: found.port, rack: undefined };
      known.set(id, broker);
      return broker;
    },
    forget(target) {
      known.delete(describe(target).id);
    },
  };
}

function describe(target: Coordinated) {
  return 'group' in target
    ? ({ id: `group ${target.group}`, keyType: 'group', key: target.group, what: 'group' } as const)
    : ({
        id: `transaction ${target.transactionalId}`,
        keyType: 'transaction',
        key: target.transactionalId,
        what: 'transactional id',
      } as const);
}
