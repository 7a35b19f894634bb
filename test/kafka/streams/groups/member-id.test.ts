import { expect, it } from 'vitest';
import { realClock } from '../../../../src/clock.ts';
import { newMemberId } from '../../../../src/kafka/streams/groups/consumer-membership.ts';

it('the id of a member is a unique UUID', () => {
  const ids = Array.from({ length: 1_000 }, () => newMemberId(realClock));
  for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  expect(new Set(ids).size).toBe(1_000);
});

it('uses the random numbers of the clock, so that a run can be repeated', () => {
  expect(newMemberId({ random: () => 0.5 })).toBe('88888888-8888-4888-8888-888888888888');
});
