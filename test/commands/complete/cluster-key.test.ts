import { expect, test } from 'vitest';
import { clusterKey } from '../../../src/commands/complete/cluster-key.ts';
import { resolveConfig } from '../../../src/config/resolve.ts';
import { hostOf } from '../../config/sources/sources.ts';

async function keyOf(...x: readonly string[]): Promise<string> {
  return clusterKey(await resolveConfig(hostOf({}), { x, deprecated: [] }));
}

test('everything that determines the connection gives another key', async () => {
  const lines = [
    [],
    ['brokers=a:1'],
    ['brokers=a:2'],
    ['brokers=a:1,b:1'],
    ['user=a', 'pass=x'],
    ['user=b', 'pass=x'],
    ['user=a', 'pass=x', 'sasl.mechanism=PLAIN'],
    ['tls.enabled=true'],
    ['tls.ca=/a'],
    ['tls.ca=/b'],
    ['tls.cert=/a', 'tls.key=/b'],
    ['tls.cert=/a', 'tls.key=/c'],
    ['tls.enabled=true', 'tls.insecure_skip_verify=true'],
  ];
  const keys = await Promise.all(lines.map((line) => keyOf(...line)));
  expect(new Set(keys).size).toBe(lines.length);
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
});

test('the password, limits and other APIs do not', async () => {
  const key = await keyOf('brokers=a:1', 'user=a', 'pass=x');
  expect(await keyOf('user=a', 'pass=y', 'brokers=a:1', 'globals.retry_timeout=1s', 'admin.hosts=b:1')).toBe(key);
});

test('the schema registry has a key of its own', async () => {
  const registryKey = async (...x: readonly string[]) =>
    clusterKey(await resolveConfig(hostOf({}), { x, deprecated: [] }), 'registry');
  const lines = [[], ['registry.hosts=a'], ['registry.hosts=https://a'], ['user=a'], ['registry.tls.ca=/a']];
  const keys = await Promise.all(lines.map((line) => registryKey(...line)));
  expect(new Set([...keys, await keyOf()]).size).toBe(lines.length + 1);
  expect(await registryKey('brokers=b')).toBe(keys[0]);
});

test('the Admin API has a key of its own, and names that one of two APIs knows depend on both', async () => {
  const keyFor = async (api: 'admin' | 'either', ...x: readonly string[]) =>
    clusterKey(await resolveConfig(hostOf({}), { x, deprecated: [] }), api);
  const lines = [[], ['admin.hosts=a'], ['user=a'], ['admin.tls.ca=/a']];
  const keys = await Promise.all(lines.map((line) => keyFor('admin', ...line)));
  expect(new Set([...keys, await keyOf()]).size).toBe(lines.length + 1);
  expect(await keyFor('admin', 'brokers=b')).toBe(keys[0]);
  const either = await Promise.all([[], ['admin.hosts=a'], ['brokers=a']].map((line) => keyFor('either', ...line)));
  expect(new Set(either).size).toBe(3);
});
