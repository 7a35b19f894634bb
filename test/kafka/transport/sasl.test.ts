import { describe, expect, test } from 'vitest';
import type { SaslOptions } from '../../../src/kafka/kafka.ts';
import {
  authenticateAnswer,
  handshakeAnswer,
  metadataAnswer,
  versionsAnswer,
} from '../../services/scripted-answers.ts';
import { startScriptedBroker } from '../../services/scripted-broker.ts';
import { clientOf, deadlineOf, failureOf, firstFailure } from '../../services/scripted-client.ts';
import { scriptedLinks } from '../../services/scripted-link.ts';
import { createVirtualClock } from '../../simulation/virtual-clock.ts';

const noBrokers = metadataAnswer({ brokers: [] });

describe('SASL', () => {
  const sasl: SaslOptions = { mechanism: 'PLAIN', username: 'alice', password: 'hunter2' };

  test('names mechanism and user, never the password, when the broker refuses', async () => {
    await using broker = await startScriptedBroker({
      SaslHandshake: handshakeAnswer(0, ['PLAIN']),
      SaslAuthenticate: authenticateAnswer(58, 'Authentication failed: Invalid username or password'),
    });
    const error = await firstFailure(broker, { sasl });
    expect(error.message).toBe(
      `unable to authenticate to broker 127.0.0.1:${broker.address.port}: SASL PLAIN as user "alice": SASL_AUTHENTICATION_FAILED (58): Authentication failed: Invalid username or password`,
    );
    expect(error.exitCode).toBe(4);
    expect(JSON.stringify([error.message, error.hints, String(error.cause)])).not.toContain('hunter2');
    // Neither a second attempt nor another seed broker with the same wrong password.
    expect(broker.of('SaslAuthenticate')).toHaveLength(1);
  });

  test('lists what the broker offers when the mechanism is not enabled', async () => {
    await using broker = await startScriptedBroker({ SaslHandshake: handshakeAnswer(33, ['SCRAM-SHA-512', 'GSSAPI']) });
    const error = await firstFailure(broker, { sasl });
    expect(error.message).toContain('does not offer the SASL mechanism PLAIN');
    expect(error.hints).toEqual([
      'use a mechanism that the broker offers (GSSAPI, SCRAM-SHA-512): -X sasl.mechanism=SCRAM-SHA-512',
    ]);
    expect(error.exitCode).toBe(4);
  });

  test('suggests no mechanism when weir supports none that the broker offers', async () => {
    await using broker = await startScriptedBroker({ SaslHandshake: handshakeAnswer(33, ['OAUTHBEARER', 'GSSAPI']) });
    const error = await firstFailure(broker, { sasl });
    expect(error.hints).toEqual([
      'use a listener that offers PLAIN, SCRAM-SHA-256, SCRAM-SHA-512 (the broker offers GSSAPI, OAUTHBEARER)',
    ]);
  });

  test.each([
    ['refuses the handshake', { SaslHandshake: handshakeAnswer(34, []) }, 'SASL: ILLEGAL_SASL_STATE (34): '],
    ['does not know the handshake', { ApiVersions: versionsAnswer([[17, 0, -1]]) }, ''],
  ])('says that a listener that %s does not use SASL', async (_, script, reason) => {
    await using broker = await startScriptedBroker(script);
    const error = await firstFailure(broker, { sasl: { ...sasl, turnOff: 'leave out -X user' } });
    expect(error).toMatchObject({ exitCode: 4, code: 'ILLEGAL_SASL_STATE' });
    expect(error.message).toBe(
      `unable to authenticate to broker 127.0.0.1:${broker.address.port}: ${reason}this listener does not use SASL`,
    );
    expect(error.hints).toEqual(['leave out -X user', 'or use the port of a listener that uses SASL']);
  });

  test('that the broker cuts off is retried on a new connection', async () => {
    await using broker = await startScriptedBroker({
      SaslHandshake: handshakeAnswer(0, ['PLAIN']),
      SaslAuthenticate: ['drop', authenticateAnswer(0, undefined)],
      Metadata: noBrokers,
    });
    await using client = clientOf([broker.address], {}, { sasl });
    await client.metadata([]);
    expect(broker.connections).toBe(2);
  });

  test('with an invalid answer is an authentication error, not a crash', async () => {
    await using broker = await startScriptedBroker({
      SaslHandshake: handshakeAnswer(0, ['SCRAM-SHA-256']),
      SaslAuthenticate: authenticateAnswer(0, undefined),
    });
    const error = await firstFailure(broker, { sasl: { ...sasl, mechanism: 'SCRAM-SHA-256' } });
    expect(error).toMatchObject({ code: 'SASL_AUTHENTICATION_FAILED', exitCode: 4 });
  });

  test('that one seed broker refuses is not tried on the next', async () => {
    const links = scriptedLinks({
      SaslHandshake: handshakeAnswer(0, ['PLAIN']),
      SaslAuthenticate: authenticateAnswer(58, 'Authentication failed'),
    });
    await using client = clientOf(['one:9092', 'two:9092'], {}, { sasl, dial: links.dial });
    expect(await failureOf(client.metadata([]))).toMatchObject({ code: 'SASL_AUTHENTICATION_FAILED', exitCode: 4 });
    expect(links.of('SaslAuthenticate').map(({ address }) => address)).toEqual(['one']);
  });
});

describe('a SASL session of a minute', () => {
  const sasl: SaslOptions = { mechanism: 'PLAIN', username: 'alice', password: 'hunter2' };

  /** When each request of an API arrived, on the clock. */
  async function started() {
    const clock = createVirtualClock();
    const links = scriptedLinks({
      SaslHandshake: handshakeAnswer(0, ['PLAIN']),
      SaslAuthenticate: authenticateAnswer(0, undefined, 60_000n),
      Metadata: noBrokers,
    });
    const deadline = deadlineOf({ command: 3_600_000 }, clock);
    const client = clientOf(['b:9092'], {}, { sasl, dial: links.dial, deadline });
    await client.metadata([]);
    const arrivals = (api: string): readonly number[] => links.of(api).map(({ after }) => after);
    return { clock, links, client, arrivals };
  }

  test('is renewed once, before the first request after 85 % of it', async () => {
    const { clock, links, client, arrivals } = await started();
    await clock.runFor(50_999);
    await client.metadata([]);
    expect(arrivals('SaslAuthenticate')).toEqual([0]);
    await clock.runFor(1);
    await Promise.all([client.metadata([]), client.metadata([])]);
    expect(arrivals('SaslAuthenticate')).toEqual([0, 51_000]);
    expect(links.journal.slice(-4).map(({ api }) => api)).toEqual([
      'SaslHandshake',
      'SaslAuthenticate',
      'Metadata',
      'Metadata',
    ]);
    expect(links.connections).toBe(1);
    client.close();
  });

  test('is renewed repeatedly', async () => {
    const { clock, client, arrivals } = await started();
    for (let minute = 0; minute < 5; minute += 1) {
      await clock.runFor(55_000);
      await client.metadata([]);
    }
    expect(arrivals('SaslAuthenticate')).toEqual([0, 55_000, 110_000, 165_000, 220_000, 275_000]);
    client.close();
  });
});
