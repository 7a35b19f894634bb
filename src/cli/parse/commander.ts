import { Command, CommanderError, Option } from 'commander';
import { type FlagEntry, type Spelling, spellingTable } from './flag-set.ts';

/** A flag as it was typed. */
export interface TypedFlag extends Spelling {
  /** With its dashes and without its value. */
  readonly spelled: string;
  /** Undefined for a switch without one, and where it is missing. */
  readonly value: string | undefined;
}

/** Words split by the flags in them. */
export interface SplitWords {
  /** In the order of the line. */
  readonly typed: readonly TypedFlag[];
  readonly operands: readonly string[];
  /** The words from the first unknown flag on, without known flags. */
  readonly unknown: readonly string[];
}

/**
 * Splits words into flags, operands and, from the first unknown flag on, what is unknown. A value that is missing at the
 * end is undefined.
 */
export function split(words: readonly string[], entries: readonly FlagEntry[]): SplitWords {
  const table = spellingTable(entries);
  const typed: TypedFlag[] = [];
  const parser = new Command().exitOverride().configureOutput({ outputError: () => undefined });
  const declare = (option: Option, take: (value?: string) => void) =>
    parser.addOption(option).on(`option:${option.name()}`, take);
  // Commander has no values that are only written after a `=` (`--switch=false`, or `--flag=v` where `--flag` alone has a
  // meaning), and leaves it in the value of `-f=v`. Before it looks into a word, it asks each option whether it is the word.
  let withValue: TypedFlag | undefined;
  const is = (word: string) => {
    withValue = flagWithValue(word, table);
    return withValue !== undefined;
  };
  declare(Object.assign(new Option('--flag=value'), { is }), () => withValue && typed.push(withValue));
  for (const [spelled, spelling] of table) {
    // Declaring all flags of a command takes a millisecond.
    if (spelled.startsWith('--') && !words.includes(spelled)) continue;
    const { isSwitch, bare } = spelling.entry.flag;
    const needsValue = !isSwitch && bare === undefined;
    declare(new Option(needsValue ? `${spelled} <value>` : spelled), (value = bare) =>
      typed.push({ ...spelling, spelled, value }),
    );
  }
  try {
    return { typed, ...parser.parseOptions([...words]) };
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const last = words.at(-1) ?? '';
    const spelled = last.startsWith('--') ? last : `-${last.at(-1)}`;
    const spelling = table.get(spelled);
    if (spelling !== undefined) typed.push({ ...spelling, spelled, value: undefined });
    return { typed, operands: [], unknown: [] };
  }
}

function flagWithValue(word: string, table: ReadonlyMap<string, Spelling>): TypedFlag | undefined {
  const [spelled = ''] = word.split('=', 1);
  const spelling = spelled === word ? undefined : table.get(spelled);
  return spelling && { ...spelling, spelled, value: word.slice(spelled.length + 1) };
}
