import { nearest } from '../../config/nearest.ts';
import type { DeprecatedUse } from '../../config/sources/flags.ts';
import { type CliError, invalidError, missingValueCode, usageError } from '../../errors.ts';
import { excerpt } from '../../format/excerpt.ts';
import { boolean } from '../../kinds.ts';
import type { ReportFlags } from '../output/report.ts';
import type { SplitWords, TypedFlag } from './commander.ts';
import { earlyFlags } from './deprecation.ts';
import { type FlagEntry, type FlagUse, spellings } from './flag-set.ts';
import { flagOf, habitOf } from './habits.ts';

/** A command line split into flags and operands, with values not yet parsed. */
export interface ParsedLine {
  /** In the order of the line. */
  readonly uses: readonly FlagUse[];
  readonly operands: readonly string[];
  /** The words from the first unknown flag on, for commands that pass them through. */
  readonly unknown: readonly string[];
}

/**
 * Splits words by the flags in them; nothing is an error. Words without flags are split without commander, which takes
 * longer to load than most commands take to run.
 */
export async function splitWords(words: readonly string[], entries: readonly FlagEntry[]): Promise<SplitWords> {
  const end = words.indexOf('--');
  const before = end < 0 ? words : words.slice(0, end);
  if (before.some(isFlag)) return (await import('./commander.ts')).split(words, entries);
  return { typed: [], operands: end < 0 ? words : [...before, ...words.slice(end + 1)], unknown: [] };
}

/** Whether a word looks like a flag; a dash alone means standard input. */
export function isFlag(word: string): boolean {
  return word.startsWith('-') && word.length > 1;
}

/** Whether a word asks for help. */
export function isHelp(word: string): boolean {
  return word === '--help' || word === '-h';
}

/** Whether a flag needs a value and has none: the line ends with it. */
export function lacksValue({ entry, value }: TypedFlag): boolean {
  return value === undefined && !entry.flag.isSwitch;
}

/**
 * Splits the words after a command's name into flags and operands. Values are parsed later, so that `--help` works
 * next to an invalid value.
 * @throws CliError for a flag without its value, and for a switch whose value is not a boolean
 */
export async function parseLine(words: readonly string[], entries: readonly FlagEntry[]): Promise<ParsedLine> {
  const { typed, operands, unknown } = await splitWords(words, entries);
  const uses = typed.map((one): FlagUse => {
    const value = textOf(one);
    return { entry: meant(one.entry, value, entries), value };
  });
  return { uses, operands, unknown };
}

function missingValue(spelled: string): CliError {
  const hints = spelled === '-X' ? ['see all options with: weir -X list'] : [];
  return usageError(`missing value of ${spelled}`, { code: missingValueCode, target: spelled, hints });
}

function textOf({ entry, negated, spelled, value }: TypedFlag): string {
  if (entry.flag.isSwitch) return String((value === undefined || isTrue(spelled, value)) !== negated);
  if (value === undefined) throw missingValue(spelled);
  return value;
}

function isTrue(spelled: string, value: string): boolean {
  try {
    return boolean.parse(value);
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    throw invalidError(`invalid value "${excerpt(value)}" of ${spelled}: ${reason}`, { target: spelled });
  }
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

/** The flags that determine how an error is written, guessed from a line that cannot be parsed. */
export async function guessReportFlags(words: readonly string[]): Promise<ReportFlags> {
  const { typed } = await splitWords(words, earlyFlags());
  const lastOf = (key: string) => typed.findLast(({ entry, value }) => entry.key === key && value !== undefined)?.value;
  const format = lastOf('format')?.toLowerCase();
  const color = lastOf('color');
  return {
    format: format === 'json' || format === 'yaml' ? format : 'text',
    verbosity: typed.filter(({ entry }) => entry.key === 'verbose').length,
    color: color === 'always' || color === 'never' ? color : 'auto',
  };
}
