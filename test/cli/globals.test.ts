import { expect, test } from 'vitest';
import { globalFlagsOf, globalsOf, viewOf } from '../../src/cli/globals.ts';
import type { Host } from '../../src/host/host.ts';

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

test.each<[string, Host, boolean]>([
  ['a terminal', hostWith({}, ['stdin', 'stderr']), false],
  ['CI', hostWith({ CI: '1' }, ['stdin', 'stderr']), true],
  ['an empty CI', hostWith({ CI: '' }, ['stdin', 'stderr']), false],
  ['redirected input', hostWith({}, ['stdout', 'stderr']), true],
  ['redirected messages', hostWith({}, ['stdin', 'stdout']), true],
])('T1, P1: with %s, whether nothing is asked', (_, host, expected) => {
  const [flags, refusing] = [false, true].map((noInput) => globalFlagsOf({ ...globals, noInput }, host));
  expect([flags?.noInput, flags?.refusesInput]).toEqual([expected, false]);
  expect([refusing?.noInput, refusing?.refusesInput]).toEqual([true, true]);
});

test.each<[string, Host, 'text' | 'wide', number | undefined]>([
  ['its own width', hostWith({}, ['stdout'], 90), 'text', 90],
  ['the width of COLUMNS', hostWith({ COLUMNS: '40' }, ['stdout'], 90), 'text', 40],
  ['its own width for COLUMNS=0', hostWith({ COLUMNS: '0' }, ['stdout'], 90), 'text', 90],
  ['its own width for a COLUMNS that is no number', hostWith({ COLUMNS: 'x' }, ['stdout'], 90), 'text', 90],
  ['no width for wide', hostWith({ COLUMNS: '40' }, ['stdout'], 90), 'wide', undefined],
  ['no width if it is none', hostWith({ COLUMNS: '40' }, [], 90), 'text', undefined],
])('a terminal has %s', (_, host, format, columns) => {
  const flags = globalFlagsOf({ ...globals, format, noHeaders: true }, host);
  expect(viewOf(flags, host)).toEqual({ noHeaders: true, columns, color: host.stdout.isTerminal });
});
