import type { OpenConnection } from '../transport/connection.ts';
import { findCoordinator } from '../wire/apis/find-coordinator.ts';
import { codes } from '../wire/error-codes.ts';
import type { BrokerMetadata } from './client.ts';
import { type Coordinated, keyOf, type Nowhere, nameOfTarget } from './targets.ts';

/** One coordinator, or the error that kept it from being found. */
export interface FoundCoordinator {
  /** The name of the target (`nameOfTarget`). */
  readonly name: string;
  readonly broker: BrokerMetadata | undefined;
  readonly nowhere: Nowhere;
}

/** The first version in which one FindCoordinator request asks for many coordinators (KIP-699). */
const firstBatchVersion = 4;

/** Asks one broker for coordinators, with one request for all groups and one for all transactional ids. */
export async function askForCoordinators(
  connection: OpenConnection,
  targets: readonly Coordinated[],
): Promise<readonly FoundCoordinator[]> {
  const isBatch = connection.version(findCoordinator) >= firstBatchVersion;
  const requests = [...Map.groupBy(targets, keyTypeOf)].flatMap(([keyType, own]) =>
    isBatch ? [{ keyType, targets: own }] : own.map((target) => ({ keyType, targets: [target] })),
  );
  const answers = await Promise.all(
    requests.map(async ({ keyType, targets: own }) => {
      const keys = own.map(keyOf);
      const [key = ''] = keys;
      const { coordinators, ...only } = await connection.send(findCoordinator, { key, keyType, coordinatorKeys: keys });
      const rows = isBatch ? coordinators : [{ ...only, key }];
      const byKey = new Map(rows.map((row) => [row.key, row]));
      return own.map((target) => ({ target, found: byKey.get(keyOf(target)) }));
    }),
  );
  return answers.flat().map(({ target, found }) => {
    const code = found === undefined ? codes.COORDINATOR_NOT_AVAILABLE : found.errorCode;
    const isThere = found !== undefined && code === 0;
    return {
      name: nameOfTarget(target),
      broker: isThere ? { id: found.nodeId, host: found.host, port: found.port, rack: undefined } : undefined,
      nowhere: { code, text: found?.errorMessage },
    };
  });
}

/** The protocol's number for what the coordinator is for. */
function keyTypeOf(target: Coordinated): number {
  return 'group' in target ? 0 : 1;
}
