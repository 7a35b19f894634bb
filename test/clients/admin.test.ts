import { expect, test } from 'vitest';
import { besideKafka } from '../../src/clients/admin.ts';
import { httpApiOptions } from '../../src/clients/http-api.ts';
import type { SecretKey } from '../../src/config/options.ts';
import { resolveConfig } from '../../src/config/resolve.ts';
import { startDeadline } from '../../src/deadline.ts';
import { unreachableError } from '../../src/errors.ts';
import type { Kafka } from '../../src/kafka/open.ts';
import { emptyDirectory, hostOf } from '../config/sources/sources.ts';

const second = 1_000_000_000n;
const deadline = startDeadline({
  ...{ dial: second, requestOverhead: second, retry: second },
  ...{ command: second, fetchMaxWait: second },
});
deadline.dispose();
const warn = (): undefined => undefined;

async function optionsFor(x: readonly string[] = [], typed = '') {
  const host = hostOf({ env: { https_proxy: 'http://proxy' }, home: emptyDirectory() });
  const config = await resolveConfig(host, { x, deprecated: [] });
  const parts = { host, messages: { warnOnce: warn } };
  const given = {
    parts,
    config,
    deadline,
    secretOf: async (key: SecretKey) => config.get(key) || typed,
  } as unknown as Parameters<typeof httpApiOptions>[1];
  return httpApiOptions('admin', given);
}

test('the default is port 9644 of this machine, without TLS and credentials', async () => {
  expect(await optionsFor()).toEqual({
    addresses: [{ host: 'localhost', port: 9644 }],
    usesTls: false,
    tls: { ca: undefined, cert: undefined, key: undefined, insecureSkipVerify: false, keyPrefix: 'admin.tls' },
    credentials: undefined,
    firstContact: 'stop',
    proxy: { option: '', env: { https_proxy: 'http://proxy' } },
    userAgent: 'weir',
    deadline,
    warn,
  });
});

test('each option goes to its own place', async () => {
  const options = await optionsFor([
    ...['admin.hosts=https://a/admin,b:1', 'admin.tls.ca=/ca', 'admin.tls.insecure_skip_verify=true'],
    ...['user=ana', 'pass=opensesame', 'globals.retry_timeout=3s'],
  ]);
  expect(options).toMatchObject({
    addresses: [
      { scheme: 'https', host: 'a', port: 443, path: '/admin' },
      { host: 'b', port: 1 },
    ],
    ...{ usesTls: true, tls: { ca: '/ca', insecureSkipVerify: true }, firstContact: 'retry' },
    credentials: { user: 'ana', pass: 'opensesame' },
  });
});

test('there are credentials only with a user and a password, which may have been typed', async () => {
  expect((await optionsFor(['user=ana'])).credentials).toBeUndefined();
  expect((await optionsFor(['pass=x'])).credentials).toBeUndefined();
  expect((await optionsFor(['user=ana'], 'typed')).credentials).toEqual({
    user: 'ana',
    pass: 'typed',
    whenRefused: expect.stringContaining('user is from -X user, pass from the prompt'),
  });
});

test.each([
  ['weir cluster brokers list', 'over the Kafka API, use: weir cluster info'],
  ['weir cluster partitions move', 'over the Kafka API, use: weir topic reassign'],
  ['weir security role list', 'over the Kafka API, use: weir security acl'],
  ['weir cluster license info', undefined],
])('%s says that Apache Kafka has no Admin API, and what to use instead', async (command, instead) => {
  const refused = unreachableError('connection refused', { retryable: true });
  const host = hostOf({ env: {}, home: emptyDirectory() });
  const { whenRefused } = besideKafka({
    parts: { command },
    config: () => resolveConfig(host, { x: [], deprecated: [] }),
    kafka: async () => ({ isRedpanda: async () => false }) as Kafka,
  });
  const { message, hints, code, exitCode, retryable } = (await whenRefused?.(refused)) ?? refused;
  expect(message).toBe('this command needs the Admin API of Redpanda, and this cluster is not Redpanda');
  expect(hints.filter((hint) => hint.startsWith('over'))).toEqual(instead === undefined ? [] : [instead]);
  expect({ code, exitCode, retryable }).toEqual({ code: 'NO_ADMIN_API', exitCode: 1, retryable: false });
});
