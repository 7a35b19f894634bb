import { expect, test } from 'vitest';
import { memberError } from '../../../../src/kafka/streams/groups/classic-state.ts';
import type { MembershipOptions } from '../../../../src/kafka/streams/groups/member.ts';

const notAuthorized = 30;
const fencedInstance = 82;

test('only a replaced member gets the hint about --instance-id', () => {
  const options = { group: 'g', instanceId: 'one' } as MembershipOptions;
  expect(memberError(options, fencedInstance)).toMatchObject({
    hints: ['use another --instance-id: a member already uses one'],
  });
  expect(memberError(options, notAuthorized)).toMatchObject({ exitCode: 4, hints: [] });
});
