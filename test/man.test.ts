import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { command, flag, one, toggle } from '../src/cli/command.ts';
import { manPage, manPages } from '../src/cli/help/man.ts';
import { leavesOf, walkTree } from '../src/cli/help/tree.ts';
import { flagSet } from '../src/cli/parse/flag-set.ts';
import { commands } from '../src/commands/index.ts';
import { text } from '../src/kinds.ts';
import { string } from '../src/shape/shape.ts';
import { run, temporaryDirectory } from './world.ts';

const pages = await manPages(commands);
const directory = temporaryDirectory();
for (const [name, text] of pages) writeFileSync(join(directory, name), text);

const leaves = leavesOf(await walkTree(commands.filter(({ hidden }) => !hidden))).filter(
  ({ command }) => !command.hidden,
);

/** Without overstriking: bold is a character, a backspace and the character again. */
function plain(shown: string): string {
  const parts = shown.split('\b');
  return parts.map((part, at) => (at === parts.length - 1 ? part : part.slice(0, -1))).join('');
}

/** What a terminal shows of each page, by its title, on lines of any length. */
const shown = await (async () => {
  const { stdout } = await execa('mandoc', ['-Tutf8', '-Owidth=1000', ...pages.keys()], { cwd: directory });
  return new Map(
    plain(stdout)
      .split(/^(?=WEIR\S*\(1\) )/m)
      .map((text) => [text.slice(0, text.indexOf('(1)')), text]),
  );
})();

test('mandoc finds no fault in any manual page', async () => {
  const { stdout, stderr } = await execa('mandoc', ['-Tlint', '-Wwarning', ...pages.keys()], {
    cwd: directory,
    reject: false,
  });
  expect(stdout + stderr).toBe('');
});

test('H2: there is a page for weir, each noun and each command, and no link leads to another page', async () => {
  const names = (await walkTree(commands.filter(({ hidden }) => !hidden)))
    .filter((node) => !('command' in node ? node.command : node.noun).hidden)
    .map(({ path }) => `weir-${path.join('-')}.1`);
  expect([...pages.keys()].sort()).toEqual(['weir.1', ...names].sort());
  const links = [...pages.values()].flatMap((text) => [...text.matchAll(/^\.(?:It )?Xr (\S+) 1/gm)]);
  expect(links.map(([, name]) => `${name}.1`).filter((name) => !pages.has(name))).toEqual([]);
});

test('the build has written every page to dist/man, for packages', () => {
  expect(readdirSync('dist/man').sort()).toEqual([...pages.keys()].sort());
});

test.each(leaves.map(({ path, command }) => ({ name: `weir-${path.join('-')}`, command })))(
  'the page of $name has every flag and example of the command',
  ({ name, command }) => {
    const page = shown.get(name.toUpperCase());
    for (const { name: flag } of flagSet(command).filter((one) => one.scope === 'own' && !one.flag.hidden))
      expect(page).toMatch(new RegExp(`--(?:\\[no-\\])?${flag}\\b`));
    for (const [purpose, line] of command.examples) {
      expect(page).toContain(`${purpose}:`);
      expect(page).toContain(` weir ${line}\n`);
    }
  },
);

test('a page keeps backslashes, percent signs and the dashes of flags', () => {
  const page = shown.get('WEIR-TOPIC-CONSUME');
  expect(page).toContain("weir topic consume orders --tail 10 -f '%k %v\\n'\n");
  expect(page).toContain('-f takes a record format: %k key, %v value');
  expect(page).toContain('--use-schema-registry[=key|value]');
});

test('no text of a declaration is taken for a macro', async () => {
  const odd = command({
    summary: 'Read .profile',
    description: ".dot first\n\n'quote' first\n\n  .kept \\n\n  'kept'\n\nUse -x or --no-x. Ar Fl",
    examples: [["'Quoted'", "odd 'a b' Fl -x"]],
    args: { a: one(text, 'Ar', '.dot, "Fl" and \\fB') },
    flags: {
      x: flag({ ...text, hint: 'A "B" C' }, { help: "'x' or .y" }),
      gone: toggle({ help: 'hidden', hidden: true }),
    },
    changes: 'reads',
    result: string,
    run: () => '',
    show: { text: () => '' },
  });
  const page = manPage(odd, ['odd']);
  const lint = await execa('mandoc', ['-Tlint', '-Wwarning'], { input: page, reject: false });
  expect(lint.stdout + lint.stderr).toBe('');
  const { stdout } = await execa('mandoc', ['-Tutf8', '-Owidth=1000'], { input: page });
  const lines = plain(stdout)
    .split('\n')
    .map((line) => line.trim());
  for (const line of ['.dot first', "'quote' first", '.kept \\n', "'kept'", 'Use -x or --no-x.  Ar Fl'])
    expect(lines).toContain(line);
  for (const line of ['--x A "B" C', "'x' or .y.", "'Quoted':", "weir odd 'a b' Fl -x"]) expect(lines).toContain(line);
  expect(page).not.toContain('gone');
  expect(lines.join('\n')).toMatch(/^Ar +\.dot, "Fl" and \\fB\.$/m);
});

test('weir help --man prints the page of weir, a noun or a command', async () => {
  const pageOf = (name: string) => ({ stdout: pages.get(name), stderr: '', exitCode: 0 });
  expect(await run('help --man')).toEqual(pageOf('weir.1'));
  expect(await run('help --man topic')).toEqual(pageOf('weir-topic.1'));
  expect(await run('help --man topic create')).toEqual(pageOf('weir-topic-create.1'));
  expect(await run('help topic --man --json')).toEqual({
    stdout: '',
    stderr: 'weir: --json and --man exclude each other\nhint: see weir help --help\n',
    exitCode: 2,
  });
  expect(await run('help --man formats')).toMatchObject({ stdout: '', exitCode: 2 });
});
