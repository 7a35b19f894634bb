import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { run, temporaryDirectory } from '../world.ts';

/** A registry that requires the user `u` with the password `p`. */
let server: Server;
let address: string;
const seen: (string | undefined)[] = [];
beforeAll(async () => {
  const good = `Basic ${Buffer.from('u:p').toString('base64')}`;
  server = createServer(({ headers }, response) => {
    seen.push(headers.authorization);
    const isGood = headers.authorization === good;
    response.writeHead(isGood ? 200 : 401, { 'content-type': 'application/json' }).end(isGood ? '[]' : '{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  seen.length = 0;
});
afterAll(() => void server.close());

type Env = Readonly<Record<string, string>>;
const env = (more: Env = {}): Env => ({ WEIR_REGISTRY_HOSTS: address, ...more });

/** What the checkup finds in a step of the registry. */
async function found(step: string, given: Env) {
  const { stdout, exitCode } = await run('doctor --format json', { env: given, home: temporaryDirectory() });
  const checks: Readonly<Record<string, unknown>>[] = JSON.parse(stdout).checks;
  return { exitCode, ...checks.find((check) => check.api === 'registry' && check.step === step) };
}

test('a checkup tries the credentials of a registry that requires some', async () => {
  expect(await found('http', env({ WEIR_REGISTRY_USER: 'u', WEIR_REGISTRY_PASS: 'p' }))).toMatchObject({
    exitCode: 0,
    status: 'ok',
    detail: `GET http://${address}/schemas/types: HTTP 200, with credentials`,
  });
  expect(seen).toHaveLength(2);
  expect(await found('http', env({ WEIR_REGISTRY_USER: 'u', WEIR_REGISTRY_PASS: 'wrong' }))).toMatchObject({
    exitCode: 10,
    status: 'failed',
    hints: [
      'user "u" was refused: check that they belong together, registry.user is from WEIR_REGISTRY_USER, registry.pass from WEIR_REGISTRY_PASS',
    ],
  });
  expect(await found('http', env())).toMatchObject({ exitCode: 0, status: 'warning' });
});

test('a checkup fails if the password of a user of the registry is missing', async () => {
  expect(await found('config', env({ WEIR_REGISTRY_USER: 'u' }))).toMatchObject({
    exitCode: 10,
    status: 'failed',
    detail: 'registry.user is set, but registry.pass is not',
  });
});

test('a checkup sends no credentials that others could read', async () => {
  const plain = env({ WEIR_REGISTRY_HOSTS: 'http://registry.test', http_proxy: `http://${address}` });
  const check = await found('http', { ...plain, WEIR_REGISTRY_USER: 'u', WEIR_REGISTRY_PASS: 'p' });
  expect(check).toMatchObject({ status: 'warning', detail: expect.stringContaining('because others could read them') });
  expect(seen).toEqual([undefined]);
});

test.each([
  [{ WEIR_USER: 'u', WEIR_PASS: 'x' }, 'user "u" was refused: check that they belong together, user is from WEIR_USER'],
  [{ WEIR_REGISTRY_TOKEN: 'x' }, 'the token was refused: check registry.token, which is from WEIR_REGISTRY_TOKEN'],
  [{ WEIR_SASL_MECHANISM: 'OAUTHBEARER', WEIR_OAUTH_TOKEN: 'x' }, 'the OAuth token of the brokers was refused'],
  [{}, 'set the credentials with -X user=TEXT and WEIR_PASS'],
])('a registry that refuses %j is reported with whose credentials these were', async (credentials, hint) => {
  const { stderr, exitCode } = await run('registry subject list', { env: env(credentials) });
  expect([exitCode, stderr]).toEqual([4, expect.stringContaining(`hint: ${hint}`)]);
});
