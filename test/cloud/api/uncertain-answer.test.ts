import { expect, test } from 'vitest';
import { cloudOf } from '../client.ts';
import { startScriptedPlane } from '../scripted-plane.ts';

const path = '/v1/resource-groups';

/** A server that accepts the creation but answers with `status`; its clock is off by `skewMs`. */
function accepting(status: number, skewMs = 0) {
  let made: object | undefined;
  return startScriptedPlane(({ method, path: asked, body }) => {
    if (asked !== path) return undefined;
    if (method === 'GET') return [200, { resource_groups: made === undefined ? [] : [made] }];
    const { resource_group: group } = JSON.parse(body);
    made = { id: 'g1', ...group, created_at: new Date(Date.now() + skewMs).toISOString() };
    return [status, { code: 13, message: 'internal' }];
  });
}

const inPlace = (url: string) => ({
  addresses: { apiUrl: url, authUrl: url, legacyUrl: url, audience: 'cloudv2-sandbox.example' },
});

test.each([500, 502, 503, 504])('a %d to a creation that was accepted is looked up, not sent again', async (status) => {
  await using plane = await accepting(status);
  using client = cloudOf(plane, inPlace(plane.url));
  expect(await client.cloud.createResourceGroup({ name: 'dev' })).toMatchObject({ id: 'g1' });
  expect(plane.calls.filter(({ method, path: asked }) => method === 'POST' && asked === path)).toHaveLength(1);
});

test.each([
  ['a minute slow', -60_000],
  ['four minutes slow', -240_000],
  ['a minute ahead', 60_000],
])('what was created is recognised by a server whose clock is %s', async (_, skewMs) => {
  await using plane = await accepting(500, skewMs);
  using client = cloudOf(plane, inPlace(plane.url));
  await client.cloud.createResourceGroup({ name: 'dev' });
  expect(plane.calls.filter(({ method, path: asked }) => method === 'POST' && asked === path)).toHaveLength(1);
});

test('one of the same name that is ten minutes older is a different one', async () => {
  const old = { id: 'old', name: 'dev', created_at: new Date(Date.now() - 600_000).toISOString() };
  await using plane = await startScriptedPlane(({ method, path: asked, before }) => {
    if (asked !== path) return undefined;
    if (method === 'GET') return [200, { resource_groups: [old] }];
    return before === 0 ? [500, {}] : [200, { resource_group: { ...old, id: 'new' } }];
  });
  using client = cloudOf(plane, inPlace(plane.url));
  expect(await client.cloud.createResourceGroup({ name: 'dev' })).toMatchObject({ id: 'new' });
});
