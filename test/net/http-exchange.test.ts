import { describe, expect, test } from 'vitest';
import { createExchange, type ExchangeOptions } from '../../src/net/http-exchange.ts';
import { deadlineOf } from '../services/scripted-client.ts';
import { createVirtualClock } from '../simulation/virtual-clock.ts';

/** An exchange with a limit of 100 ms in virtual time, driven as the HTTP parser drives it. */
function started(limit: ExchangeOptions['limit']) {
  const clock = createVirtualClock();
  const deadline = deadlineOf({ overhead: 100, command: 3_600_000 }, clock);
  const events: string[] = [];
  const aborts: string[] = [];
  const reader = { written: Promise.withResolvers<void>() };
  const exchange = createExchange({
    what: 'GET http://h/x',
    deadline,
    limit,
    receiver: {
      head: ({ status }) => events.push(`${status}`),
      data: () => reader.written.promise,
      end: () => events.push(`end at ${clock.now()}`),
      fail: ({ message }) => events.push(`${message} at ${clock.now()}`),
    },
  });
  const controller = {
    abort: ({ message }: Error) => aborts.push(message),
    pause: () => events.push('pause'),
    resume: () => events.push(`resume at ${clock.now()}`),
  };
  exchange.handler.onRequestStart(controller);
  exchange.handler.onRequestSent();
  return { clock, deadline, events, aborts, reader, controller, handler: exchange.handler };
}

describe('the limit of an exchange', () => {
  test('does not count while the reader of a piece is busy, and counts anew after that', async () => {
    const { clock, events, reader, controller, handler } = started('pieces');
    handler.onResponseStart(controller, 200, {});
    handler.onResponseData(controller, Buffer.from('a'));
    await clock.runFor(5_000);
    expect(events).toEqual(['200', 'pause']);
    reader.written.resolve();
    await clock.runFor(99);
    expect(events.slice(2)).toEqual(['resume at 5000']);
    await clock.runFor(1);
    expect(events.slice(3)).toEqual([
      'GET http://h/x: the response stalled for 100ms (globals.request_timeout_overhead=100ms) at 5100',
    ]);
  });

  test.each(['whole', 'pieces'] as const)(
    'goes on at an interim answer, which is not the answer (%s)',
    async (limit) => {
      const { clock, deadline, events, controller, handler } = started(limit);
      await clock.runFor(60);
      handler.onResponseStart(controller, 103, {});
      handler.onResponseStart(controller, 199, {});
      await clock.runFor(40);
      expect(events).toEqual(['GET http://h/x timed out after 100ms (globals.request_timeout_overhead=100ms) at 100']);
      deadline.dispose();
      expect(clock.pending).toBe(0);
    },
  );

  test('is over with the answer', async () => {
    const { clock, events, controller, handler } = started('whole');
    handler.onResponseStart(controller, 100, {});
    handler.onResponseStart(controller, 200, {});
    handler.onResponseEnd();
    await clock.runFor(1_000);
    expect(events).toEqual(['200', 'end at 0']);
  });

  test('ends once, whatever arrives afterwards', async () => {
    const { deadline, events, controller, handler } = started('whole');
    handler.onResponseStart(controller, 200, {});
    handler.onResponseEnd();
    handler.onResponseData(controller, Buffer.from('late'));
    handler.onResponseError(controller, new Error('late'));
    handler.onResponseEnd();
    deadline.abort(new Error('too late'));
    expect(events).toEqual(['200', 'end at 0']);
  });

  test('ends once when it is aborted, and its connection is told', () => {
    const { deadline, events, aborts, controller, handler } = started('whole');
    deadline.abort(new Error('interrupted'));
    handler.onResponseStart(controller, 200, {});
    handler.onResponseData(controller, Buffer.from('late'));
    handler.onResponseEnd();
    handler.onResponseError(controller, new Error('aborted'));
    expect({ events, aborts }).toEqual({ events: ['interrupted at 0'], aborts: ['interrupted'] });
  });
});

describe('an exchange ends once', () => {
  test('with the response, whatever is reported after that', () => {
    const { deadline, events, controller, handler } = started('whole');
    handler.onResponseStart(controller, 200, {});
    handler.onResponseEnd();
    handler.onResponseEnd();
    handler.onResponseError(controller, new Error('too late'));
    deadline.dispose();
    expect(events).toEqual(['200', 'end at 0']);
  });

  test('with an error, whatever is reported after that', () => {
    const { events, controller, handler } = started('whole');
    handler.onResponseError(controller, Object.assign(new Error('read'), { code: 'ECONNRESET' }));
    handler.onResponseStart(controller, 200, {});
    handler.onResponseEnd();
    handler.onResponseError(controller, new Error('too late'));
    expect(events).toEqual(['lost the connection during GET http://h/x: connection reset at 0']);
  });
});
