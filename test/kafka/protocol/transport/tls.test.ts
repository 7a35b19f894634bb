import { beforeAll, describe, expect, test } from 'vitest';
import { type Certificate, issue, localHosts, makeAuthority } from '../../../../src/sandbox/certificates.ts';
import { metadataAnswer } from '../../../services/scripted-answers.ts';
import { startScriptedBroker } from '../../../services/scripted-broker.ts';
import { clientOf, failureOf, firstFailure } from '../../../services/scripted-client.ts';
import { services } from '../../../services/services.ts';

const noBrokers = metadataAnswer({ brokers: [] });
const tls = { ca: undefined, cert: undefined, key: undefined, insecureSkipVerify: false, keyPrefix: 'tls' };

describe('TLS', () => {
  const now = Date.now();
  let authority: Certificate;
  let server: Certificate;
  beforeAll(async () => {
    authority = await makeAuthority('test CA', now);
    server = await issue(authority, { name: 'broker', use: 'server', hosts: localHosts }, now);
  });

  test('to a listener without TLS is reported as such', async () => {
    await using broker = await startScriptedBroker({}, { onConnect: 'drop' });
    const error = await firstFailure(broker, { tls });
    expect(error.message).toContain(': TLS: ');
    expect(error.hints.join()).toContain('-X tls.enabled=false');
    // It may also be a port forward whose broker is starting.
    expect(error).toMatchObject({ code: 'TLS_FAILED', exitCode: 5, retryable: true });
  });

  test('to a listener of Kafka without TLS is not tried again', async () => {
    const { plaintext } = services();
    await using client = clientOf([plaintext], {}, { tls });
    const error = await failureOf(client.metadata([]));
    expect(error).toMatchObject({ code: 'TLS_FAILED', exitCode: 5, retryable: false });
    expect(error.message).toMatch(/: TLS: the broker does not speak TLS on this port$/);
    expect(error.hints).toEqual(['turn TLS off if the port does not use it: -X tls.enabled=false']);
  });

  test('with a certificate of an unknown CA names the reason and the option, and is not retried', async () => {
    await using broker = await startScriptedBroker({}, { tls: server });
    await using client = clientOf([broker.address], {}, { tls });
    const error = await failureOf(client.metadata([]));
    expect(error.message).toContain('TLS: the certificate of the broker is signed by a CA that is not trusted');
    expect(error.hints.join()).toContain('-X tls.ca=FILE');
    expect(broker.connections).toBe(1);
  });

  test('without verification succeeds, by name and by address', async () => {
    await using broker = await startScriptedBroker({ Metadata: noBrokers }, { tls: server });
    for (const host of ['localhost', '127.0.0.1']) {
      await using client = clientOf(
        [{ host, port: broker.address.port }],
        {},
        { tls: { ...tls, insecureSkipVerify: true } },
      );
      expect((await client.metadata([])).clusterId).toBe('scripted');
    }
  });
});
