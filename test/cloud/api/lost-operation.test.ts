import { expect, test } from 'vitest';
import { type Lists, lostDeletion } from '../../../src/cloud/api/lost-answer.ts';

test('of several deletions of a cluster, the newest is the one whose answer was lost', async () => {
  const states = ['STATE_FAILED', 'STATE_IN_PROGRESS'];
  const operations = async () => states.map((state, index) => ({ id: `operation ${index}`, state }));
  const lists = { operations } as unknown as Lists;
  expect(await lostDeletion(lists, 'c1', 'TYPE_DELETE_CLUSTER')).toMatchObject({ id: 'operation 1' });
});
