import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { unreachableError } from '../../../../src/errors.ts';
import type { DialLink } from '../../../../src/kafka/protocol/transport/link.ts';
import { openWire, type Wire } from '../../../../src/kafka/protocol/transport/wire.ts';
import { metadataAnswer } from '../../../services/scripted-answers.ts';
import type { Script } from '../../../services/scripted-broker.ts';
import { deadlineOf } from '../../../services/scripted-client.ts';
import { scriptedLinks } from '../../../services/scripted-link.ts';
import { createVirtualClock } from '../../../simulation/virtual-clock.ts';
import { bytesApi } from './bytes-api.ts';

const none = Buffer.alloc(0);
const answer = metadataAnswer({ brokers: [] });

/** A wire in virtual time, and the outcomes of its requests, in order. */
async function started(script: Script = {}) {
  const clock = createVirtualClock();
  const links = scriptedLinks({ ListGroups: answer, ...script });
  const controller = new AbortController();
  const deadline = deadlineOf({ overhead: 100, command: 100_000_000 }, clock);
  // Only the timers of the wire count.
  deadline.dispose();
  const open = (dial: DialLink = links.dial): Promise<Wire> =>
    openWire({
      dial,
      address: { host: 'b', port: 9092 },
      peer: { broker: 'broker b', host: 'b', tls: false },
      clientId: 'c',
      tls: undefined,
      deadline,
      signal: controller.signal,
      allocate: undefined,
      trace: undefined,
      earlyCut: (error) => error,
      onServed: () => undefined,
    });
  const wire = await open();
  const ended: string[] = [];
  const send = (name: string, insideMs = 0, on = wire): void => {
    on.send(bytesApi({ name: 'Metadata', key: 3, timeoutMs: () => insideMs }), none, 9).then(
      () => ended.push(`${name} answered at ${clock.now()}`),
      ({ message }: Error) => ended.push(`${name} ${message.replace(/^.*(timed out).*$/, '$1')} at ${clock.now()}`),
    );
  };
  /** The broker asks to pause in its answer to another request. */
  const throttle = async (milliseconds: number): Promise<void> => {
    await wire.send(bytesApi({ throttleMs: () => milliseconds }), none, 4);
  };
  return { clock, links, controller, open, wire, ended, send, throttle };
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
  send('b', 100);
  await clock.runFor(1_000);
  expect(ended).toEqual(['a timed out at 100', 'b answered at 180']);
  expect(clock.pending).toBe(0);
});

test('an answer that arrives at the limit itself is not late', async () => {
  const { clock, ended, send } = await started({ Metadata: { answer, afterMs: 100 } });
  send('a');
  await clock.runFor(1_000);
  expect(ended).toEqual(['a answered at 100']);
});

test('a throttle delays requests in order, with one timer, and does not count as waiting', async () => {
  const { clock, links, ended, send, throttle } = await started({ Metadata: { answer, afterMs: 90 } });
  await Promise.all([throttle(500), throttle(200)]);
  send('a');
  send('b');
  expect(clock.pending).toBe(1);
  await clock.runFor(499);
  send('c');
  expect(links.of('Metadata')).toEqual([]);
  await clock.runFor(1);
  expect(links.of('Metadata').map(({ correlationId, after }) => [correlationId, after])).toEqual([
    [2, 500],
    [3, 500],
    [4, 500],
  ]);
  await clock.runFor(1_000);
  expect(ended).toEqual(['a answered at 590', 'b answered at 590', 'c answered at 590']);
});

test('a request does not overtake delayed ones, and a throttle of days delays it for at most a minute', async () => {
  const { clock, links, send, throttle } = await started({ Metadata: answer });
  await throttle(2_147_483_647);
  send('a');
  await clock.runFor(59_999);
  expect(links.of('Metadata')).toEqual([]);
  send('b');
  await clock.runFor(1);
  expect(links.of('Metadata').map(({ correlationId }) => correlationId)).toEqual([1, 2]);
});

test('requests in flight and delayed requests end together, and leave no timer', async () => {
  const { clock, wire, ended, send, throttle } = await started();
  send('a');
  await throttle(500);
  send('b');
  wire.destroy(unreachableError('closed'));
  wire.destroy(unreachableError('closed again'));
  expect(clock.pending).toBe(0);
  await clock.runFor(1_000);
  expect(ended).toEqual(['a closed at 0', 'b closed at 0']);
});

test('the signal ends a wire; thousands of ended wires leave no listener on it', async () => {
  const { clock, controller, open, wire, ended, send } = await started({ Metadata: 'drop' });
  for (let count = 0; count < 3_000; count += 1) (await open()).destroy(unreachableError('over'));
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1);
  controller.abort(unreachableError('interrupted'));
  expect(wire.usable).toBe(false);
  send('a');
  await clock.runFor(0);
  expect(ended).toEqual(['a interrupted at 0']);
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
});

test('a link that ended during the handover gets no listeners', async () => {
  const { clock, controller, open, send, ended } = await started();
  const wire = await open(async (options) => {
    options.onEnd(unreachableError('closed at once'));
    return { send: () => undefined, afterArrivals: (call) => call(), destroy: () => undefined };
  });
  send('a', 0, wire);
  await clock.runFor(0);
  expect(ended).toEqual(['a closed at once at 0']);
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1);
});

test.each([
  ['its limit has passed', false],
  ['the wire was destroyed', true],
])('bytes that are written after %s start no timer', async (_, isDestroyed) => {
  const { clock, open, send, ended } = await started();
  const written: (() => void)[] = [];
  const wire = await open(async () => ({
    send: (_pieces, onWritten) => void written.push(onWritten),
    afterArrivals: (call) => call(),
    destroy: () => undefined,
  }));
  send('a', 0, wire);
  if (isDestroyed) wire.destroy(unreachableError('closed'));
  await clock.runFor(100);
  written[0]?.();
  expect(clock.pending).toBe(0);
  await clock.runFor(0);
  expect(ended).toEqual([isDestroyed ? 'a closed at 0' : 'a timed out at 100']);
});

test('thousands of requests over one wire leave no memory in use', async () => {
  const { clock, controller, ended, send } = await started({ Metadata: () => answer });
  for (let count = 0; count < 3_000; count += 1) {
    send('a');
    if (count % 10 === 0) await clock.runFor(0);
  }
  await clock.runFor(0);
  expect(ended).toHaveLength(3_000);
  expect([clock.pending, getEventListeners(controller.signal, 'abort').length]).toEqual([0, 1]);
});
