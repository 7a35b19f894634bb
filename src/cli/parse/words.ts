import { usageError } from '../../errors.ts';
import { excerpt } from '../../format/excerpt.ts';
import { boolean } from '../../kinds.ts';
import { type FlagEntry, isNegatable } from './flag-set.ts';

/** The flag that a spelling stands for. */
export interface Spelling {
  readonly entry: FlagEntry;
  /** `--no-x`. */
  readonly negated: boolean;
}

/** How other tools spell global flags; a command may use them for flags of its own. */
const usualSpellings = [
  ['-o', 'format'],
  ['--output', 'format'],
  ['-y', 'yes'],
] as const;

/** All long names and letters of a command's flags. */
export function spellingTable(entries: readonly FlagEntry[]): ReadonlyMap<string, Spelling> {
  const table = new Map<string, Spelling>();
  for (const entry of entries) {
    for (const name of [entry.name, ...entry.flag.aliases]) table.set(`--${name}`, { entry, negated: false });
    if (isNegatable(entry)) table.set(`--no-${entry.name}`, { entry, negated: true });
    if (entry.short !== undefined) table.set(`-${entry.short}`, { entry, negated: false });
  }
  for (const [spelled, key] of usualSpellings) {
    const entry = entries.find((one) => one.key === key && one.scope === 'global');
    if (entry !== undefined && !table.has(spelled)) table.set(spelled, { entry, negated: false });
  }
  return table;
}

/** One use of a flag in a word. */
export interface WordUse extends Spelling {
  /** As typed, with its dashes and without a value. */
  readonly spelled: string;
  /** Undefined for a switch without one, and where it is missing. */
  readonly value: string | undefined;
}

/** The flags in one word. */
export interface FlagWord {
  readonly uses: readonly WordUse[];
  /** Whether the value of the last flag is the next word. */
  readonly takesNext: boolean;
  /** Whether every flag of the word is in the table. */
  readonly isKnown: boolean;
}

const noFlag: FlagWord = { uses: [], takesNext: false, isKnown: false };

/** Splits a word that begins with a dash: `--flag`, `--flag=value`, or letters such as `-an=value`. */
export function flagsIn(word: string, table: ReadonlyMap<string, Spelling>): FlagWord {
  if (!word.startsWith('--')) return flagsInLetters(word, table);
  const equals = word.indexOf('=');
  const spelled = equals < 0 ? word : word.slice(0, equals);
  const found = table.get(spelled);
  return found === undefined ? noFlag : oneFlag(found, spelled, equals < 0 ? undefined : word.slice(equals + 1));
}

function oneFlag(found: Spelling, spelled: string, given: string | undefined): FlagWord {
  const { flag } = found.entry;
  const value = given ?? flag.bare;
  return { uses: [{ ...found, spelled, value }], takesNext: value === undefined && !flag.isSwitch, isKnown: true };
}

function flagsInLetters(word: string, table: ReadonlyMap<string, Spelling>): FlagWord {
  const uses: WordUse[] = [];
  for (let at = 1; at < word.length; at++) {
    const spelled = `-${word[at]}`;
    const found = table.get(spelled);
    if (found === undefined) return { ...noFlag, uses };
    const rest = word.slice(at + 1);
    if (!found.entry.flag.isSwitch || rest.startsWith('=')) {
      const last = oneFlag(found, spelled, rest === '' ? undefined : rest.replace(/^=/, ''));
      return { ...last, uses: [...uses, ...last.uses] };
    }
    uses.push({ ...found, spelled, value: undefined });
  }
  return { uses, takesNext: false, isKnown: true };
}

/** The flags of a whole line, each with its value. Unknown flags, and words that are no flag, are passed over. */
export function flagsOfLine(words: readonly string[], table: ReadonlyMap<string, Spelling>): readonly WordUse[] {
  return splitLine(words, table).parts.flatMap(({ uses }) => uses);
}

/** A word with what it says; a value in the next word belongs to its flag. */
interface LinePart {
  readonly word: string;
  readonly uses: readonly WordUse[];
  readonly isKnown: boolean;
}

interface SplitLine {
  readonly parts: readonly LinePart[];
  /** The words from `--` on. */
  readonly rest: readonly string[];
}

function splitLine(words: readonly string[], table: ReadonlyMap<string, Spelling>): SplitLine {
  const parts: LinePart[] = [];
  let at = 0;
  for (; at < words.length && words[at] !== '--'; at++) {
    const word = words[at] ?? '';
    const { uses, takesNext, isKnown } = word.startsWith('-') && word !== '-' ? flagsIn(word, table) : noFlag;
    const last = uses.at(-1);
    if (takesNext && last !== undefined) {
      at += 1;
      parts.push({ word, uses: uses.with(-1, { ...last, value: words[at] }), isKnown });
    } else parts.push({ word, uses, isKnown });
  }
  return { parts, rest: words.slice(at) };
}

/** A line as commander reads it. */
export interface PlainLine {
  /** Each known flag is a word of its own: `--name=value`, `--switch` or `--no-switch`. Other words are as they were. */
  readonly words: readonly string[];
  /** The flags that occur. */
  readonly entries: ReadonlySet<FlagEntry>;
}

/**
 * Rewrites the flags of a line, because commander does not accept `-X=k=v`, `--switch=true|false`, and a flag without
 * its value where that has a meaning.
 * @throws CliError for a flag without its value, and for a switch whose value is not a boolean
 */
export function plainLine(words: readonly string[], table: ReadonlyMap<string, Spelling>): PlainLine {
  const { parts, rest } = splitLine(words, table);
  const plain = parts.flatMap(({ word, uses, isKnown }) => (isKnown ? uses.map(plainFlag) : [word]));
  return {
    words: [...plain, ...rest],
    entries: new Set(parts.flatMap(({ uses }) => uses.map(({ entry }) => entry))),
  };
}

function plainFlag({ entry: { name, flag }, negated, spelled, value }: WordUse): string {
  if (flag.isSwitch) return (value === undefined || isTrue(spelled, value)) === negated ? `--no-${name}` : `--${name}`;
  if (value === undefined) throw usageError(`${spelled} needs a value`, { target: spelled });
  return `--${name}=${value}`;
}

function isTrue(spelled: string, value: string): boolean {
  try {
    return boolean.parse(value);
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    throw usageError(`invalid value "${excerpt(value)}" of ${spelled}: ${reason}`, { target: spelled });
  }
}
