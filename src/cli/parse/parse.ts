import { nearest } from '../../config/nearest.ts';
import type { DeprecatedUse } from '../../config/sources/flags.ts';
import { type CliError, usageError } from '../../errors.ts';
import type { FlagEntry } from './flag-set.ts';
import { isNegatable, spellings } from './flag-set.ts';
import { flagOf, habitOf } from './habits.ts';
import { plainLine, spellingTable } from './words.ts';

/** One use of a flag on the command line, with its value not yet parsed. */
export interface FlagUse {
  readonly entry: FlagEntry;
  /** As typed; `true` or `false` for a switch. */
  readonly value: string;
}

/** A command line split into flags and operands, with values not yet parsed. */
export interface ParsedLine {
  /** In the order of the line. */
  readonly uses: readonly FlagUse[];
  readonly operands: readonly string[];
  /** The words from the first unknown flag on, for commands that pass them through. */
  readonly unknown: readonly string[];
}

/**
 * Splits the words after a command's name into flags and operands. Values are parsed later, so that `--help` works
 * next to an invalid value. A line without flags is split without commander, which takes longer to load than most
 * commands take to run.
 * @throws CliError for a flag without its value
 */
export async function parseLine(words: readonly string[], entries: readonly FlagEntry[]): Promise<ParsedLine> {
  const end = words.indexOf('--');
  const before = end < 0 ? words : words.slice(0, end);
  if (!before.some((word) => word.startsWith('-') && word !== '-')) {
    return { uses: [], operands: end < 0 ? words : [...before, ...words.slice(end + 1)], unknown: [] };
  }
  const { Command: Parser, Option } = await import('commander');
  const parser = new Parser().exitOverride().helpOption(false);
  const uses: FlagUse[] = [];
  const line = plainLine(words, spellingTable(entries));
  for (const entry of line.entries) {
    const { name, short, flag } = entry;
    const letter = short === undefined ? '' : `-${short}, `;
    parser.addOption(new Option(`${letter}--${name}${flag.isSwitch ? '' : ' <value>'}`));
    parser.on(`option:${name}`, (value = 'true') => uses.push({ entry: meant(entry, value, entries), value }));
    if (!isNegatable(entry)) continue;
    parser.addOption(new Option(`--no-${name}`));
    parser.on(`option:no-${name}`, () => uses.push({ entry, value: 'false' }));
  }
  const { operands, unknown } = parser.parseOptions([...line.words]);
  return { uses, operands, unknown };
}

/** The flag that a value is meant for: `--format` may hold a record format, too. */
function meant(entry: FlagEntry, value: string, entries: readonly FlagEntry[]): FlagEntry {
  if (entry.scope !== 'global' || entry.key !== 'format') return entry;
  return entries.find(({ flag }) => flag.takesFormat?.(value)) ?? entry;
}

/** The error for an unknown flag, with the nearest known one as a hint. */
export async function unknownFlag(word: string, path: string, entries: readonly FlagEntry[]): Promise<CliError> {
  const name = flagOf(word);
  const meant = habitOf(word, path) ?? (name.startsWith('--') ? await nearest(name, spellings(entries)) : undefined);
  const help = `see ${path} --help`;
  return usageError(`unknown flag ${name} for "${path}"`, {
    code: 'UNKNOWN_FLAG',
    target: name,
    hints: [meant === undefined ? help : `did you mean ${meant}? ${help}`],
  });
}

/** The deprecated flags of a line, for the configuration. */
export function deprecatedUses(uses: readonly FlagUse[]): readonly DeprecatedUse[] {
  return uses
    .filter((use) => use.entry.scope === 'deprecated')
    .map((use) => ({ flag: use.entry.name, value: use.value }));
}
