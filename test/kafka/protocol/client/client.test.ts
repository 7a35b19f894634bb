import { describe, expect, test } from 'vitest';
import { CliError } from '../../../../src/errors.ts';
import { kafkaError } from '../../../../src/kafka/protocol/errors.ts';
import type { KafkaOptions, PasswordSasl, RequestTrace } from '../../../../src/kafka/protocol/options.ts';
import { createTopics } from '../../../../src/kafka/protocol/wire/apis/create-topics.ts';
import { deleteTopics } from '../../../../src/kafka/protocol/wire/apis/delete-topics.ts';
import { findCoordinator } from '../../../../src/kafka/protocol/wire/apis/find-coordinator.ts';
import { listOffsets } from '../../../../src/kafka/protocol/wire/apis/list-offsets.ts';
import { metadata } from '../../../../src/kafka/protocol/wire/apis/metadata.ts';
import { noUuid } from '../../../../src/kafka/protocol/wire/primitives.ts';
import type { TlsOptions } from '../../../../src/net/tls.ts';
import { clientOf, deadlineOf, failureOf, type TestLimits } from '../../../services/scripted-client.ts';
import { services } from '../../../services/services.ts';

/** Asks a listener for the brokers. */
async function ask(address: string, options: Partial<KafkaOptions> = {}, limits: TestLimits = {}) {
  await using client = clientOf([address], limits, options);
  return await client.metadata([]);
}

/** The error of a single request to a listener. */
async function refusal(address: string, options: Partial<KafkaOptions> = {}): Promise<CliError> {
  return await failureOf(ask(address, options, { retry: 0 }));
}

function tls(changes: Partial<TlsOptions> = {}): TlsOptions {
  const { ca } = services().certificates;
  return { ca, cert: undefined, key: undefined, insecureSkipVerify: false, keyPrefix: 'tls', ...changes };
}

function sasl(changes: Partial<PasswordSasl> = {}): PasswordSasl {
  const { user, pass } = services().user;
  return { mechanism: 'SCRAM-SHA-256', username: user, password: pass, ...changes };
}

const mechanisms = ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'] as const;

describe('a real broker is reached', () => {
  test('without TLS and SASL', async () => {
    expect((await ask(services().plaintext)).brokers).toHaveLength(1);
  });

  test('over IPv6', async () => {
    const { ipv6 } = services();
    // Undefined on a machine without IPv6.
    if (ipv6 !== undefined) expect((await ask(ipv6)).brokers).toHaveLength(1);
  });

  test('over TLS with the CA that signed it', async () => {
    expect((await ask(services().tls, { tls: tls() })).brokers).toHaveLength(1);
  });

  test('over TLS without verification', async () => {
    await ask(services().tlsExpired, { tls: tls({ ca: undefined, insecureSkipVerify: true }) });
    await ask(services().tlsOtherHost, { tls: tls({ insecureSkipVerify: true }) });
  });

  test('over mTLS', async () => {
    const { client } = services().certificates;
    expect((await ask(services().mtls, { tls: tls(client) })).brokers).toHaveLength(1);
  });

  test.each(mechanisms)('with SASL %s, with and without TLS', async (mechanism) => {
    await ask(services().sasl, { sasl: sasl({ mechanism }) });
    await ask(services().saslTls, { sasl: sasl({ mechanism }), tls: tls() });
  });
});

describe('a refusal is reported so that a person can act on it', () => {
  test.each(mechanisms)('wrong password with %s', async (mechanism) => {
    const error = await refusal(services().sasl, { sasl: sasl({ mechanism, password: 'wr0ng-pass' }) });
    expect(error.message).toContain(`SASL ${mechanism} as user "${services().user.user}": SASL_AUTHENTICATION_FAILED`);
    expect(error).toMatchObject({ exitCode: 4, code: 'SASL_AUTHENTICATION_FAILED', retryable: false });
    expect(error.message + error.hints.join()).not.toContain('wr0ng-pass');
  });

  test('a mechanism that the listener does not offer', async () => {
    const error = await refusal(services().saslPlainOnly, { sasl: sasl() });
    expect(error.message).toContain('does not offer the SASL mechanism SCRAM-SHA-256');
    expect(error.hints.join()).toContain('use a mechanism that the broker offers (PLAIN)');
    expect(error.exitCode).toBe(4);
  });

  test('SASL to a listener without it', async () => {
    const error = await refusal(services().plaintext, { sasl: sasl() });
    expect(error.exitCode).toBe(4);
    expect(error.hints.join()).toContain('turn SASL off with "-X sasl.mechanism="');
  });

  test('no SASL to a listener with it', async () => {
    const error = await refusal(services().sasl);
    expect(error).toMatchObject({ exitCode: 5, code: 'CONNECTION_LOST' });
    expect(error.hints.join()).toContain('if the listener requires SASL');
  });

  test('the wrong CA', async () => {
    const error = await refusal(services().tls, { tls: tls({ ca: services().certificates.wrongCa }) });
    expect(error.message).toMatch(
      /: TLS: the certificate of the broker is (?:signed by a CA that is not trusted|not signed)/,
    );
    expect(error.hints.join()).toContain('-X tls.ca=FILE');
    expect(error).toMatchObject({ exitCode: 5, code: 'TLS_FAILED', retryable: false });
  });

  test('no CA at all', async () => {
    const error = await refusal(services().tls, { tls: tls({ ca: undefined }) });
    expect(error.message).toContain(': TLS: the certificate of the broker is ');
    expect(error.hints.join()).toContain('-X tls.ca=FILE');
  });

  test('an expired certificate', async () => {
    const error = await refusal(services().tlsExpired, { tls: tls() });
    expect(error.message).toContain(': TLS: the certificate of the broker has expired');
    expect(error.exitCode).toBe(5);
  });

  test('a certificate for another host', async () => {
    const error = await refusal(services().tlsOtherHost, { tls: tls() });
    expect(error.message).toContain(
      ': TLS: the certificate of the broker is valid for other.example, not for 127.0.0.1',
    );
  });

  test('a listener that wants a client certificate', async () => {
    const error = await refusal(services().mtls, { tls: tls() });
    expect(error.message).toContain(': TLS: the broker needs a client certificate');
    expect(error.hints.join()).toContain('-X tls.cert=FILE -X tls.key=FILE');
    expect(error).toMatchObject({ exitCode: 5, retryable: false });
  });

  test('a client certificate that the broker does not trust', async () => {
    const error = await refusal(services().mtls, { tls: tls(services().certificates.wrongClient) });
    expect(error.message).toContain(': TLS: the broker ');
    expect(error.exitCode).toBe(5);
  });

  test('TLS to a plaintext listener', async () => {
    const error = await refusal(services().plaintext, { tls: tls() });
    expect(error.message).toContain(': TLS: the broker ');
    expect(error.hints.join()).toContain('-X tls.enabled=false');
    expect(error.code).toBe('TLS_FAILED');
  });

  test('plaintext to a TLS listener', async () => {
    const error = await refusal(services().tls);
    expect(error.exitCode).toBe(5);
    expect(error.hints.join()).toContain('-X tls.enabled=true');
  });

  test('a listener that is advertised and cannot be reached', async () => {
    const { badlyAdvertised, badlyAdvertisedAs } = services();
    await using client = clientOf([badlyAdvertised], { retry: 0 });
    const error = await failureOf(client.request(metadata, { topics: [] }, 'controller'));
    expect(error.message).toContain(`broker 1 advertises the listener ${badlyAdvertisedAs}`);
    expect(error.message).toContain(`according to seed broker ${badlyAdvertised}`);
    expect(error.hints.join()).toContain('advertised.listeners of broker 1');
    expect(error).toMatchObject({ exitCode: 5, target: badlyAdvertisedAs });
  });
});

describe('requests', () => {
  test('go to the controller, a node, a coordinator, over one connection', async () => {
    const traced: RequestTrace[] = [];
    await using client = clientOf([services().plaintext], {}, { trace: (event) => traced.push(event) });
    const topic = `client-${process.pid}`;
    const topics = [{ name: topic, numPartitions: 2, replicationFactor: 1, configs: [] }];
    await client.request(createTopics, { topics, timeoutMs: 5_000, validateOnly: false }, 'controller');
    const question = { partitionIndex: 0, timestamp: -1n };
    const request = { topics: [{ name: topic, partitions: [question] }] };
    // A new topic has no leader for a moment.
    const offset = await client.retry('the log end', async () => {
      const answer = await client.request(listOffsets, request, { node: 1 });
      const [found] = answer.topics[0]?.partitions ?? [];
      if (found?.errorCode !== 0) throw kafkaError(found?.errorCode ?? -1, 'no leader yet', { retryable: true });
      return found.offset;
    });
    expect(offset).toBe(0n);
    const group = await client.request(findCoordinator, { keyType: 0, coordinatorKeys: ['g'] }, { group: 'g' });
    expect(group.coordinators[0]?.nodeId).toBe(1);
    await client.request(deleteTopics, { topics: [{ name: topic, topicId: noUuid }], timeoutMs: 5_000 }, 'controller');
    expect(traced.filter(({ api }) => api === 'ApiVersions')).toHaveLength(1);
  });

  test('of a listing are one: all metadata in one answer', async () => {
    const traced: string[] = [];
    await using client = clientOf([services().plaintext], {}, { trace: ({ api }) => traced.push(api) });
    await client.metadata('all');
    expect(traced).toEqual(['ApiVersions', 'Metadata']);
  });

  test('over a dedicated connection are answered in order, several in flight', async () => {
    await using client = clientOf([services().plaintext]);
    const connection = await client.dedicated(1);
    expect(connection.nodeId).toBe(1);
    const ended: number[] = [];
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const answer = await connection.send(metadata, { topics: [] });
        ended.push(index);
        return answer;
      }),
    );
    expect(ended).toEqual(Array.from({ length: 20 }, (_, index) => index));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    connection.destroy();
    await expect(connection.send(metadata, { topics: [] })).rejects.toBeInstanceOf(CliError);
  });

  test('reach the cluster even if the first seed brokers are dead', async () => {
    const pauses: Error[] = [];
    const deadline = deadlineOf({}, undefined, (error) => void pauses.push(error));
    await using client = clientOf(['127.0.0.1:1', '127.0.0.1:2', services().plaintext], {}, { deadline });
    await client.metadata([]);
    // At once: no pause of the retry rule between seeds.
    expect(pauses).toEqual([]);
  });
});
