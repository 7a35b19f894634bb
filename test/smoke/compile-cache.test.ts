import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../world.ts';

const weir = resolve('bin/weir.js');
const node = resolve('node_modules/node/bin/node');

/** Runs the built binary with these variables alone. */
async function run(env: Readonly<Record<string, string>>): Promise<void> {
  const { exitCode } = await execa(node, [weir, '--version'], {
    env: { PATH: process.env.PATH, ...env },
    extendEnv: false,
    stdin: 'ignore',
  });
  expect(exitCode).toBe(0);
}

test.each([
  ['no home', {}],
  ['a home that is no path', { HOME: 'somewhere' }],
  ['a home where nothing can be made', { HOME: '/proc' }],
])('with %s, no compiled code goes to the shared temporary directory', async (_, env) => {
  const TMPDIR = temporaryDirectory();
  await run({ TMPDIR, ...env });
  expect(readdirSync(TMPDIR)).toEqual([]);
});

test('compiled code lies in a directory of the user alone', async () => {
  const cache = temporaryDirectory();
  await run({ XDG_CACHE_HOME: cache });
  const directory = join(cache, 'weir/compile');
  expect(readdirSync(directory)).not.toEqual([]);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
});

test('below a directory that others could write to, no compiled code is used', async () => {
  const cache = temporaryDirectory();
  mkdirSync(join(cache, 'weir'));
  chmodSync(join(cache, 'weir'), 0o777);
  await run({ XDG_CACHE_HOME: cache });
  expect(readdirSync(join(cache, 'weir/compile'))).toEqual([]);
});

test.each([
  ['a directory', 0o777],
  ['a directory of a group', 0o775],
])('below %s that others could write to, however far above, no compiled code is used', async (_, mode) => {
  const open = temporaryDirectory();
  const cache = join(open, 'closed/cache');
  mkdirSync(cache, { recursive: true });
  chmodSync(open, mode);
  await run({ XDG_CACHE_HOME: cache });
  expect(readdirSync(join(cache, 'weir/compile'))).toEqual([]);
  chmodSync(open, 0o700);
  await run({ XDG_CACHE_HOME: cache });
  expect(readdirSync(join(cache, 'weir/compile'))).not.toEqual([]);
});

test('behind a link to a place that others could write to, no compiled code is used', async () => {
  const [here, open] = [temporaryDirectory(), temporaryDirectory()];
  mkdirSync(join(open, 'cache'));
  symlinkSync(join(open, 'cache'), join(here, 'link'));
  chmodSync(open, 0o777);
  await run({ XDG_CACHE_HOME: join(here, 'link') });
  expect(readdirSync(join(open, 'cache/weir/compile'))).toEqual([]);
});

test('a directory that others could write to is made anew', async () => {
  const cache = temporaryDirectory();
  const directory = join(cache, 'weir/compile');
  mkdirSync(directory, { recursive: true });
  chmodSync(directory, 0o777);
  writeFileSync(join(directory, 'planted'), '');
  await run({ XDG_CACHE_HOME: cache });
  expect(existsSync(join(directory, 'planted'))).toBe(false);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
});
