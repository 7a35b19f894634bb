import { expect, test } from 'vitest';
import { type Target, unlocatedError } from '../../../../src/kafka/protocol/client/targets.ts';

test.each<[target: Target, code: number, message: string, name: string | undefined]>([
  ['controller', 41, 'the cluster has no controller at the moment, according to seed b:1', undefined],
  [{ group: 'g' }, 15, 'unable to find the coordinator of group "g": COORDINATOR_NOT_AVAILABLE (15): too busy', 'g'],
  [
    { transactionalId: 'x' },
    53,
    'unable to find the coordinator of transactional id "x": TRANSACTIONAL_ID_AUTHORIZATION_FAILED (53): too busy',
    'x',
  ],
  [
    { topic: 't', partition: 2 },
    5,
    'unable to find the leader of topic "t" partition 2: LEADER_NOT_AVAILABLE (5): too busy',
    't',
  ],
  [{ node: 4 }, -1, 'unable to find node 4: UNKNOWN_SERVER_ERROR (-1): too busy', undefined],
])('the target %j that cannot be located with code %i is named', (target, code, message, name) => {
  const error = unlocatedError(target, { code, text: 'too busy' }, 'seed b:1');
  expect({ message: error.message, target: error.target }).toEqual({ message, target: name });
});
