import { describe, expect, it } from 'vitest';
import { CliError, exitCodes, unreachableError } from '../../../../src/errors.ts';
import { createVirtualClock } from '../../../simulation/virtual-clock.ts';
import { fakeClient, produceBy, refused } from './fake-client.ts';

const lines = Array.from({ length: 12 }, (_, index) => `v${index}`);

describe('the batches in flight to a partition', () => {
  it.each([
    [-1, 5],
    [1, 1],
  ] as const)('with acks %i are at most %i', async (acks, most) => {
    const clock = createVirtualClock(1);
    const client = fakeClient(clock, { produce: ({ before }) => clock.sleep(20).then(() => ({ base: before })) });
    const { text } = await produceBy(client, lines, { acks });
    expect(text).toBe(lines.map((line, index) => `${line}@${index}`).join(' '));
    expect(client.inFlight.get(0)?.most).toBe(most);
  });

  it('are one at first, even if other batches are acknowledged', async () => {
    const clock = createVirtualClock(1);
    const seen: number[] = [];
    const client = fakeClient(clock, {
      async produce({ before }) {
        seen.push(client.inFlight.get(0)?.now ?? 0);
        await clock.sleep(20);
        return { base: before };
      },
    });
    await produceBy(client, lines);
    expect(seen.slice(0, 3)).toEqual([1, 1, 2]);
  });

  it('are one at first once a broker is back, however many wait', async () => {
    const clock = createVirtualClock(1);
    const seen: number[] = [];
    const client = fakeClient(clock, {
      async dial() {
        if (clock.now() < 5_000) throw refused();
      },
      async produce({ before }) {
        seen.push(client.inFlight.get(0)?.now ?? 0);
        await clock.sleep(20);
        return { base: before };
      },
    });
    await produceBy(client, lines);
    expect(seen.slice(0, 3)).toEqual([1, 1, 2]);
  });
});

describe.each([0, 1] as const)('acks %i', (acks) => {
  it('continues when a broker refuses connections for a while', async () => {
    const clock = createVirtualClock(1);
    const client = fakeClient(clock, {
      dial: async () => {
        if (clock.now() < 5_000) throw refused();
      },
    });
    const { error } = await produceBy(client, ['a', 'b', 'c'], { acks });
    expect(error).toBeUndefined();
    expect(client.batches).toHaveLength(3);
  });

  it('does not report records that were never sent as uncertain', async () => {
    const client = fakeClient(createVirtualClock(1), { dial: () => Promise.reject(refused()) }, { retry: 3_000 });
    const { error } = await produceBy(client, ['a'], { acks });
    expect(error?.message).toMatch(
      /^unable to connect to broker 1: TCP: connection refused \(gave up on Produce after \d attempts in [\d.]+s, globals\.retry_timeout=3s\) \(of 1 record read, 0 were acknowledged; line 1 was not written\)$/,
    );
    expect(error).toMatchObject({ exitCode: 5, code: 'RETRY_TIMEOUT' });
    expect(error).toMatchObject({
      hints: expect.arrayContaining(['raise the limit with -X globals.retry_timeout=DURATION']),
    });
  });

  it('nor if it is not authorized to connect', async () => {
    const denied = new CliError(exitCodes.auth, 'unable to authenticate with broker 1');
    const client = fakeClient(createVirtualClock(1), { dial: () => Promise.reject(denied) });
    const { error } = await produceBy(client, ['a'], { acks });
    expect(error?.message).toBe(
      'unable to authenticate with broker 1 (of 1 record read, 0 were acknowledged; line 1 was not written)',
    );
  });

  it('resends in order what was not written to a broken connection', async () => {
    const clock = createVirtualClock(1);
    const written: string[] = [];
    const client = fakeClient(clock, {
      async produce({ records, before }) {
        const isBroken = before >= 3 && clock.now() < 200;
        await clock.sleep(5);
        // Retryable: no byte of it went to the socket.
        if (isBroken) throw unreachableError('lost broker 1', { code: 'CONNECTION_LOST' });
        written.push(records.subarray(-3, -1).toString());
        return { base: before };
      },
    });
    const { error } = await produceBy(client, lines.slice(0, 10), { acks });
    expect(error).toBeUndefined();
    expect(written).toEqual(lines.slice(0, 10));
  });
});

describe('acks 1', () => {
  it.each([
    [6, 2],
    [19, 2],
    [7, 1],
    [20, 1],
    [-1, 1],
  ])('sends a batch that was answered with code %i %i times', async (code, times) => {
    const client = fakeClient(createVirtualClock(1), {
      produce: ({ before }) => (before === 0 ? { code } : { base: 5 }),
    });
    const { error, text } = await produceBy(client, ['a'], { acks: 1 });
    expect(client.batches).toHaveLength(times);
    if (times === 2) expect(text).toBe('a@5');
    else
      expect(error?.message).toContain(
        '; 1 record of topic "foo" partition 0 may or may not have been written: line 1)',
      );
  });

  it('announces no retry of a request that is not retried, however long it took', async () => {
    const clock = createVirtualClock(1);
    const client = fakeClient(clock, { produce: () => clock.sleep(5_000).then(() => ({ code: 7 })) });
    const announced: string[] = [];
    const deadline = { ...client.options.deadline, failed: ({ message }: Error) => void announced.push(message) };
    const { error } = await produceBy({ ...client, options: { ...client.options, deadline } }, ['a'], { acks: 1 });
    expect(error?.message).toContain('REQUEST_TIMED_OUT');
    expect(announced).toEqual([]);
  });

  it('ends when an answer is lost, and names the records', async () => {
    const client = fakeClient(createVirtualClock(1), {
      produce({ before }) {
        // Not retryable, as a session judges what may have been carried out.
        if (before === 2) throw unreachableError('lost broker 1', { code: 'CONNECTION_LOST', retryable: false });
        return { base: before };
      },
    });
    const { error, text } = await produceBy(client, ['a', 'b', 'c', 'd'], { acks: 1 });
    expect(error?.message).toBe(
      'lost broker 1 (of 4 records read, 2 were acknowledged; 1 record of topic "foo" partition 0 after offset 1 may or may not have been written: line 3; line 4 was not written)',
    );
    expect(text).toBe('a@0 b@1');
  });
});
