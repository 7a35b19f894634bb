import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import type { DialLink } from '../../../../src/kafka/protocol/transport/link.ts';
import { openWire, type Wire, type WireRequest } from '../../../../src/kafka/protocol/transport/wire.ts';
import { metadataAnswer } from '../../../services/scripted-answers.ts';
import type { Script } from '../../../services/scripted-broker.ts';
import { scriptedLinks } from '../../../services/scripted-link.ts';
import { createVirtualClock } from '../../../simulation/virtual-clock.ts';

const metadata = { apiKey: 3, apiVersion: 9 };
const answer = metadataAnswer({ brokers: [] });

/** A wire in virtual time, and the outcomes of its requests, in order. */
async function started(script: Script = {}) {
  const clock = createVirtualClock();
  const links = scriptedLinks(script);
  const controller = new AbortController();
  const open = (dial: DialLink = links.dial): Promise<Wire> =>
    openWire({
      dial,
      address: { host: 'b', port: 9092 },
      peer: { broker: 'broker b', host: 'b', tls: false },
      clientId: 'c',
      tls: undefined,
      clock,
      dialMs: 1_000,
      dialTimeoutError: () => new Error('no connection'),
      signal: controller.signal,
      allocate: undefined,
    });
  const wire = await open();
  const ended: string[] = [];
  const send = (name: string, more: Partial<WireRequest> = {}): void => {
    const request = { ...metadata, body: [], expectsAnswer: true, waitMs: 100, onWrite: () => undefined };
    wire.send({ ...request, timeoutError: () => new Error('no answer'), ...more }).then(
      () => ended.push(`${name} answered at ${clock.now()}`),
      (error: Error) => ended.push(`${name} ${error.message} at ${clock.now()}`),
    );
  };
  return { clock, links, controller, open, wire, ended, send };
}

test('all requests are sent at once and leave no timer', async () => {
  const { clock, links, ended, send } = await started({ Metadata: answer });
  for (const name of ['a', 'b', 'c']) send(name);
  expect(links.of('Metadata').map(({ correlationId }) => correlationId)).toEqual([0, 1, 2]);
  await clock.runFor(0);
  expect(ended).toEqual(['a answered at 0', 'b answered at 0', 'c answered at 0']);
  expect(clock.pending).toBe(0);
});

test('a request ends after exactly its limit; its late answer changes nothing for the next', async () => {
  const { clock, ended, send } = await started({ Metadata: [150, 180].map((afterMs) => ({ answer, afterMs })) });
  send('a');
  send('b', { waitMs: 200 });
  await clock.runFor(1_000);
  expect(ended).toEqual(['a no answer at 100', 'b answered at 180']);
  expect(clock.pending).toBe(0);
});

test('an answer that arrives at the limit itself is not late', async () => {
  const { clock, ended, send } = await started({ Metadata: { answer, afterMs: 100 } });
  send('a');
  await clock.runFor(1_000);
  expect(ended).toEqual(['a answered at 100']);
});

test('a throttle delays requests in order, with one timer, and does not count as waiting', async () => {
  const { clock, links, wire, ended, send } = await started({ Metadata: { answer, afterMs: 90 } });
  wire.throttle(500);
  wire.throttle(200);
  send('a');
  send('b');
  expect(clock.pending).toBe(1);
  await clock.runFor(499);
  send('c');
  expect(links.journal).toEqual([]);
  await clock.runFor(1);
  expect(links.journal.map(({ correlationId, after }) => [correlationId, after])).toEqual([
    [0, 500],
    [1, 500],
    [2, 500],
  ]);
  await clock.runFor(1_000);
  expect(ended).toEqual(['a answered at 590', 'b answered at 590', 'c answered at 590']);
});

test('a request does not overtake delayed ones, and a throttle of days delays it for at most a minute', async () => {
  const { clock, links, wire, send } = await started({ Metadata: answer });
  wire.throttle(2_147_483_647);
  send('a');
  await clock.runFor(59_999);
  expect(links.journal).toEqual([]);
  send('b');
  await clock.runFor(1);
  expect(links.journal.map(({ correlationId }) => correlationId)).toEqual([0, 1]);
});

test('requests in flight and delayed requests end together, and leave no timer', async () => {
  const { clock, wire, ended, send } = await started();
  send('a');
  wire.throttle(500);
  send('b');
  expect(wire.waiting).toBe(2);
  wire.destroy(new Error('closed'));
  wire.destroy(new Error('closed again'));
  expect(clock.pending).toBe(0);
  await clock.runFor(1_000);
  expect(ended).toEqual(['a closed at 0', 'b closed at 0']);
  expect(wire.waiting).toBe(0);
});

test('the signal ends a wire; thousands of ended wires leave no listener on it', async () => {
  const { clock, controller, open, wire, ended, send } = await started({ Metadata: 'drop' });
  for (let count = 0; count < 3_000; count += 1) (await open()).destroy(new Error('over'));
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1);
  controller.abort(new Error('interrupted'));
  expect(wire.ended?.message).toBe('interrupted');
  send('a');
  await clock.runFor(0);
  expect(ended).toEqual(['a interrupted at 0']);
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
});

test('a link that ended during the handover gets no listeners', async () => {
  const { controller, open } = await started();
  const wire = await open(async (options) => {
    options.onEnd(new Error('closed at once'));
    return { send: () => undefined, afterArrivals: (call) => call(), destroy: () => undefined };
  });
  expect(wire.ended?.message).toBe('closed at once');
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1);
});

test.each([
  ['its limit has passed', false],
  ['the wire was destroyed', true],
])('bytes that are written after %s start no timer', async (_, isDestroyed) => {
  const { clock, open } = await started();
  const written: (() => void)[] = [];
  const wire = await open(async () => ({
    send: (_pieces, onWritten) => void written.push(onWritten),
    afterArrivals: (call) => call(),
    destroy: () => undefined,
  }));
  const request = { ...metadata, body: [], expectsAnswer: true, waitMs: 100, onWrite: () => undefined };
  const outcome = wire.send({ ...request, timeoutError: () => new Error('no answer') }).catch(({ message }) => message);
  if (isDestroyed) wire.destroy(new Error('closed'));
  await clock.runFor(100);
  written[0]?.();
  expect(clock.pending).toBe(0);
  expect(await outcome).toBe(isDestroyed ? 'closed' : 'no answer');
});

test('thousands of requests over one wire leave no memory in use', async () => {
  const { clock, controller, wire, ended, send } = await started({ Metadata: () => answer });
  for (let count = 0; count < 3_000; count += 1) {
    send('a');
    if (count % 10 === 0) await clock.runFor(0);
  }
  await clock.runFor(0);
  expect(ended).toHaveLength(3_000);
  expect([wire.waiting, clock.pending, getEventListeners(controller.signal, 'abort').length]).toEqual([0, 0, 1]);
});
