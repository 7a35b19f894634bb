import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Plane, startPlane } from '../plane.ts';

let plane: Plane;
beforeAll(async () => {
  plane = await startPlane();
});
afterAll(() => plane.stop());

test('the regions of a provider are listed, and an unknown provider is 400', async () => {
  const { body } = await plane.api('GET', '/v1/regions/CLOUD_PROVIDER_AZURE');
  expect(body.regions.map(({ name }: { name: string }) => name)).toEqual(['eastus', 'northeurope']);
  const refused = await plane.api('GET', '/v1/regions/CLOUD_PROVIDER_MOON');
  expect(refused).toMatchObject({
    status: 400,
    body: { details: [{}, { field_violations: [{ field: 'cloud_provider' }] }] },
  });
});

test('the tiers of several regions are those that any of them offers', async () => {
  const tiers = async (...regions: readonly string[]): Promise<readonly string[]> => {
    const filter = regions.map((region) => `filter.region=${region}`).join('&');
    const { body } = await plane.api('GET', `/v1beta2/tiers?${filter}`);
    return body.throughput_tiers.map(({ name }: { name: string }) => name);
  };
  const [eastus, west] = [await tiers('eastus'), await tiers('us-west-2')];
  expect([eastus.length, west.length]).toEqual([10, 14]);
  expect((await tiers('eastus', 'us-west-2')).toSorted()).toEqual([...eastus, ...west].toSorted());
});
