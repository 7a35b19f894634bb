import { expect, test } from 'vitest';
import { run } from '../world.ts';

test('version shows weir, Node and the system', async () => {
  expect(await run('version')).toEqual({
    stdout: 'VERSION:  0.1.0\nRUNTIME:  Node.js 24.0.0\nOS/ARCH:  linux/x64\n',
    stderr: '',
    exitCode: 0,
  });
});

test('version as data', async () => {
  const { stdout } = await run('version --format json');
  expect(JSON.parse(stdout)).toEqual({ version: '0.1.0', runtime: 'Node.js 24.0.0', os: 'linux', arch: 'x64' });
});
