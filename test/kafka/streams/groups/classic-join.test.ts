import { expect, it } from 'vitest';
import { createMembership } from '../../../../src/kafka/streams/groups/membership.ts';
import { decodeSubscription } from '../../../../src/kafka/streams/groups/subscription.ts';
import { assignment, place, scriptedCoordinator } from './coordinator.ts';

const illegalGeneration = 22;

it('a member whose generation passes during SyncGroup claims no partitions in its next JoinGroup', async () => {
  const { client, clock, of, on, topics } = scriptedCoordinator();
  topics.set('t', 2);
  on('JoinGroup', (request, before) => place(request, before + 1));
  // The second SyncGroup comes too late.
  on('SyncGroup', (_request, before) =>
    before === 1
      ? { errorCode: illegalGeneration, assignment: Buffer.of() }
      : assignment([{ topic: 't', partitions: [0, 1] }]),
  );
  on('Heartbeat', () => ({ errorCode: 0 }));
  on('LeaveGroup', () => ({ errorCode: 0, members: [] }));
  const membership = createMembership(client, {
    ...{ group: 'g', instanceId: undefined, balancers: ['cooperative-sticky'], sessionTimeoutMs: 45_000 },
    ...{ rebalanceTimeoutMs: 60_000, heartbeatMs: 3_000, topics: () => ['t'], onChange: () => undefined },
  });
  await membership.join();
  const { held } = await membership.join();
  const claims = of('JoinGroup').map(({ request }) => decodeSubscription(Buffer.from(request.protocols[0].metadata)));
  expect(claims.map(({ owned }) => owned.length)).toEqual([0, 1, 0]);
  expect(held).toEqual([]);
  await membership.leave();
  expect(clock.pending).toBe(0);
});
