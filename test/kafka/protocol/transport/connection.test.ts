import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { RequestTrace } from '../../../../src/kafka/protocol/options.ts';
import { dialError } from '../../../../src/kafka/protocol/transport/connect-error.ts';
import { brokerName } from '../../../../src/kafka/protocol/transport/connection.ts';
import { metadata } from '../../../../src/kafka/protocol/wire/apis/metadata.ts';
import { deadAddress } from '../../../services/dead-address.ts';
import { metadataAnswer, oldVersionsAnswer, versionsAnswer } from '../../../services/scripted-answers.ts';
import { startScriptedBroker } from '../../../services/scripted-broker.ts';
import { clientOf, deadlineOf, failureOf, firstFailure } from '../../../services/scripted-client.ts';
import { scriptedLinks } from '../../../services/scripted-link.ts';
import { virtualClient } from '../../../services/virtual-client.ts';
import { createVirtualClock } from '../../../simulation/virtual-clock.ts';

const peer = { broker: 'broker h:9092', host: 'h', tls: false };
const noBrokers = metadataAnswer({ brokers: [] });

test.each([
  [undefined, 'broker h:9092'],
  [-1, 'broker h:9092'],
  [0, 'broker 0 (h:9092)'],
  [2, 'broker 2 (h:9092)'],
])('a broker whose node id is %s is named "%s"', (nodeId, name) => {
  expect(brokerName({ host: 'h', port: 9092 }, nodeId)).toBe(name);
});

describe('API versions', () => {
  test('are requested in a version that all brokers since 2.4 support, with our name', async () => {
    await using broker = await startScriptedBroker({ Metadata: noBrokers });
    await using client = clientOf([broker.address], {}, { clientId: 'weir-ü' });
    await client.metadata([]);
    const [asked] = broker.of('ApiVersions');
    expect(asked).toMatchObject({ version: 3, clientId: 'weir-ü' });
    expect(asked?.body.toString('latin1')).toContain('weir');
    expect(broker.of('Metadata')[0]?.clientId).toBe('weir-ü');
  });

  test('are requested again in a version that an older broker supports, over the same connection', async () => {
    await using broker = await startScriptedBroker({
      ApiVersions: ({ version }) => (version > 2 ? oldVersionsAnswer(2) : versionsAnswer([], false)),
      Metadata: noBrokers,
    });
    await using client = clientOf([broker.address]);
    await client.metadata([]);
    expect(broker.of('ApiVersions').map(({ version }) => version)).toEqual([3, 2]);
    expect(broker.connections).toBe(1);
  });

  test("below weir's range are refused, naming both ranges, before the request is sent", async () => {
    await using broker = await startScriptedBroker({ ApiVersions: versionsAnswer([[metadata.key, 99, 100]]) });
    const error = await firstFailure(broker);
    expect(error.message).toContain('supports Metadata versions 99 to 100, weir supports versions');
    expect(error).toMatchObject({ code: 'UNSUPPORTED_VERSION', exitCode: 1 });
    expect(broker.of('Metadata')).toHaveLength(0);
  });
});

describe('a peer that is no broker', () => {
  test.each([
    ['HTTP', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'), 'it answered with HTTP', 'HTTP service'],
    ['SSH', Buffer.from('SSH-2.0-OpenSSH_9.9\r\n'), 'it answered with SSH', 'Kafka port'],
    ['a TLS alert', Buffer.from('15030300020246', 'hex'), 'it answered with TLS', '-X tls.enabled=true'],
    [
      'garbage',
      Buffer.from('ffffffffffffffffffff', 'hex'),
      'it announced an answer of -1 bytes',
      'check that it is a Kafka port',
    ],
    [
      'a lying length',
      Buffer.from('7fffffff00000000', 'hex'),
      'a first answer of 2147483647 bytes',
      'check that it is a Kafka port',
    ],
    [
      'an answer to nothing',
      Buffer.from('0000000400001234', 'hex'),
      'it answered a request that was not sent',
      'Kafka port',
    ],
  ])('is recognised by %s', async (_what, bytes, message, hint) => {
    await using broker = await startScriptedBroker({ ApiVersions: { bytes } });
    const error = await firstFailure(broker);
    expect(error.message).toContain(`broker 127.0.0.1:${broker.address.port} does not speak the Kafka protocol`);
    expect(error.message).toContain(message);
    expect(error.hints.join()).toContain(hint);
    expect(error).toMatchObject({ code: 'NOT_A_BROKER', exitCode: 5, retryable: false });
    expect(broker.connections).toBe(1);
  });

  test('is detected when its answer breaks off in the middle', async () => {
    await using broker = await startScriptedBroker({ Metadata: noBrokers.subarray(0, 9) });
    const error = await firstFailure(broker);
    expect(error).toMatchObject({ code: 'PROTOCOL', exitCode: 1 });
    // The position counts the end of the header: one byte for its tagged fields.
    expect(error.message).toBe('unable to read the Metadata answer at byte 7: expected 8 bytes, found 3');
  });

  test('that floods loses only its own connection', async () => {
    const flood = Buffer.alloc(8 * 1024 * 1024, 0x41);
    await using broker = await startScriptedBroker({ Metadata: { bytes: flood } });
    expect(await firstFailure(broker)).toMatchObject({ code: 'NOT_A_BROKER' });
    await expect.poll(() => broker.open).toBe(0);
  });

  test('that closes the connection at once is reported with the step API versions', async () => {
    await using broker = await startScriptedBroker({ ApiVersions: 'drop' });
    const error = await firstFailure(broker);
    expect(error.message).toContain('API versions: the broker closed the connection');
    expect(error.hints.join()).toContain('-X tls.enabled=true');
  });
});

describe.each(['ApiVersions', 'Metadata'])('a broker that closes the connection at %s', (api) => {
  test('is retried for retry_timeout; the last error still has the hint about the listener', async () => {
    const { clock, links, client } = virtualClient({ [api]: 'drop' }, { retry: 600 });
    const error = await clock.runUntil(failureOf(client.metadata([])));
    expect(error).toMatchObject({ code: 'RETRY_TIMEOUT', exitCode: 5 });
    expect(error.hints.join()).toContain(api === 'Metadata' ? 'requires SASL' : 'uses TLS');
    expect(links.of(api).map(({ after }) => after)).toEqual([0, 250, 750]);
    client.close();
  });

  test('three times in a row is reached once it is up', async () => {
    const answer = api === 'Metadata' ? noBrokers : versionsAnswer();
    await using broker = await startScriptedBroker({ Metadata: noBrokers, [api]: ['drop', 'drop', 'drop', answer] });
    await using client = clientOf([broker.address]);
    await client.metadata([]);
    expect(broker.connections).toBe(4);
  });
});

test('a broker that served is reached again after it closed connections, however often: cut, serve, cut', async () => {
  const clock = createVirtualClock();
  // Answered over an open connection; twice the broker restarts and closes what it accepts.
  const script = {
    Metadata: [noBrokers, noBrokers, 'drop', 'drop', 'drop', noBrokers, 'drop', 'drop', noBrokers],
  } as const;
  const links = scriptedLinks(script);
  const deadline = deadlineOf({ retry: 10_000 }, clock);
  const client = clientOf(['b:9092'], {}, { dial: links.dial, deadline });
  await client.metadata([]);
  await client.metadata([]);
  for (const pausesMs of [1_750, 750]) {
    const from = clock.now();
    const answered = client.metadata([]).then(() => clock.now() - from);
    await clock.runFor(5_000);
    expect(await answered).toBe(pausesMs);
  }
  expect(links.connections).toBe(6);
  client.close();
});

test.each(['ApiVersions', 'Metadata'])(
  'a broker that has served and closes new connections at %s gets no advice on SASL or TLS',
  async (api) => {
    const clock = createVirtualClock();
    let isDying = false;
    const links = scriptedLinks({
      ApiVersions: () => (isDying && api === 'ApiVersions' ? 'drop' : versionsAnswer()),
      Metadata: () => (isDying ? 'drop' : noBrokers),
    });
    const deadline = deadlineOf({ retry: 5_000 }, clock);
    const client = clientOf(['b:9092'], {}, { dial: links.dial, deadline });
    await client.metadata([]);
    isDying = true;
    const failed = failureOf(client.metadata([]));
    await clock.runFor(20_000);
    const { code, hints } = await failed;
    expect({ code, hints }).toEqual({
      ...{ code: 'RETRY_TIMEOUT', hints: ['raise the limit with -X globals.retry_timeout=DURATION'] },
    });
    client.close();
  },
);

describe('TCP and DNS', () => {
  test('a refused connection names the step, the address and the option', async () => {
    await using dead = await deadAddress();
    const error = await firstFailure(dead);
    expect(error.message).toBe(`unable to connect to broker 127.0.0.1:${dead.address.port}: TCP: connection refused`);
    expect(error).toMatchObject({ code: 'CONNECTION_REFUSED', exitCode: 5 });
    expect(error.hints.join()).toContain('-X brokers=HOST:PORT');
  });

  test('a refused name with several addresses gives the same error', async () => {
    await using dead = await deadAddress();
    const { port } = dead.address;
    await using client = clientOf([{ host: 'localhost', port }], { retry: 0 });
    const error = await failureOf(client.metadata([]));
    expect(error.message).toContain(`broker localhost:${port}: TCP: connection refused`);
  });

  test('a host that does not exist fails in the DNS step', async () => {
    await using client = clientOf([{ host: 'no-such-host.invalid', port: 9092 }], { retry: 0 });
    const error = await failureOf(client.metadata([]));
    // A machine without a resolver answers late or "try again".
    expect(error.message).toContain('unable to connect to broker no-such-host.invalid:9092: DNS: ');
    expect(error.exitCode).toBe(5);
  });

  test.each([
    ['ENOTFOUND', 'unknown host "h"', false],
    ['EAI_AGAIN', 'unable to look up "h" (EAI_AGAIN)', true],
  ])('a lookup that fails with %s is retriable: %s', (code, message, retryable) => {
    const error = dialError('DNS', Object.assign(new Error('getaddrinfo'), { code }), peer);
    expect(error.message).toBe(`unable to connect to broker h:9092: DNS: ${message}`);
    expect(error).toMatchObject({ code: 'DNS_FAILED', exitCode: 5, retryable });
  });

  test('IPv6 is dialed and shown in brackets', async () => {
    await using broker = await startScriptedBroker({ Metadata: noBrokers }, { host: '::1' });
    const traced: RequestTrace[] = [];
    await using client = clientOf([`[::1]:${broker.address.port}`], {}, { trace: (event) => traced.push(event) });
    await client.metadata([]);
    expect(traced.at(-1)).toMatchObject({ api: 'Metadata', node: `broker [::1]:${broker.address.port}` });
  });
});

test('a throttled answer delays the next request, and the delay does not count as waiting for it', async () => {
  const throttled = metadataAnswer({ brokers: [], throttleMs: 250 });
  const { clock, links, client } = virtualClient({ Metadata: [throttled, noBrokers] }, { overhead: 200, retry: 0 });
  await clock.runUntil(client.metadata([]));
  await clock.runUntil(client.metadata([]));
  expect(links.of('Metadata').map(({ after }) => after)).toEqual([0, 250]);
  client.close();
});

describe('Node', () => {
  const warnings: string[] = [];
  const listen = (warning: Error): void => {
    warnings.push(warning.name);
  };
  beforeAll(() => {
    process.on('warning', listen);
  });
  afterAll(() => {
    process.off('warning', listen);
  });

  test('prints no warnings: no negative timers, no unhandled rejections', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    onTestFinished(() => void process.off('unhandledRejection', unhandled));
    await using broker = await startScriptedBroker({ Metadata: ['drop', noBrokers] });
    await using client = clientOf([broker.address]);
    await Promise.all([client.metadata([]), client.metadata('all')]);
    await nextTurn(); // a rejection is reported when its turn of the event loop ends
    expect(unhandled).not.toHaveBeenCalled();
    expect(warnings).toEqual([]);
  });
});
