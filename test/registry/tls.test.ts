import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { issue, makeAuthority } from '../../src/sandbox/certificates.ts';
import { failed } from '../net/http-peers.ts';
import { temporaryDirectory } from '../world.ts';
import { registryOf, startScriptedRegistry } from './scripted-registry.ts';

/** A registry that requires a client certificate, and the files for it. */
async function startTlsRegistry() {
  const directory = temporaryDirectory();
  const authority = await makeAuthority('weir test', Date.now());
  const server = await issue(authority, { name: 'registry', use: 'server', hosts: ['127.0.0.1'] }, Date.now());
  const client = await issue(authority, { name: 'client', use: 'client' }, Date.now());
  const write = (name: string, text: string): string => {
    writeFileSync(join(directory, name), text);
    return join(directory, name);
  };
  const tls = {
    ca: write('ca.pem', authority.cert),
    cert: write('cert.pem', client.cert),
    key: write('key.pem', client.key),
    insecureSkipVerify: false,
    keyPrefix: 'registry.tls',
  };
  const options = {
    cert: server.cert,
    key: server.key,
    ca: authority.cert,
    requestCert: true,
    rejectUnauthorized: true,
  };
  const registry = await startScriptedRegistry(
    () => [200, { schema: '"int"' }],
    (listener) => createServer(options, listener),
  );
  return { registry, tls, address: `127.0.0.1:${registry.port}` };
}

test('TLS with a client certificate, for an address without a scheme and for https://', async () => {
  const { registry: server, tls, address } = await startTlsRegistry();
  await using _ = server;
  using plain = registryOf([address], { usesTls: true, tls });
  using secure = registryOf([`https://${address}/path`], { tls });
  expect(await plain.registry.schemaById(1)).toMatchObject({ text: '"int"' });
  expect(await secure.registry.schemaById(1)).toMatchObject({ text: '"int"' });
  expect(server.calls.map(({ path }) => path)).toEqual(['/schemas/ids/1', '/path/schemas/ids/1']);
});

test('a certificate that is not trusted names the option, and the next address is tried', async () => {
  const { registry: server, tls, address } = await startTlsRegistry();
  await using _ = server;
  await using other = await startScriptedRegistry(() => [200, { schema: '"long"' }]);
  const untrusted = { ...tls, ca: undefined };
  using alone = registryOf([address], { usesTls: true, tls: untrusted });
  const { error } = await failed(alone.registry.schemaById(1));
  expect(error).toMatchObject({ exitCode: 5, code: 'TLS_FAILED' });
  expect([error.message, ...error.hints].join('\n')).toContain('registry.tls.ca');
  using both = registryOf([`https://${address}`, other.url], { tls: untrusted });
  expect(await both.registry.schemaById(1)).toMatchObject({ text: '"long"' });
});

test('plain HTTP to a TLS port, and a wrong file, are reported with what to do', async () => {
  const { registry: server, tls, address } = await startTlsRegistry();
  await using _ = server;
  using plain = registryOf([address], {}, { retry: 0 });
  expect((await failed(plain.registry.schemaById(1))).error.exitCode).toBe(5);
  using wrong = registryOf([`https://${address}`, 'http://127.0.0.1:1'], { tls: { ...tls, ca: '/nope' } });
  const { error } = await failed(wrong.registry.schemaById(1));
  expect(error).toMatchObject({ exitCode: 2, code: 'TLS_CONFIG' });
  expect(error.message).toContain('(registry.tls.ca): no such file');
});

test('a missing client certificate is reported as the reason, with the options of the registry', async () => {
  const { registry: server, tls, address } = await startTlsRegistry();
  await using _ = server;
  using client = registryOf([`https://${address}`], { tls: { ...tls, cert: undefined, key: undefined } });
  const { error } = await failed(client.registry.schemaById(1));
  expect(error).toMatchObject({ exitCode: 5, code: 'TLS_FAILED', retryable: false });
  expect(error.message).toBe(
    `unable to connect to the schema registry at ${address}: TLS: the schema registry needs a client certificate`,
  );
  expect(error.hints).toEqual([
    'specify a client certificate that the schema registry trusts: -X registry.tls.cert=FILE -X registry.tls.key=FILE',
  ]);
});
