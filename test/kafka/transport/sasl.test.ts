import { describe, expect, test } from 'vitest';
import type { SaslOptions } from '../../../src/kafka/kafka.ts';
import { authenticateAnswer, handshakeAnswer, metadataAnswer } from '../../services/scripted-answers.ts';
import { startScriptedBroker } from '../../services/scripted-broker.ts';
import { clientOf, firstFailure } from '../../services/scripted-client.ts';

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
    // Neither a second try nor another seed broker with the same wrong password.
    expect(broker.of('SaslAuthenticate')).toHaveLength(1);
  });

  test('lists what the broker offers when the mechanism is not enabled', async () => {
    await using broker = await startScriptedBroker({ SaslHandshake: handshakeAnswer(33, ['SCRAM-SHA-512', 'GSSAPI']) });
    const error = await firstFailure(broker, { sasl });
    expect(error.message).toContain('does not offer the SASL mechanism PLAIN');
    expect(error.hints.join()).toContain('it offers GSSAPI, SCRAM-SHA-512');
    expect(error.exitCode).toBe(4);
  });

  test('on a listener without SASL is said to be out of place', async () => {
    await using broker = await startScriptedBroker({ SaslHandshake: handshakeAnswer(34, []) });
    const error = await firstFailure(broker, { sasl });
    expect(error.exitCode).toBe(4);
    expect(error.hints.join()).toContain('leave sasl.mechanism empty');
  });

  test('that the broker cuts off is tried again on a new connection', async () => {
    await using broker = await startScriptedBroker({
      SaslHandshake: handshakeAnswer(0, ['PLAIN']),
      SaslAuthenticate: ['drop', authenticateAnswer(0, undefined)],
      Metadata: noBrokers,
    });
    await using client = clientOf([broker.address], {}, { sasl });
    await client.metadata([]);
    expect(broker.connections).toBe(2);
  });

  test('with an answer that is nonsense fails as authentication, not as a crash', async () => {
    await using broker = await startScriptedBroker({
      SaslHandshake: handshakeAnswer(0, ['SCRAM-SHA-256']),
      SaslAuthenticate: authenticateAnswer(0, undefined),
    });
    const error = await firstFailure(broker, { sasl: { ...sasl, mechanism: 'SCRAM-SHA-256' } });
    expect(error).toMatchObject({ code: 'SASL_AUTHENTICATION_FAILED', exitCode: 4 });
  });

  test('is renewed before the broker ends the session', async () => {
    await using broker = await startScriptedBroker({
      SaslHandshake: handshakeAnswer(0, ['PLAIN']),
      SaslAuthenticate: [authenticateAnswer(0, undefined, 20n), authenticateAnswer(0, undefined, 3_600_000n)],
      Metadata: noBrokers,
    });
    await using client = clientOf([broker.address], {}, { sasl });
    await client.metadata([]);
    await new Promise((resolve) => setTimeout(resolve, 30));
    await Promise.all([client.metadata([]), client.metadata([])]);
    expect(broker.of('SaslAuthenticate')).toHaveLength(2);
    expect(broker.connections).toBe(1);
  });
});
