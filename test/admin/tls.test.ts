import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { issue, makeAuthority } from '../../src/sandbox/certificates.ts';
import { failed } from '../net/http-peers.ts';
import { temporaryDirectory } from '../world.ts';
import { adminOf, change, type NodeAnswer, type NodeCall, startNode } from './admin-of.ts';

/** What starts nodes with a certificate for 127.0.0.1, and the options that trust it. */
async function authority() {
  const now = Date.now();
  const issuer = await makeAuthority('weir test', now);
  const file = join(temporaryDirectory(), 'ca.pem');
  writeFileSync(file, issuer.cert);
  const none = { cert: undefined, key: undefined, insecureSkipVerify: false, keyPrefix: 'admin.tls' };
  return {
    trusting: { ...none, ca: file },
    trustingNobody: { ...none, ca: undefined },
    async start(script: (call: NodeCall) => NodeAnswer, host = '127.0.0.1') {
      const { cert, key } = await issue(issuer, { name: 'node', use: 'server', hosts: [host] }, now);
      return await startNode(script, {}, (listener) => createServer({ cert, key }, listener));
    },
  };
}

test('TLS for an address without a scheme and for https://, also after a redirect', async () => {
  const { start, trusting } = await authority();
  const leader = await start(() => [200, {}]);
  const node = await start(() => [307, undefined, { location: `${leader.url}/v1/other` }]);
  const { api } = adminOf([`127.0.0.1:${node.port}`, leader.url], { usesTls: true, tls: trusting });
  expect(await api.call(change)).toBe('made');
  expect(leader.lines()).toEqual(['POST /v1/other']);
});

test.each([
  ['that nobody vouches for', '127.0.0.1', 'trustingNobody', /admin\.tls\.ca/],
  ['for another name', 'other.example', 'trusting', /other\.example/],
] as const)('a certificate %s is refused before anything is sent, and the next address is tried', async (...given) => {
  const [, host, trust, words] = given;
  const authorityOf = await authority();
  const node = await authorityOf.start(() => [200, []], host);
  const options = { tls: authorityOf[trust], credentials: { user: 'ana', pass: 'pw' } };
  const { error } = await failed(adminOf([node.url], options).admin.maintenance());
  expect(error).toMatchObject({ exitCode: 5, code: 'TLS_FAILED' });
  expect([error.message, ...error.hints].join('\n')).toMatch(words);
  const other = await startNode(() => [200, []]);
  expect(await adminOf([node.url, other.url], options).admin.maintenance()).toEqual([]);
  expect(node.calls).toEqual([]);
});

test('a redirect from https to http is not followed, even to a configured address', async () => {
  const { start, trusting } = await authority();
  const plain = await startNode(() => [200, {}]);
  const node = await start(() => [307, undefined, { location: `${plain.url}/v1/change` }]);
  const options = { tls: trusting, credentials: { user: 'ana', pass: 'pw' } };
  const { error } = await failed(adminOf([node.url, plain.url], options).api.call(change));
  expect(error).toMatchObject({ exitCode: 1, code: 'REDIRECT_REFUSED' });
  expect(error.message).toBe(
    `unable to make the change: POST ${node.url}/v1/change redirects to ${plain.url}, which is not encrypted`,
  );
  expect(error.hints).toEqual([
    'if a proxy ends TLS before the cluster, add the address of every broker to admin.hosts',
  ]);
  expect(plain.calls).toEqual([]);
});

test('a redirect to an address that is configured with https:// only is not followed by http', async () => {
  const other = await startNode(() => [200, {}]);
  const location = `${other.url}/v1/change`;
  const node = await startNode(({ line }) =>
    line.endsWith('change')
      ? [307, undefined, { location }]
      : [200, [{ node_id: 1, internal_rpc_address: '127.0.0.1' }]],
  );
  const { api } = adminOf([node.url, other.url.replace('http:', 'https:')], { credentials: { user: 'a', pass: 'b' } });
  const { error } = await failed(api.call(change));
  expect(error).toMatchObject({ exitCode: 1, code: 'REDIRECT_REFUSED' });
  expect(error.message).toContain(`redirects to ${other.url}, which is not encrypted`);
  expect(other.calls).toEqual([]);
});

test('a redirect from http to https is followed', async () => {
  const { start, trusting } = await authority();
  const secure = await start(() => [200, {}]);
  const node = await startNode(() => [307, undefined, { location: `${secure.url}/v1/change` }]);
  expect(await adminOf([node.url, secure.url], { tls: trusting }).api.call(change)).toBe('made');
});

test('plain HTTP to a port with TLS is reported with exit code 5', async () => {
  const { start, trusting } = await authority();
  const node = await start(() => [200, []]);
  const { admin } = adminOf([`127.0.0.1:${node.port}`], { tls: trusting, limits: { retry: 0 } });
  expect((await failed(admin.maintenance())).error.exitCode).toBe(5);
});

test('a wrong file is reported once, not for every address', async () => {
  const { trusting } = await authority();
  const tls = { ...trusting, ca: '/nope' };
  const { admin } = adminOf(['https://127.0.0.1:1', 'https://127.0.0.1:2'], { tls });
  const { error } = await failed(admin.maintenance());
  expect(error).toMatchObject({ exitCode: 2, code: 'TLS_CONFIG' });
  expect(error.message).toContain('unable to read /nope (admin.tls.ca): no such file');
});
