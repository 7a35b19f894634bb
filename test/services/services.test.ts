import { readFile } from 'node:fs/promises';
import { connect } from 'node:tls';
import { expect, test } from 'vitest';
import { isRunning } from '../../src/files/process-id.ts';
import { answers, countBrokers } from '../../src/sandbox/kafka/answers.ts';
import { cluster3, services } from './services.ts';

function endpoint(address: string): { host: string; port: number } {
  const at = address.lastIndexOf(':');
  return { host: address.slice(0, at).replace(/[[\]]/g, ''), port: Number(address.slice(at + 1)) };
}

async function handshake(address: string, files: { ca: string; cert?: string; key?: string }): Promise<string> {
  const read = async (path: string | undefined) => (path === undefined ? undefined : readFile(path, 'utf8'));
  const [ca, cert, key] = [await read(files.ca), await read(files.cert), await read(files.key)];
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = connect({ ...endpoint(address), ca, cert, key });
  socket.once('secureConnect', () => resolve('ok'));
  socket.once('error', (error) => resolve((error as NodeJS.ErrnoException).code ?? error.message));
  return promise.finally(() => socket.destroy());
}

test('the plaintext, SASL and IPv6 listeners answer', async () => {
  const { plaintext, ipv6, sasl, saslPlainOnly, badlyAdvertised } = services();
  for (const address of [plaintext, ipv6, sasl, saslPlainOnly, badlyAdvertised]) {
    if (address !== undefined) expect(await answers(endpoint(address))).toBe(true);
  }
  expect(await countBrokers(endpoint(plaintext))).toBe(1);
  expect(await isRunning(services().broker.process)).toBe(true);
});

test('the broker has loaded its classes from an archive', async () => {
  const { broker, runtime } = services();
  const args = (await readFile(`/proc/${broker.process.pid}/cmdline`, 'utf8')).split('\0');
  const [archive = ''] = args.flatMap((arg) => /^-XX:SharedArchiveFile=(.*)/.exec(arg)?.[1] ?? []);
  expect(archive.startsWith(`${runtime.libraries}/classes-`)).toBe(true);
  // Java maps what it uses.
  expect(await readFile(`/proc/${broker.process.pid}/maps`, 'utf8')).toContain(archive);
});

test('the TLS listeners have the certificates they are named after', async () => {
  const { tls, saslTls, tlsExpired, tlsOtherHost, certificates } = services();
  const { ca, wrongCa } = certificates;
  expect(await handshake(tls, { ca })).toBe('ok');
  expect(await handshake(saslTls, { ca })).toBe('ok');
  expect(await handshake(tls, { ca: wrongCa })).toMatch(/UNABLE_TO_VERIFY|SELF_SIGNED/);
  expect(await handshake(tlsExpired, { ca })).toBe('CERT_HAS_EXPIRED');
  expect(await handshake(tlsOtherHost, { ca })).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
});

test('the mTLS listener only answers clients with the right certificate', async () => {
  const { mtls, certificates } = services();
  const pem = async ({ cert, key }: { cert: string; key: string }) => ({
    cert: await readFile(cert, 'utf8'),
    key: await readFile(key, 'utf8'),
  });
  expect(await answers({ ...endpoint(mtls), tls: await pem(certificates.client) })).toBe(true);
  expect(await answers({ ...endpoint(mtls), tls: await pem(certificates.wrongClient) })).toBe(false);
  expect(await answers({ ...endpoint(mtls), tls: {} })).toBe(false);
});

test('three brokers know each other', async () => {
  const { nodes } = await cluster3();
  for (const { address } of nodes) expect(await countBrokers(endpoint(address))).toBe(3);
});
