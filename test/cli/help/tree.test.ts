import { expect, test } from 'vitest';
import { command, entry, flag, inGroup, list, many, noun, optional, toggle } from '../../../src/cli/command.ts';
import { describeTree } from '../../../src/cli/help/described-tree.ts';
import { columnsOf, commandHelp, groupHelp, prose, rootHelp, wrap } from '../../../src/cli/help/help.ts';
import { optionRows } from '../../../src/config/option-help.ts';
import { duration, integer, oneOf, text } from '../../../src/kinds.ts';
import { row, string } from '../../../src/shape/shape.ts';

const result = row({ a: string });

const make = command({
  summary: 'Make things',
  description: 'First\nparagraph.\n\n  kept\n  lines\n\nLast.',
  examples: [
    ['One', 'thing make a'],
    ['Two', 'thing make a b'],
  ],
  aliases: ['mk'],
  args: { names: many(text, 'NAME', 'names of things'), kind: optional(oneOf('kind', ['a', 'b']), 'KIND') },
  flags: {
    partitionCount: flag(integer({ min: 1, max: 9 }), {
      short: 'p',
      help: 'a number',
      fallback: 3,
      aliases: ['parts'],
    }),
    wait: flag(duration, { help: 'a duration', fallback: 1_000_000_000n }),
    level: flag(oneOf('level', ['low', 'high']), { help: 'a level', required: true }),
    words: list(text, { short: 'w', help: 'some words' }),
    empty: flag(text, { help: 'nothing', fallback: '' }),
    pretty: flag(text, { help: 'bare', bare: 'x' }),
    on: toggle({ short: 'o', help: 'a switch', fallback: true }),
    secret: toggle({ help: 'hidden', hidden: true }),
  },
  changes: 'creates',
  apis: ['kafka'],
  result,
  run: () => ({ a: 'x' }),
  show: { text: () => '' },
});
const hidden = command({
  ...{ summary: 'Hidden', examples: [], changes: 'reads', hidden: true, result, run: () => ({ a: 'x' }) },
  show: { text: () => '' },
});
const thing = noun({ summary: 'Things', aliases: ['things'], commands: { make, hidden } });
const entries = [entry('thing', 'Things', async () => thing), entry('no', 'No', async () => hidden, { hidden: true })];

interface Tree extends Readonly<Record<string, unknown>> {
  readonly global_flags: readonly Readonly<Record<string, unknown>>[];
  readonly commands: readonly Readonly<Record<string, unknown>>[];
}

test('the tree as data has everything that the declarations have', async () => {
  const { global_flags: flags, commands, ...shared } = (await describeTree(entries)) as Tree;
  expect(commands.map(({ command: path, hidden: isHidden }) => [path, isHidden])).toEqual([
    ['thing make', false],
    ['thing hidden', true],
    ['no', true],
  ]);
  const common = { switch: false, repeats: false, required: false, hidden: false };
  expect(commands[0]).toEqual({
    ...{ command: 'thing make', summary: 'Make things', description: make.description, aliases: ['mk'] },
    ...{ hidden: false, changes: 'creates', apis: ['kafka'], usage: 'weir thing make NAME... [KIND] [FLAGS]' },
    arguments: [
      { label: 'NAME', arity: 'many', kind: 'text', help: 'names of things' },
      { label: 'KIND', arity: 'optional', kind: 'kind', choices: ['a', 'b'] },
    ],
    flags: [
      {
        ...{ ...common, name: 'partition-count', short: 'p', kind: 'integer', hint: 'N', help: 'a number' },
        ...{ minimum: 1, maximum: 9, aliases: ['parts'], default: 3 },
      },
      { ...common, name: 'wait', kind: 'duration', hint: 'DURATION', help: 'a duration', default: '1s' },
      {
        ...common,
        name: 'level',
        kind: 'level',
        hint: 'low|high',
        help: 'a level',
        choices: ['low', 'high'],
        required: true,
      },
      { ...common, name: 'words', short: 'w', kind: 'text', hint: 'TEXT', help: 'some words', repeats: true },
      { ...common, name: 'empty', kind: 'text', hint: 'TEXT', help: 'nothing', default: '' },
      { ...common, name: 'pretty', kind: 'text', hint: 'TEXT', value_if_bare: 'x', help: 'bare' },
      { ...common, name: 'on', short: 'o', kind: 'boolean', help: 'a switch', switch: true, default: true },
      { ...common, name: 'secret', kind: 'boolean', help: 'hidden', switch: true, hidden: true, default: false },
      {
        ...{ ...common, name: 'dry-run', kind: 'boolean', switch: true, default: false },
        ...{ aliases: ['dry'], help: 'show what would change without changing it' },
      },
    ],
    examples: [
      { purpose: 'One', line: 'weir thing make a' },
      { purpose: 'Two', line: 'weir thing make a b' },
    ],
    output_schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'urn:weir:thing-make',
      ...result.schema(),
    },
  });
  expect(flags.find(({ name }) => name === 'verbose')).toMatchObject({ switch: true, repeats: true, default: 0 });
  expect(commands[1]).not.toHaveProperty('description');
  expect(shared).toEqual({
    options: optionRows(),
    exit_codes: expect.arrayContaining([{ code: 5, meaning: expect.stringContaining('timeout') }]),
    nouns: [{ noun: 'thing', summary: 'Things', aliases: ['things'], hidden: false }],
  });
});

test('the help of a command has its parts in order, without what is hidden', () => {
  expect(commandHelp(make, ['thing', 'make'])).toBe(`Make things.

Usage:
  weir thing make NAME... [KIND] [FLAGS]

Aliases: mk

Examples:
  # One
  weir thing make a
  # Two
  weir thing make a b

First paragraph.

  kept
  lines

Last.

Arguments:
  NAME  names of things

Flags:
  -p, --partition-count N  a number (default 3)
      --wait DURATION      a duration (default 1s)
      --level low|high     a level (required)
  -w, --words TEXT         some words (repeatable)
      --empty TEXT         nothing
      --pretty[=TEXT]      bare
  -o, --[no-]on            a switch
      --dry-run            show what would change without changing it

For global flags such as --profile, --format and -X, see weir help flags.
`);
});

test('the help of a noun and of the root show no hidden commands', () => {
  expect(groupHelp(thing, ['thing'])).toContain('\n\nAliases: things\n\nCommands:\n  make  Make things\n\nMore help:');
  expect(rootHelp([...inGroup('Some', entries), ...entries])).toContain(
    '\n\nSome:\n  thing  Things\n\nCommands:\n  thing  Things\n\nMore help:',
  );
  const long = entry('long', 'A summary that does not fit into so few columns', async () => make);
  expect(rootHelp([long], 40)).toMatch(/^ {2}long {2}A summary .{1,30}\n {8}\S/m);
  for (const help of [rootHelp([long], 60), groupHelp(thing, ['thing'], 40), commandHelp(make, ['thing', 'make'], 60)])
    expect(Math.max(...help.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(60);
  expect(rootHelp([long], 60)).toMatch(/^ {2}weir help flags\|.*\|\n(?: {4}\S+\n)+ {2}Documentation: http/m);
});

test.each([
  ['a b c', 3, ['a b', 'c']],
  ['a b', 3, ['a b']],
  ['abcd e', 3, ['abcd', 'e']],
  ['', 3, []],
])('%j in %i columns', (line, width, lines) => expect(wrap(line, width)).toEqual(lines));

test('meanings are aligned, long names have a line of their own, and narrow screens keep twenty columns', () => {
  const long = 'x'.repeat(27);
  expect(
    columnsOf(
      [
        ['a', 'b'],
        ['x'.repeat(26), 'c'],
        [long, 'd'],
      ],
      80,
    ),
  ).toBe(`  a${' '.repeat(27)}b\n  ${'x'.repeat(26)}  c\n  ${long}\n${' '.repeat(30)}d`);
  expect(columnsOf([['a', 'one two three four five']], 10)).toBe('  a  one two three four\n     five');
  expect(prose('a b\nc', 3)).toBe('a b\nc');
});
