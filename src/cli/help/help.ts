import { homepage, issues, tagline } from '../../version.ts';
import { type Command, type Entry, entryGroups, type Noun, shownGroups, type Titled } from '../command.ts';
import { type FlagEntry, flagSet, offersNo } from '../parse/flag-set.ts';
import { subjectSummaries } from './subject-names.ts';
import { usage } from './usage.ts';

/** The width of help texts without a terminal. */
export const pipedWidth = 80;

/** The examples of weir itself. */
export const rootExamples: Command['examples'] = [
  ['Create a topic', 'topic create orders -p 6'],
  ['Print its last 10 records', 'topic consume orders --tail 10'],
];

/** The ways to a cluster. */
function connectHelp(columns: number | undefined): string {
  const ways = [
    'weir profile create prod --set brokers=HOST:PORT',
    'For one command: -X brokers=HOST:PORT, or WEIR_BROKERS=HOST:PORT',
    'To try things out, start a local Kafka: weir sandbox start',
  ];
  const lines = ways.flatMap((way) => wrap(way, helpWidth(columns) - margin));
  return `Connect:\n${lines.map((line) => `  ${line}`).join('\n')}`;
}

/** The help of `weir` itself; no command is loaded for it. */
export function rootHelp(entries: readonly Entry[], columns?: number): string {
  const groups = entryGroups(entries).map(({ title, items }) => ({
    title,
    items: items.map(({ name, summary }) => [name, summary] as const),
  }));
  return blocks([
    prose(`${tagline}.`, columns),
    'Usage:\n  weir COMMAND SUBCOMMAND [FLAGS]',
    connectHelp(columns),
    `Examples:\n${rootExamples.map(example).join('\n')}`,
    ...titledGroups(groups, columns),
    `More help:\n  weir COMMAND --help, weir help --find WORDS, weir -X list\n${subjectLines(columns)}\n  Documentation: ${homepage}\n  Issues: ${issues}`,
  ]);
}

/** `weir help` with its subjects, broken between them. */
function subjectLines(columns: number | undefined): string {
  const [indent, names] = ['  ', Object.keys(subjectSummaries)];
  const line = `${indent}weir help ${names.join('|')}`;
  if (line.length <= helpWidth(columns)) return line;
  const parts = wrap(`weir help ${names.join('| ')}`, helpWidth(columns) - 2 * indent.length);
  return indent + parts.map((part) => part.replaceAll('| ', '|')).join(`\n${indent}${indent}`);
}

/** The help of a noun: its verbs. */
export function groupHelp(noun: Noun, path: readonly string[], columns?: number): string {
  const line = ['weir', ...path].join(' ');
  return blocks([
    prose(`${noun.summary}.`, columns),
    `Usage:\n  ${line} COMMAND [FLAGS]`,
    ...aliasBlock(noun.aliases),
    ...titledGroups(
      shownGroups(noun).map(({ title, items }) => ({
        title,
        items: items.map(([name, { summary }]) => [name, summary] as const),
      })),
      columns,
    ),
    ...flagBlock('Flags', flagSet(noun), 'own', columns),
    prose(`More help: ${line} COMMAND --help, or weir help flags for the global flags.`, columns),
  ]);
}

/** The help of a command: summary, usage, examples, then the rest. */
export function commandHelp(command: Command, path: readonly string[], columns?: number): string {
  const entries = flagSet(command);
  const args = Object.values(command.args).filter(({ help }) => help !== undefined);
  return blocks([
    prose(`${command.summary}.`, columns),
    `Usage:\n  ${usage(command, path)}`,
    ...aliasBlock(command.aliases),
    `Examples:\n${command.examples.map(example).join('\n')}`,
    ...descriptions(command).map((text) => prose(text, columns)),
    ...(args.length === 0
      ? []
      : [
          titled(
            'Arguments',
            args.map(({ label, help }) => [label, help ?? '']),
            columns,
          ),
        ]),
    ...flagBlock('Flags', entries, 'own', columns),
    prose('For global flags such as --profile, --format and -X, see weir help flags.', columns),
  ]);
}

/** When a command asks for confirmation, in one sentence; undefined if it never does. */
function confirmationOf({ changes, namesAll, guarded, asksBefore }: Command): string | undefined {
  if (changes !== 'destroys')
    return (
      guarded && `On a protected profile, asks for confirmation ${guarded}; in scripts it needs --yes ${seeFlags}.`
    );
  const when = asksBefore === undefined ? '' : ` ${asksBefore}`;
  const it = asksBefore === undefined ? 'it' : 'such a change';
  return `Asks for confirmation${when}; in scripts ${it} needs --yes${needsYes(namesAll)} ${seeFlags}.`;
}

const seeFlags = '(see weir help flags)';

/** When a command that asks needs `--yes` in scripts. */
function needsYes(namesAll: Command['namesAll']): string {
  if (namesAll === false) return '';
  if (namesAll === true) return ' only on a protected profile';
  return ' on a protected profile, or if the command does not name everything that it destroys';
}

/** The paragraphs of a command: its own, and when it asks for confirmation. */
export function descriptions(command: Command): readonly string[] {
  return [command.description, confirmationOf(command)].filter((text) => text !== undefined);
}

const confirmationRule =
  'On a terminal, a command asks before it destroys something; --yes answers the question, and --no-input refuses the ' +
  'command without --yes. In scripts (without a terminal, and in CI) nothing is asked: a command that names everything ' +
  'that it destroys runs, and otherwise (with a pattern, for example), and on a protected profile, it needs --yes. The ' +
  'help of each command says when it asks.';

/** `weir help flags`: the flags of every command. */
export function globalFlagsHelp(columns?: number): string {
  return blocks([titled('Global flags', flagRows(flagSet(undefined)), columns), prose(confirmationRule, columns)]);
}

function example([purpose, line]: readonly [string, string] | readonly string[]): string {
  return `  # ${purpose}\n  weir ${line}`;
}

function aliasBlock(aliases: readonly string[]): readonly string[] {
  return aliases.length === 0 ? [] : [`Aliases: ${aliases.join(', ')}`];
}

function flagBlock(
  title: string,
  entries: readonly FlagEntry[],
  scope: FlagEntry['scope'],
  columns?: number,
): readonly string[] {
  const rows = flagRows(entries.filter((entry) => entry.scope === scope));
  return rows.length === 0 ? [] : [titled(title, rows, columns)];
}

function flagRows(entries: readonly FlagEntry[]): readonly (readonly [string, string])[] {
  return entries.filter(({ flag }) => !flag.hidden).map((entry) => [flagSpelling(entry), flagHelp(entry)]);
}

/** `-p, --partitions N`. */
export function flagSpelling(entry: FlagEntry): string {
  const { flag, name, short } = entry;
  const letter = short === undefined ? '    ' : `-${short}, `;
  if (flag.isSwitch) return `${letter}--${offersNo(entry) ? '[no-]' : ''}${name}`;
  return `${letter}--${name}${flag.bare === undefined ? ' ' : '[='}${flag.kind.hint}${flag.bare === undefined ? '' : ']'}`;
}

/** The help of a flag, with notes such as its default. */
export function flagHelp({ flag }: FlagEntry): string {
  const notes = [
    ...(flag.required ? ['required'] : []),
    ...(flag.repeats && !flag.isSwitch ? ['repeatable'] : []),
    ...defaultNote(flag.fallback, flag.isSwitch, (value) => flag.kind.show(value)),
  ];
  return notes.length === 0 ? flag.help : `${flag.help} (${notes.join('; ')})`;
}

function defaultNote(fallback: unknown, isSwitch: boolean, show: (value: unknown) => string): readonly string[] {
  if (isSwitch || fallback === undefined || fallback === '' || Array.isArray(fallback)) return [];
  return [`default ${show(fallback)}`];
}

type NameAndMeaning = readonly [string, string];

/** Names and their meanings under a title. */
export function titled(title: string, rows: readonly NameAndMeaning[], columns?: number): string {
  return `${title}:\n${columnsOf(rows, helpWidth(columns))}`;
}

/** The same for several titles, with all meanings in one column. */
function titledGroups(groups: readonly Titled<NameAndMeaning>[], columns?: number): readonly string[] {
  const at = columnAt(groups.flatMap(({ items }) => items));
  return groups.map(({ title, items }) => `${title}:\n${columnsOf(items, helpWidth(columns), at)}`);
}

/** Wraps paragraphs to the width of the terminal; one that begins with a space keeps its lines. */
export function prose(text: string, columns?: number): string {
  const width = helpWidth(columns);
  return text
    .split(/\n{2,}/)
    .map((paragraph) => (/^\s/.test(paragraph) ? paragraph : wrap(paragraph.replaceAll('\n', ' '), width).join('\n')))
    .join('\n\n');
}

/** The width of help texts: that of the terminal, however narrow or wide, or 80 columns without one. */
function helpWidth(columns: number | undefined): number {
  return columns ?? pipedWidth;
}

/** Joins parts with an empty line between them. */
export function blocks(parts: readonly string[]): string {
  return `${parts.join('\n\n')}\n`;
}

/** Breaks text at spaces into lines of at most `width` columns; a longer word has a line of its own. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return line === '' ? lines : [...lines, line];
}

const margin = 2;
const gap = 2;
const widestName = 26;

/** Lays out names and their meanings in two columns; a long name has a line of its own. */
export function columnsOf(rows: readonly NameAndMeaning[], width: number, at = columnAt(rows)): string {
  return rows.flatMap(([name, text]) => row(name, wrap(text, Math.max(20, width - at)), at)).join('\n');
}

/** Where the meanings begin. */
function columnAt(rows: readonly NameAndMeaning[]): number {
  const fitting = rows.map(([name]) => name.length).filter((length) => length <= widestName);
  return margin + Math.max(0, ...fitting) + gap;
}

function row(name: string, texts: readonly string[], at: number): readonly string[] {
  const [first = '', ...more] = texts;
  const rest = more.map((text) => ' '.repeat(at) + text);
  const head = ' '.repeat(margin) + name;
  if (head.length + gap > at) return [head, ' '.repeat(at) + first, ...rest];
  return [head.padEnd(at) + first, ...rest];
}
