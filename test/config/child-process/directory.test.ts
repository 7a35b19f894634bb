import { join } from 'node:path';
import { expect, test } from 'vitest';
import { realClock } from '../../../src/clock.ts';
import { homeDirectory, safeDirectory } from '../../../src/config/child-process.ts';
import { type Host, realHost, type SpawnOptions } from '../../../src/host/host.ts';
import { runForOutput } from '../../../src/sign-in/secrets/limited-run.ts';
import { temporaryDirectory } from '../../world.ts';

const home = temporaryDirectory();
const missing = join(home, 'missing');

test.each([
  ['linux', home, {}, { cwd: home }],
  ['linux', missing, {}, {}],
  ['linux', undefined, {}, {}],
  ['win32', home, { cwd: home }, { cwd: home }],
  ['win32', undefined, {}, {}],
] as const)(
  'on %s with the home directory %s, programs are started where nobody else has put files',
  async (platform, at, place, whole) => {
    const host = { platform, home: at };
    expect([safeDirectory(host), await homeDirectory(host)]).toEqual([place, whole]);
  },
);

test.each([
  [true, home],
  [false, undefined],
])('a program for what it prints is started at home: %s', async (isAtHome, cwd) => {
  const given: SpawnOptions[] = [];
  const spawn = async (_file: string, _args: readonly string[], options: SpawnOptions) => {
    given.push(options);
    return { exitCode: 0, stdout: '', stderr: '' };
  };
  const clock = { ...realClock, after: () => () => undefined };
  const deadline = { clock, signal: new AbortController().signal };
  const host: Host = { ...realHost(), platform: 'linux', home, spawn };
  await runForOutput({ host, deadline }, { file: 'az', args: [], isAtHome }, () => new Error('overdue'));
  expect(given[0]?.cwd).toBe(cwd);
});
