import { notFoundError } from '../../errors.ts';
import type { Entry } from '../command.ts';
import { flagSet } from '../parse/flag-set.ts';
import { kebab } from '../parse/global-flags.ts';
import { equivalents } from './equivalents.ts';
import { blocks, titled } from './help.ts';
import { subjectSummaries } from './subject-names.ts';
import { type Leaf, leavesOf, walkTree } from './tree.ts';

/** A text in which words are searched, and what a word in it is worth. */
type Field = readonly [text: string, worth: number];

/** Something that `weir help --find` may find. */
interface Page {
  readonly name: string;
  readonly summary: string;
  readonly fields: readonly Field[];
}

const mostFound = 12;

/**
 * `weir help --find WORDS`: the commands and subjects whose names, summaries, flags, examples and descriptions have most
 * of the words, the best first.
 * @throws CliError (exit 3) if nothing has one of them
 */
export async function foundHelp(
  entries: readonly Entry[],
  words: readonly string[],
  columns?: number,
): Promise<string> {
  const wanted = words.flatMap((word) => word.toLowerCase().match(/[a-z0-9]+/g) ?? []).map(stem);
  const leaves = leavesOf(await walkTree(entries.filter(({ hidden }) => !hidden)));
  const shown = leaves.filter(({ path, command }) => !command.hidden && path[0] !== 'help');
  const pages = [...shown.map(pageOf), ...subjectPages];
  const scored = pages.map((page) => ({ ...page, ...scoreOf(page, wanted) }));
  const most = Math.max(...scored.map(({ found }) => found));
  if (most === 0)
    throw notFoundError(`no help has the words ${words.join(' ')}`, { hints: ['see all commands with: weir --help'] });
  const best = scored
    .filter(({ found }) => found === most)
    .sort((a, b) => b.worth - a.worth)
    .slice(0, mostFound);
  return blocks([
    titled(
      'Found',
      best.map(({ name, summary }) => [name, summary]),
      columns,
    ),
    'See one with: weir help NAME',
  ]);
}

/** How many of the words a page has, and what they are worth. */
function scoreOf({ fields }: Page, wanted: readonly string[]) {
  const worths = wanted.map((word) => Math.max(0, ...fields.map(([text, worth]) => (hasWord(text, word) ? worth : 0))));
  return { found: worths.filter((worth) => worth > 0).length, worth: worths.reduce((sum, worth) => sum + worth, 0) };
}

function hasWord(text: string, word: string): boolean {
  return (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).some((one) => one.startsWith(word));
}

function stem(word: string): string {
  return word.length > 3 ? word.replace(/(?:s|ing|ed)$/, '') : word;
}

function pageOf({ path, command }: Leaf): Page {
  const name = path.join(' ');
  const flags = flagSet(command).filter(({ scope, flag }) => scope === 'own' && !flag.hidden);
  // What other tools call it.
  const elsewhere = Object.values(equivalents).flatMap(({ rows }) =>
    rows.filter(([, line = '']) => line.includes(`weir ${name}`)),
  );
  return {
    name,
    summary: command.summary,
    fields: [
      [name, 9],
      [command.summary, 6],
      [command.aliases.join(' '), 6],
      [command.examples.map(([purpose]) => purpose).join(' '), 4],
      [elsewhere.map(([line]) => line).join(' '), 4],
      [flags.map(({ key, flag }) => `${kebab(key)} ${flag.help}`).join(' '), 3],
      [command.description ?? '', 2],
    ],
  };
}

const subjectPages = Object.entries(subjectSummaries).map(([name, summary]): Page => {
  return {
    name,
    summary,
    fields: [
      [name, 9],
      [summary, 6],
    ],
  };
});
