import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { mayAnimate, wantsColor } from '../../../src/cli/output/color.ts';

const stream = new Writable();
const terminal = { stream, isTerminal: true, columns: 80 };
const pipe = { stream, isTerminal: false, columns: undefined };

test.each([
  ['a terminal', { choice: 'auto', env: {}, output: terminal }, true],
  ['a pipe', { choice: 'auto', env: {}, output: pipe }, false],
  ['NO_COLOR, whatever its value', { choice: 'auto', env: { NO_COLOR: '0' }, output: terminal }, false],
  ['an empty NO_COLOR', { choice: 'auto', env: { NO_COLOR: '' }, output: terminal }, true],
  ['FORCE_COLOR when piped', { choice: 'auto', env: { FORCE_COLOR: '1' }, output: pipe }, true],
  ['NO_COLOR over FORCE_COLOR', { choice: 'auto', env: { FORCE_COLOR: '1', NO_COLOR: '1' }, output: terminal }, false],
  ['CLICOLOR_FORCE when piped', { choice: 'auto', env: { CLICOLOR_FORCE: '1' }, output: pipe }, true],
  [
    'NO_COLOR over CLICOLOR_FORCE',
    { choice: 'auto', env: { CLICOLOR_FORCE: '1', NO_COLOR: '1' }, output: pipe },
    false,
  ],
  ['FORCE_COLOR=0', { choice: 'auto', env: { FORCE_COLOR: '0' }, output: terminal }, false],
  ['FORCE_COLOR=false', { choice: 'auto', env: { FORCE_COLOR: 'false' }, output: terminal }, false],
  ['CLICOLOR_FORCE=0 in a pipe', { choice: 'auto', env: { CLICOLOR_FORCE: '0' }, output: pipe }, false],
  ['CLICOLOR_FORCE=0 on a terminal', { choice: 'auto', env: { CLICOLOR_FORCE: '0' }, output: terminal }, true],
  ['TERM=dumb', { choice: 'auto', env: { TERM: 'dumb' }, output: terminal }, false],
  ['CI', { choice: 'auto', env: { CI: 'true' }, output: terminal }, false],
  ['--color always over NO_COLOR', { choice: 'always', env: { NO_COLOR: '1' }, output: pipe }, true],
  ['--color never over FORCE_COLOR', { choice: 'never', env: { FORCE_COLOR: '1' }, output: terminal }, false],
] as const)('C1, C2: color with %s', (_, { choice, env, output }, expected) => {
  expect(wantsColor(choice, env, output)).toBe(expected);
});

test('T1: only a terminal that is neither dumb nor in CI is redrawn', () => {
  expect(mayAnimate({}, terminal)).toBe(true);
  expect(mayAnimate({}, pipe)).toBe(false);
  expect(mayAnimate({ TERM: 'dumb' }, terminal)).toBe(false);
  expect(mayAnimate({ CI: '1' }, terminal)).toBe(false);
});
