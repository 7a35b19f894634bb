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

/** All long names and letters of a command's flags. */
export function spellingTable(entries: readonly FlagEntry[]): ReadonlyMap<string, Spelling> {
  const table = new Map<string, Spelling>();
  for (const entry of entries) {
    for (const name of [entry.name, ...entry.flag.aliases]) table.set(`--${name}`, { entry, negated: false });
    if (isNegatable(entry)) table.set(`--no-${entry.name}`, { entry, negated: true });
    if (entry.short !== undefined) table.set(`-${entry.short}`, { entry, negated: false });
  }
  return table;
}

/** The flags in one word, read before the command is known. */
export interface FlagWord {
  /** Without a value: switches, and `wants`, whose value is the next word. */
  readonly uses: readonly { readonly entry: FlagEntry; readonly value?: string }[];
  /** The flag whose value is the next word. */
  readonly wants: FlagEntry | undefined;
  /** Whether every flag of the word is in the table. */
  readonly isKnown: boolean;
}

/** Splits a word that begins with a dash, by the rules of `plainWords` but without errors. */
export function flagsIn(word: string, table: ReadonlyMap<string, Spelling>): FlagWord {
  return word.startsWith('--') ? flagInLong(word, table) : flagsInLetters(word, table);
}

function flagInLong(word: string, table: ReadonlyMap<string, Spelling>): FlagWord {
  const [name = '', ...rest] = word.split('=');
  const entry = table.get(name)?.entry;
  if (entry === undefined) return { uses: [], wants: undefined, isKnown: false };
  const use = rest.length === 0 ? { entry } : { entry, value: rest.join('=') };
  const takesNext = rest.length === 0 && !entry.flag.isSwitch && entry.flag.bare === undefined;
  return { uses: [use], wants: takesNext ? entry : undefined, isKnown: true };
}

function flagsInLetters(word: string, table: ReadonlyMap<string, Spelling>): FlagWord {
  const uses: { entry: FlagEntry; value?: string }[] = [];
  for (let at = 1; at < word.length; at++) {
    const entry = table.get(`-${word[at]}`)?.entry;
    if (entry === undefined) return { uses, wants: undefined, isKnown: false };
    const rest = word.slice(at + 1);
    if (!entry.flag.isSwitch && rest === '') {
      return { uses: [...uses, { entry }], wants: entry.flag.bare === undefined ? entry : undefined, isKnown: true };
    }
    if (!entry.flag.isSwitch) {
      return { uses: [...uses, { entry, value: rest.replace(/^=/, '') }], wants: undefined, isKnown: true };
    }
    uses.push({ entry });
  }
  return { uses, wants: undefined, isKnown: true };
}

/**
 * Rewrites spellings that commander does not accept into ones that it does: `-X=k=v`, `--switch=true|false`, and a
 * flag without its value where that has a meaning. Values stay as they are.
 */
export function plainWords(words: readonly string[], table: ReadonlyMap<string, Spelling>): readonly string[] {
  const plain: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '--') return [...plain, ...words.slice(at)];
    const { texts, wants } = plainWord(word, table);
    plain.push(...texts);
    if (wants === undefined) continue;
    at += 1;
    const value = words[at];
    if (value === undefined) throw usageError(`${wants} needs a value`, { target: wants });
    plain.push(value);
  }
  return plain;
}

interface PlainWord {
  readonly texts: readonly string[];
  /** The flag whose value is the next word. */
  readonly wants?: string;
}

function plainWord(word: string, table: ReadonlyMap<string, Spelling>): PlainWord {
  if (word.startsWith('--')) return plainLong(word, table);
  if (word.startsWith('-') && word.length > 1) return plainLetters(word, table);
  return { texts: [word] };
}

function plainLong(word: string, table: ReadonlyMap<string, Spelling>): PlainWord {
  const equals = word.indexOf('=');
  const name = equals < 0 ? word : word.slice(0, equals);
  const found = table.get(name);
  if (found === undefined) return { texts: [word] };
  const { flag, name: own } = found.entry;
  if (flag.isSwitch) return { texts: [equals < 0 ? word : switchWord(found, name, word.slice(equals + 1))] };
  if (equals >= 0) return { texts: [word] };
  return flag.bare === undefined ? { texts: [word], wants: name } : { texts: [`--${own}=${flag.bare}`] };
}

function switchWord({ entry, negated }: Spelling, name: string, value: string): string {
  let on: boolean;
  try {
    on = boolean.parse(value);
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    throw usageError(`invalid value "${excerpt(value)}" of ${name}: ${reason}`, { target: name });
  }
  return on === negated ? `--no-${entry.name}` : `--${entry.name}`;
}

function plainLetters(word: string, table: ReadonlyMap<string, Spelling>): PlainWord {
  for (let at = 1; at < word.length; at++) {
    const found = table.get(`-${word[at]}`);
    if (found === undefined) break;
    const { flag, name } = found.entry;
    if (flag.isSwitch) continue;
    const before = at === 1 ? [] : [word.slice(0, at)];
    const rest = word.slice(at + 1);
    if (rest.startsWith('=')) return { texts: [...before, `--${name}=${rest.slice(1)}`] };
    if (rest !== '') break;
    if (flag.bare !== undefined) return { texts: [...before, `--${name}=${flag.bare}`] };
    return { texts: [word], wants: `-${word[at]}` };
  }
  return { texts: [word] };
}
