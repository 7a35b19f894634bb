import { X509Certificate } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { certificatePaths, makeCertificates, nodeOf } from '../../../src/sandbox/kafka/layout.ts';
import type { KafkaState, Security } from '../../../src/sandbox/kafka/state.ts';
import { temporaryDirectory } from '../../world.ts';

const plain: Security = { tls: false, mtls: false, sasl: null };

/** The names and modes of the files that are made for this security. */
async function madeFor(security: Security) {
  const directory = temporaryDirectory();
  await makeCertificates(directory, security);
  const place = join(directory, 'certificates');
  const names = readdirSync(directory).length === 0 ? [] : readdirSync(place).sort();
  const modes = names.map((name) => `${name} ${(statSync(join(place, name)).mode & 0o077).toString(8)}`);
  return { directory, place, names, modes };
}

test('without TLS there are no certificates', async () => {
  expect(await madeFor(plain)).toMatchObject({ names: [] });
});

test('with TLS there are a CA and a keystore that only its owner reads', async () => {
  const { names, place } = await madeFor({ ...plain, tls: true });
  expect(names).toEqual(['ca.crt', 'server.pem']);
  expect([statSync(place).mode & 0o777, statSync(join(place, 'server.pem')).mode & 0o777]).toEqual([0o700, 0o600]);
});

test('with client certificates, the key of the client is private, too, and the CA has issued both', async () => {
  const { directory, names, place } = await madeFor({ ...plain, tls: true, mtls: true });
  expect(names).toEqual(['ca.crt', 'client.crt', 'client.key', 'server.pem']);
  expect(statSync(join(place, 'client.key')).mode & 0o777).toBe(0o600);
  const paths = certificatePaths(directory);
  const read = (file: string) => readFileSync(file, 'utf8');
  const [ca, client] = [new X509Certificate(read(paths.ca)), new X509Certificate(read(paths.cert))];
  const server = new X509Certificate(read(paths.server).replace(/^[\s\S]*(?=-----BEGIN CERT)/, ''));
  expect([ca.subject, client.subject, server.subject]).toEqual(['CN=weir sandbox', 'CN=weir', 'CN=localhost']);
  expect([client.checkIssued(ca), server.checkIssued(ca), server.checkIP('127.0.0.1')]).toEqual([
    true,
    true,
    '127.0.0.1',
  ]);
  expect([client.keyUsage, server.keyUsage]).toEqual([['1.3.6.1.5.5.7.3.2'], ['1.3.6.1.5.5.7.3.1']]);
  expect(read(paths.key)).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
});

const broker = { id: 2, port: 9093, internalPort: 20_002, controllerPort: 30_002, process: null, container: null };
const user = { name: 'weir', password: 'secret' };

test.each<[string, Security, KafkaState['user'], object]>([
  ['nothing', plain, null, {}],
  ['TLS', { ...plain, tls: true }, null, { tls: { keystore: '/in/certificates/server.pem' } }],
  [
    'client certificates',
    { ...plain, tls: true, mtls: true },
    null,
    { tls: { keystore: '/in/certificates/server.pem', trusted: '/in/certificates/ca.crt' } },
  ],
  ['SASL', { ...plain, sasl: 'PLAIN' }, user, { sasl: { mechanisms: ['PLAIN'], users: [user] } }],
])('a listener with %s', (_, security, owner, more) => {
  const state = { ...{ kafkaVersion: '4.1.1', clusterId: 'c', user: owner, security }, brokers: [broker] };
  const layout = { directory: '/in', bindHost: '0.0.0.0', innerHost: 'two' };
  expect(nodeOf('/out', { ...state, engine: 'java' }, broker, layout)).toEqual({
    id: 2,
    directory: '/out/broker-2',
    seenAs: '/in/broker-2',
    listeners: [
      {
        name: 'CLIENT',
        bind: { host: '0.0.0.0', port: 9093 },
        advertised: { host: '127.0.0.1', port: 9093 },
        ...more,
      },
    ],
    internal: {
      name: 'INTERNAL',
      bind: { host: '0.0.0.0', port: 20_002 },
      advertised: { host: 'two', port: 20_002 },
    },
    controller: {
      name: 'CONTROLLER',
      bind: { host: '0.0.0.0', port: 30_002 },
      advertised: { host: 'two', port: 30_002 },
    },
  });
});
