import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import plain from 'kafkajs/src/broker/saslAuthenticator/plain.js';
import scram256 from 'kafkajs/src/broker/saslAuthenticator/scram256.js';
import scram512 from 'kafkajs/src/broker/saslAuthenticator/scram512.js';
import Connection from 'kafkajs/src/network/connection.js';
import RequestQueue from 'kafkajs/src/network/requestQueue/index.js';
import { describe, expect, test } from 'vitest';
import { silentLogger } from '../../../src/kafka/transport/logger.ts';

const require = createRequire(import.meta.url);

// weir extends classes of kafkajs that are not its public interface; this is what it relies on.
describe('the pinned internals of kafkajs', () => {
  test('are those of version 2.2.4, exactly', () => {
    expect(require('kafkajs/package.json').version).toBe('2.2.4');
    const { dependencies } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
    expect(dependencies.kafkajs).toBe('2.2.4');
  });

  test('Connection has the methods that Wire calls and overrides', () => {
    for (const method of ['connect', 'disconnect', 'isConnected', 'nextCorrelationId', 'rejectRequests'] as const) {
      expect(Connection.prototype[method], method).toBeTypeOf('function');
    }
  });

  test('Connection keeps what Wire replaces in fields of these names', () => {
    const socketFactory = () => expect.unreachable();
    const connection = new Connection({
      host: 'h',
      port: 1,
      clientId: 'c',
      logger: silentLogger,
      socketFactory,
      requestTimeout: 0,
      connectionTimeout: 1,
      enforceRequestTimeout: false,
    });
    expect(connection).toMatchObject({ connectionStatus: 'disconnected', correlationId: 0, host: 'h', port: 1 });
    expect(connection.requestQueue).toBeInstanceOf(RequestQueue);
    expect(connection.isConnected()).toBe(false);
    expect([connection.nextCorrelationId(), connection.nextCorrelationId()]).toEqual([0, 1]);
  });

  test('RequestQueue sends at once, matches answers by correlation id, and rejects all', async () => {
    const queue = new RequestQueue({
      maxInFlightRequests: null,
      requestTimeout: 0,
      enforceRequestTimeout: false,
      clientId: 'c',
      broker: 'b',
      logger: silentLogger,
      isConnected: () => true,
    });
    // It would arm a timer with a negative delay, of which Node warns: what ExactQueue is there for.
    queue.scheduleCheckPendingRequests = () => undefined;
    const sent: number[] = [];
    const push = (correlationId: number) =>
      new Promise((resolve, reject) => {
        queue.push({
          entry: { apiKey: 3, apiName: 'Metadata', apiVersion: 9, correlationId, resolve, reject },
          expectResponse: true,
          requestTimeout: null,
          sendRequest: () => sent.push(correlationId),
        });
      });
    const answers = [push(0), push(1), push(2)];
    expect(sent).toEqual([0, 1, 2]);
    expect([...queue.inflight.keys()]).toEqual([0, 1, 2]);
    queue.fulfillRequest({ correlationId: 1, size: 4, payload: Buffer.from('one') });
    expect(await answers[1]).toMatchObject({ payload: Buffer.from('one') });
    queue.rejectAll(new Error('over'));
    await expect(answers[0]).rejects.toThrow('over');
    await expect(answers[2]).rejects.toThrow('over');
    queue.destroy();
  });

  test.each([
    ['PLAIN', plain, '\0u\0p'],
    ['SCRAM-SHA-256', scram256, 'n,,n=u,r='],
    ['SCRAM-SHA-512', scram512, 'n,,n=u,r='],
  ])('%s hands its messages over with an int32 length', async (_mechanism, provider, start) => {
    const messages: Buffer[] = [];
    const authenticator = provider({ username: 'u', password: 'p' })({
      host: 'h',
      port: 1,
      logger: silentLogger,
      async saslAuthenticate({ request }) {
        messages.push(await request.encode());
        throw new Error('enough');
      },
    });
    await expect(authenticator.authenticate()).rejects.toThrow('enough');
    const [first] = messages;
    expect(first?.readInt32BE(0)).toBe((first?.length ?? 0) - 4);
    expect(first?.toString('utf8', 4)).toContain(start);
  });
});
