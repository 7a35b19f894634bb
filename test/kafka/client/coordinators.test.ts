import { expect, test } from 'vitest';
import { askForCoordinators } from '../../../src/kafka/client/coordinators.ts';
import type { FindCoordinatorRequest } from '../../../src/kafka/protocol/find-coordinator.ts';
import type { OpenConnection } from '../../../src/kafka/transport/connection.ts';

/** A broker that returns a coordinator for every key: 1 for a group, 2 for a transactional id. */
function brokerOf(version: number) {
  const asked: FindCoordinatorRequest[] = [];
  const connection = {
    version: () => version,
    async send(_: unknown, request: FindCoordinatorRequest) {
      asked.push(request);
      const nodeId = request.keyType === 'group' ? 1 : 2;
      const rest = { errorCode: 0, errorMessage: undefined, nodeId, host: `b${nodeId}`, port: 9092 };
      return { coordinators: request.keys.map((key) => ({ key: version < 4 ? '' : key, ...rest })) };
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
    expect(asked.map((request) => request.keys)).toEqual(keys);
    expect(found.map(({ name, broker }) => [name, broker?.id])).toEqual([
      ['group a', 1],
      ['group b', 1],
      ['transaction a', 2],
    ]);
  },
);
