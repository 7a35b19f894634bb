import { describe, expect, it } from 'vitest';
import { unreachableError } from '../../../../src/errors.ts';
import { produce } from '../../../../src/kafka/streams/produce/produce.ts';
import { createVirtualClock } from '../../../simulation/virtual-clock.ts';
import { type FakeClient, fakeClient, produceBy } from './fake-client.ts';
import { requestOf } from './producing.ts';

/** The timers that wait after the command has ended, too. */
function timersAfter({ clock, options }: FakeClient): number {
  options.deadline.dispose();
  return clock.pending;
}

describe('a production leaves no timer', () => {
  it('when it has ended before the delivery timeout', async () => {
    const client = fakeClient(createVirtualClock(1), {});
    expect(await produceBy(client, ['a'], { deliveryTimeoutMs: 60_000 })).toMatchObject({ error: undefined });
    expect(timersAfter(client)).toBe(0);
  });

  it('when it is stopped while it waits to look for a leader', async () => {
    const clock = createVirtualClock(1);
    const client = fakeClient(clock, { produce: () => ({ code: 6 }) });
    const production = await clock.runUntil(produce(client, requestOf(['a'])));
    const failure = production.pump({ write: () => undefined }).catch((error: Error) => error);
    await clock.runFor(10);
    expect(clock.nextDue).toBeLessThan(1_000);
    client.options.deadline.abort(unreachableError('interrupted', { code: 'INTERRUPTED' }));
    expect(await clock.runUntil(failure)).toMatchObject({ message: expect.stringMatching(/^interrupted/) });
    expect(timersAfter(client)).toBe(0);
  });
});
