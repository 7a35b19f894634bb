import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { leavesOf, walkTree } from '../../src/cli/help/tree.ts';
import { flagSet } from '../../src/cli/parse/flag-set.ts';
import { commands } from '../../src/commands/index.ts';
import { parsed } from '../parsed-path.ts';
import { run, splitLine, temporaryDirectory } from '../world.ts';

const nodes = await walkTree(commands);
const leaves = leavesOf(nodes).filter(({ command }) => !command.hidden);
const ownFlags = leaves.flatMap(({ path, command }) =>
  flagSet(command)
    .filter(({ scope, flag }) => scope === 'own' && !flag.hidden)
    .map((entry) => ({ at: path.join(' '), ...entry })),
);

/** The values of a line, as its command would get them. */
async function valuesOf(line: string | readonly string[]): Promise<Readonly<Record<string, unknown>>> {
  return (await parsed(typeof line === 'string' ? splitLine(line) : line)).values;
}

describe('A1: flags and values', () => {
  test.each<[string, readonly string[]]>([
    ['topic create a -p 3', ['topic create a --partitions=3', 'topic create a --partitions 3', 'topic create a -p3']],
    ['topic create a -p 3', ['topic create -p 3 a', 'topic create -p 9 a -p 3']],
    ['topic describe a -s -c -p', ['topic describe a -scp', 'topic describe -sc a -p', 'topic describe -scp -- a']],
    ['topic consume a -o 5 -n 1', ['topic consume a -o5 -n1', 'topic consume a --offset=5 --num=1']],
    ['topic create a -c x=1 -c y=2', ['topic create a -cx=1 -c=y=2', 'topic create a --topic-config=x=1 -c y=2']],
    ['cloud network delete n --no-wait', ['cloud network delete n --wait=false', 'cloud network delete --no-wait n']],
  ])('%s can be typed in other ways', async (line, others) => {
    const values = await valuesOf(line);
    for (const other of others) expect(await valuesOf(other), other).toEqual(values);
  });

  test('negative numbers and - are values, and after -- everything is an argument', async () => {
    const offset = await valuesOf('topic consume a -o 5');
    for (const line of ['topic consume a -o -5', 'topic consume a --offset -5', 'topic consume a -o-5'])
      expect((await valuesOf(line)).offset, line).not.toEqual(offset.offset);
    expect(await valuesOf('topic trim-prefix --from-file -')).toMatchObject({ fromFile: '-' });
    expect(await valuesOf('group describe -- -g --format')).toMatchObject({ groups: ['-g', '--format'] });
    await expect(valuesOf('group describe -g')).rejects.toThrow('-g');
  });
});

test('A2: no command and no flag can be abbreviated', async () => {
  const tree = new Map<string, Set<string>>();
  const add = (path: readonly string[], names: readonly string[]) => {
    const above = path.slice(0, -1).join(' ');
    tree.set(above, new Set([...(tree.get(above) ?? []), ...names]));
  };
  for (const { name, aliases } of commands) add([name], [name, ...aliases]);
  for (const node of nodes) {
    const name = node.path.at(-1) ?? '';
    if (node.path.length > 1) add(node.path, [name, ...('command' in node ? node.command : node.noun).aliases]);
  }
  // Where a noun has one of these two, the other is the same.
  for (const names of tree.values()) for (const both of ['get', 'describe']) names.add(both);
  let tried = 0;
  for (const { path } of leaves) {
    const name = path.at(-1) ?? '';
    const names = tree.get(path.slice(0, -1).join(' '));
    const short = name.slice(0, -1);
    if (short === '' || names?.has(short)) continue;
    tried += 1;
    await expect(parsed([...path.slice(0, -1), short]), `${path.join(' ')} as ${short}`).rejects.toThrow('no command');
  }
  expect(tried).toBeGreaterThan(150);
  for (const { at, name } of ownFlags.filter(({ name: long }) => long.length > 4).slice(0, 60)) {
    const short = `--${name.slice(0, -1)}`;
    if (ownFlags.some((one) => one.at === at && [`--${one.name}`].includes(short))) continue;
    await expect(parsed([...at.split(' '), short]), `${at} ${short}`).rejects.toThrow();
  }
});

describe('A3: standard names', () => {
  test('-h and --help, --version, -v and --verbose, -q and --quiet are flags of every command', async () => {
    const global = new Map(flagSet(undefined).map(({ name, short }) => [name, short]));
    expect([global.get('help'), global.get('verbose'), global.get('quiet')]).toEqual(['h', 'v', 'q']);
    expect(global.has('version')).toBe(true);
    expect(ownFlags.filter(({ short }) => ['h', 'v', 'q'].includes(short ?? ''))).toEqual([]);
    const help = await run('topic list --help');
    expect(await run('topic list -h')).toEqual(help);
    expect((await run('--version')).stdout).toMatch(/^weir \S+\n$/);
  });

  // These are rpk's.
  test('-o, -f and -n mean other things only where they do in rpk', () => {
    const meanings = (short: string) =>
      [...new Set(ownFlags.filter((one) => one.short === short).map(({ name }) => name))].sort();
    expect(meanings('o')).toEqual(
      ['offset', 'out', 'output', 'output-format', 'output-topic', 'print-offset', 'print-overview'].sort(),
    );
    expect(meanings('f')).toEqual(
      ['file', 'filter', 'follow', 'force', 'from-file', 'print-filters', 'record-format'].sort(),
    );
    expect(meanings('n')).toEqual(['lines', 'namespace', 'no-newline', 'node-ids', 'num', 'partitions']);
    for (const { command, path } of leaves) {
      const entries = flagSet(command).map(({ name }) => name);
      expect(entries.includes('dry-run'), path.join(' ')).toBe(command.changes !== 'reads');
    }
  });
});

describe('A4: files', () => {
  const machine = () => {
    const home = temporaryDirectory();
    writeFileSync(join(home, 'schema.avsc'), '"string"');
    const nowhere = {
      WEIR_BROKERS: '127.0.0.1:1',
      WEIR_ADMIN_HOSTS: '127.0.0.1:1',
      WEIR_REGISTRY_HOSTS: '127.0.0.1:1',
    };
    return { home, cwd: home, env: { ...nowhere, WEIR_GLOBALS_RETRY_TIMEOUT: '1ms', WEIR_CLOUD_TOKEN: 'x' } };
  };

  test.each([
    'topic reassign execute - --yes',
    'topic trim-prefix --from-file - --yes',
    'group offset-delete g --from-file -',
    'group seek g --to-file - --yes',
    'cluster quotas import --from - --yes',
    'cloud cluster create --file -',
    'cloud network create --file -',
  ])('%s reads standard input', async (line) => {
    const { stderr, exitCode } = await run(line, { ...machine(), stdin: 'bogus {[ content\n' });
    expect({ stderr, exitCode }).toEqual({
      stderr: expect.stringMatching(/^weir: unable to use standard input\W/),
      exitCode: 2,
    });
  });

  test.each(['topic reassign plan t --out -', 'doctor --report -', 'debug remote-bundle download --output -'])(
    '%s is refused: standard output has the result',
    async (line) => {
      const { stdout, stderr, exitCode } = await run(line, machine());
      expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
      expect(stderr).toContain('standard output has the result; for a file with this name, use ./-');
    },
  );

  test('every file that a command reads or writes is one of these', () => {
    const files = ownFlags.filter(({ flag }) => !flag.isSwitch && flag.kind.completes === 'file');
    expect([...new Set(files.map(({ name }) => name))].sort()).toEqual([
      ...[
        'cache-file',
        'client-secret-file',
        'config-file',
        'file',
        'from-file',
        'from-rpk',
        'out',
        'output',
        'password-file',
      ],
      ...['report', 'schema', 'to-file', 'undo-file', 'value-file'],
    ]);
  });

  test('input from a terminal is announced on stderr', async () => {
    const terminal = { stdin: true, stderr: true, stdout: true };
    const typed = await run('group seek g --to-file - --yes', { ...machine(), terminal, stdin: 'bogus\n' });
    expect(typed.stderr).toMatch(/^reading standard input; end with Ctrl-D\n/);
    const piped = await run('group seek g --to-file - --yes', { ...machine(), stdin: 'bogus\n' });
    expect(piped.stderr).not.toContain('Ctrl-D');
  });
});
