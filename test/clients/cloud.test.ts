import { expect, test } from 'vitest';
import { cloudOptions } from '../../src/clients/cloud.ts';
import type { SecretKey } from '../../src/config/options.ts';
import { resolveConfig } from '../../src/config/resolve.ts';
import { startDeadline } from '../../src/deadline.ts';
import { secretText } from '../../src/net/secret.ts';
import { emptyDirectory, hostOf, profileFile, writeWhole } from '../config/sources/sources.ts';

const second = 1_000_000_000n;
const deadline = startDeadline({
  ...{ dial: second, requestOverhead: second, retry: second },
  ...{ command: second, fetchMaxWait: second },
});
deadline.dispose();

interface Given {
  readonly x?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Options of the selected profile. */
  readonly profile?: readonly string[];
}

/** The options of the control plane client, and the warnings. */
async function optionsFor({ x = [], env = {}, profile }: Given = {}) {
  const home = emptyDirectory();
  if (profile !== undefined) writeWhole(`${home}/.config/weir/weir.yaml`, profileFile(...profile));
  const host = hostOf({ env, home });
  const warnings: string[] = [];
  const messages = { warn: (line: string) => void warnings.push(line.replaceAll(home, 'HOME')) };
  const config = await resolveConfig(host, { x, deprecated: [] });
  const parts = { host, messages } as unknown as Parameters<typeof cloudOptions>[0];
  const get = async (key: SecretKey) => String(config.get(key));
  const options = cloudOptions(parts, config, deadline, {
    get,
    renew: get,
  });
  return { ...options, home, warnings };
}

const production = {
  apiUrl: 'https://api.redpanda.com',
  authUrl: 'https://auth.prd.cloud.redpanda.com',
  audience: 'cloudv2-production.redpanda.cloud',
  legacyUrl: 'https://cloud-api.prd.cloud.redpanda.com',
};

test('the defaults are the production addresses, without credentials, encrypted', async () => {
  const { home, ...options } = await optionsFor();
  expect(options).toMatchObject({
    ...{ addresses: production, insecureHttp: false, userAgent: 'weir', warnings: [], deadline },
    stateDirectory: `${home}/.local/state/weir`,
  });
  expect(options.credentials).toEqual({ token: undefined, clientId: undefined, clientSecret: undefined });
  expect(options.deviceClientId).toBeUndefined();
});

test('each option goes to its own place', async () => {
  const options = await optionsFor({
    x: [
      ...['cloud.api_url=https://a', 'cloud.auth_url=https://b', 'cloud.audience=c', 'cloud.legacy_url=https://d'],
      ...['cloud.client_id=i', 'cloud.client_secret=s', 'cloud.insecure_http=true', 'cloud.device_client_id=v'],
    ],
  });
  expect(options).toMatchObject({
    addresses: { apiUrl: 'https://a', authUrl: 'https://b', audience: 'c', legacyUrl: 'https://d' },
    ...{ insecureHttp: true, deviceClientId: 'v' },
    credentials: { token: undefined, clientId: 'i' },
  });
  expect(await secretText(options.credentials.clientSecret ?? '')).toBe('s');
});

const token = { WEIR_CLOUD_TOKEN: 't' };

test.each<[string, Given, string | undefined]>([
  ['counts without other credentials', { env: token }, 't'],
  ['that is empty does not count', { env: { WEIR_CLOUD_TOKEN: '' } }, undefined],
  ['counts next to credentials of the environment', { env: { ...token, WEIR_CLOUD_CLIENT_ID: 'i' } }, 't'],
  ['counts next to credentials of the profile', { env: token, profile: ['cloud.client_id: i'] }, 't'],
  ['is overridden by credentials on the command line', { env: token, x: ['cloud.client_id=i'] }, undefined],
  ['counts if the command line clears the credentials', { env: token, x: ['cloud.client_id='] }, 't'],
])('a token in the environment %s', async (_, given, expected) => {
  const { token: sent } = (await optionsFor(given)).credentials;
  expect(sent && (await secretText(sent))).toBe(expected);
});

test('a token of the environment goes to the address of a profile without a word', async () => {
  const { addresses, warnings } = await optionsFor({ env: token, profile: ['cloud.api_url: https://a'] });
  expect([addresses.apiUrl, warnings]).toEqual(['https://a', []]);
});
