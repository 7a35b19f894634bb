import { expect, test } from 'vitest';
import { usageError } from '../../../../src/errors.ts';
import type { BearerSasl } from '../../../../src/kafka/protocol/options.ts';
import type { BearerToken } from '../../../../src/net/bearer.ts';
import { authenticateAnswer, handshakeAnswer, metadataAnswer } from '../../../services/scripted-answers.ts';
import { type Arrival, startScriptedBroker } from '../../../services/scripted-broker.ts';
import { clientOf, firstFailure } from '../../../services/scripted-client.ts';

const SaslHandshake = handshakeAnswer(0, ['OAUTHBEARER']);
const Metadata = metadataAnswer({ brokers: [] });
const ok = authenticateAnswer(0, undefined);

/** A source of one token after the other, each until it is refused. */
function source(...texts: readonly string[]): BearerSasl {
  const tokens = texts.map((text): BearerToken => ({ text, expiresAt: undefined }));
  let at = 0;
  return {
    mechanism: 'OAUTHBEARER',
    extensions: [],
    tokens: {
      origin: 'test',
      clockSkewMs: () => undefined,
      get: async () => tokens[at] ?? { text: '', expiresAt: undefined },
      async renew(refused) {
        if (tokens[at]?.text === refused) at += 1;
        return tokens[at];
      },
    },
  };
}

/** The text of a message. */
function textOf({ body }: Arrival): string {
  return body.toString('utf8', 4);
}

/** The answer with which a broker refuses a token (RFC 7628 §3.2.2). */
function challenge(text: string): Buffer {
  return authenticateAnswer(0, undefined, 0n, Buffer.from(text));
}

test('the message has the token and the extensions', async () => {
  await using broker = await startScriptedBroker({ SaslHandshake, SaslAuthenticate: ok, Metadata });
  const sasl: BearerSasl = {
    ...source('abc.def'),
    extensions: [
      ['logicalCluster', 'lkc-1'],
      ['pool', 'p 2'],
    ],
  };
  await using client = clientOf([broker.address], {}, { sasl });
  await client.metadata([]);
  expect(broker.of('SaslAuthenticate').map(textOf)).toEqual([
    'n,,\x01auth=Bearer abc.def\x01logicalCluster=lkc-1\x01pool=p 2\x01\x01',
  ]);
});

test.each([
  ['{"status":"invalid_token"}', 'the broker refuses the token: invalid_token'],
  [
    '{"status":"insufficient_scope","scope":"kafka","openid-configuration":"https://i.example/c"}',
    'the broker refuses the token: insufficient_scope; it requires the scope kafka; its issuer is described at https://i.example/c',
  ],
  ['no\u001b[31m JSON', 'the broker refuses the token: no\\u001b[31m JSON'],
  ['your token is token-canary', 'the broker refuses the token: your token is ***'],
  [`{"status":"${'x'.repeat(20_000)}"}`, 'the broker refuses the token in 20013 bytes'],
  [`{"status":"${'x'.repeat(9_000)}"}`, `the broker refuses the token: ${'x'.repeat(269)}…`],
])('a broker that refuses a token is answered, and its reason told (%#)', async (text, reason) => {
  await using broker = await startScriptedBroker({
    SaslHandshake,
    SaslAuthenticate: [challenge(text), authenticateAnswer(58, text)],
  });
  const error = await firstFailure(broker, { sasl: source('token-canary') });
  expect(error).toMatchObject({ code: 'SASL_AUTHENTICATION_FAILED', exitCode: 4, retryable: false });
  expect(error.message).toBe(
    `unable to authenticate to broker 127.0.0.1:${broker.address.port}: SASL OAUTHBEARER: ${reason}`,
  );
  expect(broker.of('SaslAuthenticate').map(textOf)[1]).toBe('\x01');
  expect(JSON.stringify([error.message, error.hints, String(error.cause)])).not.toContain('token-canary');
});

test('a broker that may not get a token is sent nothing of it', async () => {
  await using broker = await startScriptedBroker({ SaslHandshake, SaslAuthenticate: ok, Metadata });
  const sasl = source('token-canary');
  const peers: unknown[] = [];
  const checkPeer = async (peer: unknown): Promise<void> => {
    peers.push(peer);
    throw usageError('not this one');
  };
  const error = await firstFailure(broker, { sasl: { ...sasl, tokens: { ...sasl.tokens, checkPeer } } });
  expect(error.message).toBe('not this one');
  expect(peers).toEqual([expect.objectContaining({ host: '127.0.0.1', tls: false })]);
  expect(broker.of('SaslHandshake')).toEqual([]);
});

test('a broker that refuses a token gets another one if there is one', async () => {
  await using broker = await startScriptedBroker({
    SaslHandshake,
    SaslAuthenticate: [authenticateAnswer(58, '{"status":"invalid_token"}'), ok],
    Metadata,
  });
  await using client = clientOf([broker.address], {}, { sasl: source('one', 'two') });
  await client.metadata([]);
  expect(broker.of('SaslAuthenticate').map(textOf)).toEqual([
    'n,,\x01auth=Bearer one\x01\x01',
    'n,,\x01auth=Bearer two\x01\x01',
  ]);
});

test('a token that expires the session of a lax broker at once is refused, unless there is another one', async () => {
  const expired = `e30.${Buffer.from('{"exp":1000}').toString('base64url')}.x`;
  await using broker = await startScriptedBroker({ SaslHandshake, SaslAuthenticate: ok, Metadata });
  const error = await firstFailure(broker, { sasl: source(expired) });
  expect(error).toMatchObject({ code: 'SASL_AUTHENTICATION_FAILED', exitCode: 4, retryable: false });
  expect(error.message).toMatch(/the broker accepts the token, but ends the session at once; it expired \S+ ago$/);
  await using client = clientOf([broker.address], {}, { sasl: source(expired, 'two') });
  await client.metadata([]);
  expect(broker.of('SaslAuthenticate').map(textOf).at(-1)).toContain('Bearer two');
});

test('a token that is too long for brokers is not sent', async () => {
  await using broker = await startScriptedBroker({ SaslHandshake });
  const error = await firstFailure(broker, { sasl: source('x'.repeat(262_145)) });
  expect(error).toMatchObject({ code: 'TOKEN_TOO_LARGE', exitCode: 4 });
  expect(broker.of('SaslHandshake')).toHaveLength(0);
});
