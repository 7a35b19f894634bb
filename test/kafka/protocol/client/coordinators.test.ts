import { expect, test } from 'vitest';
import { askForCoordinators } from '../../../../src/kafka/protocol/client/metadata-cache.ts';
import type { OpenConnection } from '../../../../src/kafka/protocol/transport/connection.ts';
import type { RequestOf } from '../../../../src/kafka/protocol/wire/api.ts';
import type { findCoordinator } from '../../../../src/kafka/protocol/wire/apis/find-coordinator.ts';

/** A broker that returns a coordinator for every key: 1 for a group, 2 for a transactional id. */
function brokerOf(version: number) {
  const asked: (readonly string[])[] = [];
  const connection = {
    version: () => version,
    async send(_: unknown, request: RequestOf<typeof findCoordinator>) {
      const { keyType, coordinatorKeys: keys = [] } = request;
      asked.push(keys);
      const nodeId = keyType === 0 ? 1 : 2;
      const rest = { errorCode: 0, errorMessage: undefined, nodeId, host: `b${nodeId}`, port: 9092 };
      return version < 4 ? { ...rest, coordinators: [] } : { coordinators: keys.map((key) => ({ key, ...rest })) };
    },
  };
  return { asked, connection: connection as unknown as OpenConnection };
}

test.each([
  [4, [['a', 'b'], ['a']]],
  [3, [['a'], ['b'], ['a']]],
])(
  'a group and a transactional id of the same name have coordinators of their own, in version %i',
  async (version, keys) => {
    const { asked, connection } = brokerOf(version);
    const found = await askForCoordinators(connection, [{ group: 'a' }, { group: 'b' }, { transactionalId: 'a' }]);
    expect(asked).toEqual(keys);
    expect(found.map(({ name, broker }) => [name, broker?.id])).toEqual([
      ['group a', 1],
      ['group b', 1],
      ['transaction a', 2],
    ]);
  },
);
