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
