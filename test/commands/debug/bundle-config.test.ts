import { expect, test } from 'vitest';
import { bundleWorld, job } from './bundle-world.ts';

test.each([
  ['', {}],
  ['-p orders/0', { partition: ['kafka/orders/0'] }],
  ['-l a=b', { label_selector: [{ key: 'a', value: 'b' }] }],
])('debug remote-bundle start sends what its flags say, and nothing else: %j', async (flags, config) => {
  const { bundle, switches } = await bundleWorld();
  expect((await bundle(`start --broker 1 --job-id ${job} ${flags}`)).exitCode).toBe(0);
  const sizes = switches.journal().flatMap(({ route, bodyBytes }) => (route === 'bundle.start' ? [bodyBytes] : []));
  // The simulator checks the form; the length says that nothing else is in it.
  expect(sizes).toEqual([Buffer.byteLength(JSON.stringify({ job_id: job, config }))]);
});
