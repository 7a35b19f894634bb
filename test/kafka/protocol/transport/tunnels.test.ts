import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { KafkaOptions } from '../../../../src/kafka/protocol/options.ts';
import type { TlsOptions } from '../../../../src/net/tls.ts';
import { type Certificate, issue, localHosts, makeAuthority } from '../../../../src/sandbox/certificates.ts';
import { failedAfter, tcp } from '../../../net/http-peers.ts';
import { metadataAnswer } from '../../../services/scripted-answers.ts';
import { startScriptedBroker } from '../../../services/scripted-broker.ts';
import { clientOf, deadlineOf, failureOf } from '../../../services/scripted-client.ts';
import { socksRelay } from '../../../services/socks-relay.ts';
import { createVirtualClock } from '../../../simulation/virtual-clock.ts';
import { temporaryDirectory } from '../../../world.ts';

const far = 'kafka.internal.example:9092';
const through = (option: string, env = {}): Pick<KafkaOptions, 'proxy'> => ({ proxy: { option, env } });
const noBrokers = metadataAnswer({ brokers: [] });
/** More than a chunk of a socket, so that an answer comes in several. */
const manyBrokers = metadataAnswer({
  brokers: Array.from({ length: 5_000 }, (_, id) => ({ id, host: `b${id}.example`, port: 1 })),
});

describe('a broker behind a proxy', () => {
  test('is reached by its name, which only the proxy knows, and sends answers of any size', async () => {
    await using broker = await startScriptedBroker({ Metadata: manyBrokers });
    const relay = await socksRelay(broker.address.port);
    await using client = clientOf([far], {}, through(relay.url));
    expect((await client.metadata([])).brokers).toHaveLength(5_000);
    expect(relay.asked).toEqual([far]);
    relay.cut();
    expect((await client.metadata([])).brokers).toHaveLength(5_000);
    expect(relay.asked).toEqual([far, far]);
  });

  test.each([
    ['this machine', '127.0.0.1', {}],
    ['a host of no_proxy', 'localhost.localdomain', { no_proxy: 'localdomain' }],
  ])('is reached directly if it is %s', async (_, host, env) => {
    const error = await failureOf(
      clientOf([`${host}:1`], { retry: 0 }, through('socks5h://127.0.0.1:1', env)).metadata([]),
    );
    expect(error.message).not.toContain('the proxy');
  });

  test('that no proxy leads to ends the command at once, without advice to start one here', async () => {
    const options = { ...through('socks5h://user:s3cret@127.0.0.1:1'), firstContact: 'stop' } as const;
    await using client = clientOf([far, 'b.example:9092'], {}, options);
    const error = await failureOf(client.metadata([]));
    expect(error).toMatchObject({ code: 'PROXY_FAILED', exitCode: 5, retryable: false });
    expect(error.message).toBe(
      `unable to connect to any of 2 brokers: broker ${far}: the proxy at 127.0.0.1:1: TCP: connection refused; broker b.example:9092: the proxy at 127.0.0.1:1: TCP: connection refused`,
    );
    expect(error.hints).toEqual(['check the address (globals.proxy) and that a proxy is running there']);
  });

  test.each([
    ['closes', '', 'API versions: the broker closed the connection'],
    ['answers in the place of the broker', '<html>', 'does not speak the Kafka protocol'],
  ])('is not one if the proxy says that it has connected and then %s', async (_, then, why) => {
    const { port } = await tcp((socket) => {
      socket.once('data', () => {
        socket.write(Buffer.from([5, 0]));
        socket.once('data', () =>
          socket.end(Buffer.concat([Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]), Buffer.from(then)])),
        );
      });
    });
    await using client = clientOf([far], { retry: 0 }, through(`socks5h://127.0.0.1:${port}`));
    const error = await failureOf(client.metadata([]));
    expect(error.message).toContain(why);
    expect(error.exitCode).toBe(5);
  });
});

describe('tls.server_name', () => {
  let files: TlsOptions;
  /** For names, a wildcard and an address that no broker of this test has. */
  let distant: Certificate;
  /** For the address of the brokers. */
  let near: Certificate;
  beforeAll(async () => {
    const now = Date.now();
    const authority = await makeAuthority('test CA', now);
    const ca = join(temporaryDirectory(), 'ca.pem');
    writeFileSync(ca, authority.cert);
    files = { ca, cert: undefined, key: undefined, insecureSkipVerify: false, keyPrefix: 'tls' };
    const hosts = ['kafka.internal.example', '*.wild.example', '10.0.0.1'];
    distant = await issue(authority, { name: 'broker', use: 'server', hosts }, now);
    near = await issue(authority, { name: 'broker', use: 'server', hosts: localHosts }, now);
  });

  test('is asked for within the limit that covers the tunnel as well', async () => {
    const arrived: Buffer[] = [];
    const { port, sockets } = await tcp((socket) => void socket.on('data', (chunk) => arrived.push(chunk)));
    const clock = createVirtualClock();
    const deadline = deadlineOf({ dial: 400, retry: 0 }, clock);
    await using client = clientOf([far], {}, { ...through(`http://127.0.0.1:${port}`), tls: files, deadline });
    const work = client.metadata([]);
    work.catch(() => undefined);
    await expect.poll(() => arrived.length).toBe(1);
    await clock.runFor(300);
    sockets[0]?.write('HTTP/1.1 200 OK\r\n\r\n');
    await expect.poll(() => arrived.length).toBe(2);
    expect((await failedAfter(clock, 100, work)).message).toContain('TLS: handshake timed out after 400ms');
  });

  /** A broker, and the names that clients have asked it for. */
  async function brokerWith(own: Certificate) {
    const names: string[] = [];
    const SNICallback = (name: string, answer: (error: null) => void): void => {
      names.push(name);
      answer(null);
    };
    const broker = await startScriptedBroker({ Metadata: noBrokers }, { tls: { ...own, SNICallback } });
    return { broker, names };
  }

  test('is the name that is asked for and compared, without a wildcard or an address in the handshake', async () => {
    const { broker, names } = await brokerWith(distant);
    await using _ = broker;
    for (const serverName of ['kafka.internal.example', 'b1.wild.example', '10.0.0.1']) {
      await using client = clientOf([broker.address], {}, { tls: { ...files, serverName } });
      expect((await client.metadata([])).clusterId).toBe('scripted');
    }
    expect(names).toEqual(['kafka.internal.example', 'b1.wild.example']);
  });

  test.each(['localhost', 'other.example', 'wild.example', '10.0.0.2'])(
    'refuses a certificate for others: %s',
    async (serverName) => {
      const { broker } = await brokerWith(distant);
      await using _ = broker;
      await using client = clientOf([broker.address], {}, { tls: { ...files, serverName } });
      const error = await failureOf(client.metadata([]));
      expect(error).toMatchObject({ code: 'TLS_FAILED', exitCode: 5, retryable: false });
      expect(error.message).toContain(`, not for ${serverName}`);
      expect(error.hints.join()).toContain('-X tls.server_name=NAME');
      expect(error.hints.join()).not.toContain('internal.example');
    },
  );

  test('counts instead of the address', async () => {
    const { broker } = await brokerWith(near);
    await using _ = broker;
    const tls = { ...files, serverName: 'kafka.internal.example' };
    await using client = clientOf([broker.address], {}, { tls });
    expect((await failureOf(client.metadata([]))).message).toContain(', not for kafka.internal.example');
  });

  test('names the certificate behind a proxy too', async () => {
    const { broker, names } = await brokerWith(near);
    await using _ = broker;
    const relay = await socksRelay(broker.address.port);
    await using refused = clientOf([far], {}, { ...through(relay.url), tls: files });
    expect((await failureOf(refused.metadata([]))).message).toContain(', not for kafka.internal.example');
    await using client = clientOf([far], {}, { ...through(relay.url), tls: { ...files, serverName: 'localhost' } });
    expect((await client.metadata([])).clusterId).toBe('scripted');
    expect(names).toEqual(['kafka.internal.example', 'localhost']);
    // A proxy that ends is noticed, also below TLS: the next request gets a new tunnel.
    relay.cut();
    await client.metadata([]);
    expect(relay.asked).toEqual([far, far, far]);
  });
});
