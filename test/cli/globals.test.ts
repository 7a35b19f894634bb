import { expect, test } from 'vitest';
import { globalFlagsOf, globalsOf, viewOf } from '../../src/cli/globals.ts';
import type { Host } from '../../src/host.ts';

const globals = globalsOf([], { uses: [], operands: [], unknown: [] });

/** A host with these variables and terminals. */
function hostWith(env: Host['env'], terminals: readonly ('stdin' | 'stdout' | 'stderr')[], columns?: number): Host {
  const at = (name: (typeof terminals)[number]) => ({ isTerminal: terminals.includes(name), columns });
  return { env, stdin: at('stdin'), stdout: at('stdout'), stderr: at('stderr') } as unknown as Host;
}

test('flags that a command shadows have their defaults', () => {
  expect(globals).toEqual({
    ...{ configOpt: [], profile: undefined, config: undefined, brokerConfig: undefined, format: 'text', verbose: 0 },
    ...{ quiet: false, trace: undefined, color: 'auto', noInput: false, yes: false, noHeaders: false },
    ...{ help: false, version: false },
  });
});

test.each<[string, boolean, Host['env'], readonly ('stdin' | 'stdout' | 'stderr')[], boolean]>([
  ['a terminal', false, {}, ['stdin', 'stderr'], false],
  ['--no-input', true, {}, ['stdin', 'stderr'], true],
  ['CI', false, { CI: '1' }, ['stdin', 'stderr'], true],
  ['an empty CI', false, { CI: '' }, ['stdin', 'stderr'], false],
  ['redirected input', false, {}, ['stdout', 'stderr'], true],
  ['redirected messages', false, {}, ['stdin', 'stdout'], true],
])('with %s, whether nothing is asked', (_, noInput, env, terminals, expected) => {
  const flags = globalFlagsOf({ ...globals, noInput }, hostWith(env, terminals));
  expect([flags.noInput, flags.refusesInput]).toEqual([expected, noInput]);
});

test.each<[string, Host['env'], 'text' | 'wide', boolean, number | undefined]>([
  ['its own width', {}, 'text', true, 90],
  ['the width of COLUMNS', { COLUMNS: '40' }, 'text', true, 40],
  ['its own width for COLUMNS=0', { COLUMNS: '0' }, 'text', true, 90],
  ['its own width for a COLUMNS that is no number', { COLUMNS: 'x' }, 'text', true, 90],
  ['no width for wide', { COLUMNS: '40' }, 'wide', true, undefined],
  ['no width without a terminal', { COLUMNS: '40' }, 'text', false, undefined],
])('a terminal has %s', (_, env, format, isTerminal, columns) => {
  const host = hostWith(env, isTerminal ? ['stdout'] : [], 90);
  const flags = globalFlagsOf({ ...globals, format, noHeaders: true }, host);
  expect(viewOf(flags, host)).toEqual({ noHeaders: true, columns, color: isTerminal });
});
