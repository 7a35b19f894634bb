import { expect, test } from 'vitest';
import { run, temporaryDirectory } from '../../world.ts';
import { startFilledRegistry } from './registry-world.ts';

test('completion offers the subjects of the registry, and keeps them for the next Tab', async () => {
  await using made = await startFilledRegistry();
  const home = temporaryDirectory();
  // Real time does not run out there.
  const world = { ...made.world, home, uptimeMs: -600_000 };
  const words = ['__complete', 'subjects', '--', 'o', 'registry', 'schema', 'get'];
  expect(await run(words, world)).toEqual({ stdout: 'money\norders\n', stderr: '', exitCode: 0 });
  const before = made.server.calls.length;
  expect((await run(words, world)).stdout).toBe('money\norders\n');
  expect(made.server.calls).toHaveLength(before);
});
