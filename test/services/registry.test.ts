import { expect, test } from 'vitest';
import { isRunning } from '../../src/files/process-id.ts';
import { newSubject, registry } from './registry.ts';

const json = { 'Content-Type': 'application/vnd.schemaregistry.v1+json' };

test('the registry answers, with the default level of other registries', async () => {
  const { url, address, version, process } = registry();
  expect(url).toBe(`http://${address}/apis/ccompat/v7`);
  expect(await isRunning(process)).toBe(true);
  expect(await (await fetch(`${url}/config`)).json()).toEqual({ compatibilityLevel: 'BACKWARD' });
  const info = await fetch(`http://${address}/apis/registry/v3/system/info`);
  expect(await info.json()).toMatchObject({ version });
});

test('a schema is registered, and an incompatible one refused', async () => {
  const versions = `${registry().url}/subjects/${newSubject('orders')}/versions`;
  const register = async (...names: readonly string[]) => {
    const fields = names.map((name) => ({ name, type: 'int' }));
    const schema = JSON.stringify({ type: 'record', name: 'Order', fields });
    return await fetch(versions, { method: 'POST', headers: json, body: JSON.stringify({ schema }) });
  };
  expect(await (await register('a')).json()).toEqual({ id: expect.any(Number) });
  expect(await (await register('a', 'b')).json()).toMatchObject({ error_code: 409 });
  expect(await (await fetch(versions)).json()).toEqual([1]);
});
