import type { ReportFlags } from '../output/report.ts';
import { deprecatedFor } from './deprecation.ts';
import { flagSet } from './flag-set.ts';
import { flagsOfLine, type Spelling, spellingTable } from './words.ts';

/**
 * The flags that are allowed before a command's name: the global ones, and the deprecated ones, which earlier clients
 * accepted after nouns (`topic --brokers b:9092 list`).
 */
export function earlyTable(): ReadonlyMap<string, Spelling> {
  return spellingTable(flagSet(undefined, deprecatedFor(undefined)));
}

/** Whether the whole line is `-X list` or `-X help`; other lines must be parsed to find out. */
export function isOptionHelp(words: readonly string[]): OptionHelp | undefined {
  const [first = '', second] = words;
  if (words.length > 2 || !/^(?:-X|--config-opt)/.test(first)) return undefined;
  const value = second ?? first.replace(/^(?:-X=?|--config-opt=)/, '');
  return optionHelpIn([value]);
}

/** The two values of `-X` that print options. */
export type OptionHelp = 'list' | 'help';

/** The first value of `-X` that prints options; undefined without one. */
export function optionHelpIn(values: readonly string[]): OptionHelp | undefined {
  return values.find((value): value is OptionHelp => value === 'list' || value === 'help');
}

/** The flags that determine how an error is written, guessed from a line that cannot be parsed. */
export function guessReportFlags(words: readonly string[]): ReportFlags {
  const uses = flagsOfLine(words, earlyTable());
  const lastOf = (key: string) => uses.findLast(({ entry, value }) => entry.key === key && value !== undefined)?.value;
  const format = lastOf('format')?.toLowerCase();
  const color = lastOf('color');
  return {
    format: format === 'json' || format === 'yaml' ? format : 'text',
    verbosity: uses.filter(({ entry }) => entry.key === 'verbose').length,
    color: color === 'always' || color === 'never' ? color : 'auto',
  };
}
