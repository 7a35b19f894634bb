import { expect, test } from 'vitest';
import { run } from '../world.ts';

test('--version is one line', async () => {
  expect(await run('--version')).toEqual({ stdout: 'weir 0.1.0\n', stderr: '', exitCode: 0 });
});
