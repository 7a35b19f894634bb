import { expect, test } from 'vitest';
import { registryOptions } from '../../src/clients/http-api.ts';
import type { SecretKey } from '../../src/config/options.ts';
import { resolveConfig } from '../../src/config/resolve.ts';
import { startDeadline } from '../../src/deadline.ts';
import { emptyDirectory, hostOf } from '../config/sources/sources.ts';

const second = 1_000_000_000n;
const deadline = startDeadline({
  ...{ dial: second, requestOverhead: second, retry: second },
  ...{ command: second, fetchMaxWait: second },
});
deadline.dispose();
const warn = (): undefined => undefined;

async function optionsFor(x: readonly string[] = [], typed = '') {
  const home = emptyDirectory();
  const host = hostOf({ env: { https_proxy: 'http://proxy' }, home });
  const config = await resolveConfig(host, { x, deprecated: [] });
  const parts = { host, messages: { warnOnce: warn } };
  const given = {
    parts,
    config,
    deadline,
    secretOf: async (key: SecretKey) => config.get(key) || typed,
  } as unknown as Parameters<typeof registryOptions>[0];
  const options = await registryOptions(given);
  return { ...options, home };
}

test('the default is port 8081 of this machine, without TLS and credentials', async () => {
  const { home, ...options } = await optionsFor();
  expect(options).toEqual({
    addresses: [{ host: 'localhost', port: 8081 }],
    usesTls: false,
    tls: { ca: undefined, cert: undefined, key: undefined, insecureSkipVerify: false, keyPrefix: 'registry.tls' },
    credentials: undefined,
    firstContact: 'stop',
    cacheDirectory: `${home}/.cache/weir`,
    proxy: { option: '', env: { https_proxy: 'http://proxy' } },
    userAgent: 'weir',
    deadline,
    warn,
  });
});

test('each option goes to its own place', async () => {
  const options = await optionsFor([
    ...[
      'registry.hosts=https://a/apis/ccompat/v7,b:1',
      'registry.tls.ca=/ca',
      'registry.tls.insecure_skip_verify=true',
    ],
    ...['user=ana', 'pass=opensesame', 'globals.retry_timeout=3s'],
  ]);
  expect(options).toMatchObject({
    addresses: [
      { scheme: 'https', host: 'a', port: 443, path: '/apis/ccompat/v7' },
      { host: 'b', port: 1 },
    ],
    ...{ usesTls: true, tls: { ca: '/ca', insecureSkipVerify: true }, firstContact: 'retry' },
    credentials: { user: 'ana', pass: 'opensesame' },
  });
});

test('a user without a password has no credentials, unless one was typed', async () => {
  expect((await optionsFor(['user=ana'])).credentials).toBeUndefined();
  expect((await optionsFor(['user=ana'], 'typed')).credentials).toEqual({
    user: 'ana',
    pass: 'typed',
    whenRefused: expect.stringContaining('user is from -X user, pass from the prompt'),
  });
  expect((await optionsFor(['pass=x'])).credentials).toBeUndefined();
});

test.each(['ana:x@registry.example', 'https://ana:x@registry.example'])(
  'credentials in the address %s are refused, without repeating them',
  async (address) => {
    const error = await optionsFor([`registry.hosts=${address}`]).catch((reason: Error) => reason);
    expect(String(error)).toContain('use the options user and pass');
    expect(String(error)).not.toContain('ana:x');
  },
);
