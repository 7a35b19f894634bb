import { describe, expect, it } from 'vitest';
import { unreachableError } from '../../../../src/errors.ts';
import { produce } from '../../../../src/kafka/streams/produce/produce.ts';
import { createVirtualClock } from '../../../simulation/virtual-clock.ts';
import { type FakeBrokers, fakeClient, produceBy, refused } from './fake-client.ts';
import { requestOf } from './producing.ts';

const never = (): Promise<never> => new Promise(() => undefined);

describe('--delivery-timeout limits the time of a record', () => {
  const cases: readonly (readonly [string, FakeBrokers, mayBeWritten: boolean])[] = [
    ['whose broker is silent', { produce: never }, true],
    ['whose partition has no leader', { leaders: () => [-1] }, false],
    ['whose broker refuses connections', { dial: () => Promise.reject(refused()) }, false],
    ['whose broker refuses it', { produce: () => ({ code: 19 }) }, false],
    ['whose leader is never found again', leaderIsGone(), true],
  ];
  it.each(cases)('%s', async (_, brokers, mayBeWritten) => {
    const client = fakeClient(createVirtualClock(1), brokers, { retry: 600_000 });
    const { error, endedAt } = await produceBy(client, ['a'], { deliveryTimeoutMs: 2_000 });
    expect(error).toMatchObject({
      exitCode: 5,
      code: 'DELIVERY_TIMEOUT',
      hints: expect.arrayContaining(['raise the limit with --delivery-timeout DURATION']),
      message: expect.stringMatching(
        /^unable to produce 1 record to topic "foo" partition 0: no acknowledgement within --delivery-timeout=2s/,
      ),
    });
    expect(error?.message.includes('may or may not have been written')).toBe(mayBeWritten);
    expect(endedAt).toBe(2_000);
    expect(client.clock.pending).toBeLessThanOrEqual(2);
  });

  function leaderIsGone(): FakeBrokers {
    let looks = 0;
    return {
      produce: () => ({ code: 6 }),
      metadata: () => {
        looks += 1;
        return looks === 1 ? Promise.resolve() : Promise.reject(unreachableError('no broker answers'));
      },
    };
  }

  it.each([-1, 1, 0] as const)(
    'with acks %i, too, and says which records may or may not have been written',
    async (acks) => {
      const client = fakeClient(createVirtualClock(1), { produce: never }, { retry: 600_000 });
      const { error, endedAt } = await produceBy(client, ['a'], { acks, deliveryTimeoutMs: 2_000 });
      expect(error?.message).toMatch(
        /--delivery-timeout=2s \(of 1 record read, 0 were acknowledged; 1 record of topic "foo" partition 0 may or may not/,
      );
      expect(endedAt).toBe(2_000);
    },
  );

  it('for a cluster that is unreachable', async () => {
    const client = fakeClient(createVirtualClock(1), { metadata: never });
    const { error, endedAt } = await produceBy(client, ['a'], { deliveryTimeoutMs: 2_000 });
    expect(error?.message).toBe(
      'unable to produce: the cluster did not return metadata for topic "foo" within --delivery-timeout=2s',
    );
    expect(endedAt).toBe(2_000);
  });

  it('that comes to a cluster which gives no producer id', async () => {
    const client = { ...fakeClient(createVirtualClock(1), {}), request: never };
    const { error, endedAt } = await produceBy(client, ['a'], { deliveryTimeoutMs: 2_000 });
    expect(error?.message).toBe(
      'unable to produce: the cluster did not return a producer id within --delivery-timeout=2s',
    );
    expect(endedAt).toBe(2_000);
  });

  it('from its arrival, not from its first sending', async () => {
    const clock = createVirtualClock(1);
    const client = fakeClient(clock, { leaders: () => [clock.now() < 1_500 ? -1 : 1], produce: never });
    const { error, endedAt } = await produceBy(client, ['a'], { deliveryTimeoutMs: 2_000 });
    expect(client.batches).toHaveLength(1);
    expect(error?.message).toMatch(
      /--delivery-timeout=2s \(of 1 record read, 0 were acknowledged; 1 record of topic "foo" partition 0 may or may not/,
    );
    expect(endedAt).toBe(2_000);
  });

  it('even while it waits for another one', async () => {
    const clock = createVirtualClock(1);
    const client = fakeClient(clock, {
      produce: ({ before }) => (before === 0 ? clock.sleep(1_500).then(() => ({ base: 0 })) : never()),
    });
    const { error, endedAt, text } = await produceBy(client, ['a', 'b'], { deliveryTimeoutMs: 2_000 });
    expect(error).toMatchObject({ code: 'DELIVERY_TIMEOUT' });
    expect({ endedAt, text }).toEqual({ endedAt: 2_000, text: 'a@0' });
  });

  it('from its arrival, even if the timer first watched another record', async () => {
    const clock = createVirtualClock(1);
    const client = fakeClient(clock, {
      produce: ({ before }) => (before === 0 ? clock.sleep(1_500).then(() => ({ base: 0 })) : never()),
    });
    async function* pausing(): AsyncGenerator<Buffer> {
      yield Buffer.from('a\n');
      await clock.sleep(700);
      yield Buffer.from('b\n');
    }
    const { error, endedAt } = await produceBy(client, [], { deliveryTimeoutMs: 2_000, input: pausing() });
    expect(error).toMatchObject({ code: 'DELIVERY_TIMEOUT' });
    expect(endedAt).toBe(2_700);
  });

  it('until it is acknowledged, one by one', async () => {
    const clock = createVirtualClock(1);
    const client = fakeClient(clock, { produce: ({ before }) => clock.sleep(150).then(() => ({ base: before })) });
    async function* trickle(): AsyncGenerator<Buffer> {
      for (let record = 0; record < 100; record += 1) {
        yield Buffer.from(`v${record}\n`);
        await clock.sleep(100);
      }
    }
    const { error, endedAt } = await produceBy(client, [], { deliveryTimeoutMs: 1_000, input: trickle() });
    expect(error).toBeUndefined();
    expect(endedAt).toBeGreaterThan(10_000);
  });
});

it('a producer whose broker is silent ends at once with the command', async () => {
  const clock = createVirtualClock(1);
  const client = fakeClient(clock, { produce: never });
  const production = await clock.runUntil(produce(client, requestOf(['a'])));
  const failure = production.pump({ write: () => undefined }).catch((error: Error) => error);
  await clock.runFor(1_000);
  expect(client.batches).toHaveLength(1);
  client.options.deadline.abort(unreachableError('interrupted', { code: 'INTERRUPTED' }));
  expect(await clock.runUntil(failure)).toMatchObject({ message: expect.stringMatching(/^interrupted/) });
  expect(clock.now()).toBe(1_000);
});

describe('what is acknowledged', () => {
  it('is reported when a later batch fails, whether queued for a slow reader or still in flight', async () => {
    const clock = createVirtualClock(1);
    const client = fakeClient(clock, {
      async produce({ before }) {
        await clock.sleep(before === 7 ? 5 : 40);
        return before === 7 ? { code: 10 } : { base: before };
      },
    });
    const lines = Array.from({ length: 12 }, (_, index) => `v${index}`);
    const { error, text } = await produceBy(client, lines);
    expect(error?.message).toContain('MESSAGE_TOO_LARGE');
    const acknowledged = lines.filter((_, index) => index < client.batches.length && index !== 7);
    expect(text.split(' ').map((item) => item.split('@')[0])).toEqual(acknowledged);
  });

  it('is not waited for if the reader of the reports is gone', async () => {
    const clock = createVirtualClock(1);
    const client = fakeClient(clock, {});
    const production = await clock.runUntil(produce(client, requestOf(['a'])));
    // Nothing else happens by then that would wake the waiting code.
    const write = (): Promise<void> =>
      clock.sleep(100).then(() => {
        throw new Error('the reader is gone');
      });
    const work = production.pump({ write });
    await expect(client.clock.runUntil(work)).rejects.toThrow('the reader is gone');
  });
});

describe('an input that never pauses', () => {
  it('does not hold records back for longer than half a second', async () => {
    const clock = createVirtualClock(1);
    const sentAt: number[] = [];
    const client = fakeClient(clock, {
      produce: () => {
        sentAt.push(clock.now());
        return { base: 0 };
      },
    });
    async function* trickle(): AsyncGenerator<Buffer> {
      // There is never a pause in which waiting records would be sent.
      for (let record = 0; record < 2_000; record += 1) {
        yield Buffer.from(`v${record}\n`);
        await clock.sleep(1);
      }
    }
    await produceBy(client, [], { input: trickle(), maxMessageBytes: 1_000_000 });
    expect(sentAt[0]).toBeLessThan(510);
    expect(sentAt.length).toBeGreaterThan(3);
  });
});
