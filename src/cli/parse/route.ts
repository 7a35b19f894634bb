import type { Command, Entry, Noun } from '../command.ts';
import { earlyFlags } from './deprecation.ts';
import { isFlag, isHelp, lacksValue, splitWords } from './parse.ts';

/** The noun or command that a command line names, and the remaining words. */
export interface Route {
  /** The names that lead to it, with aliases resolved, for example `topic create`. */
  readonly path: readonly string[];
  /** Undefined for the root. */
  readonly target: Command | Noun | undefined;
  /** The remaining words: flags before and after the names, and operands. */
  readonly rest: readonly string[];
  /** A word after a noun, or at the root, that names no command. */
  readonly unknown: string | undefined;
  /** The first unknown flag before the command's name. */
  readonly strayFlag: string | undefined;
}

/** Follows the words from the root to a command, skipping flags before its name. */
export async function route(entries: readonly Entry[], words: readonly string[]): Promise<Route> {
  const path: string[] = [];
  const rest: string[] = [];
  let strayFlag: string | undefined;
  let target: Command | Noun | undefined;
  // `weir topics` alone lists them.
  let isPlural = false;
  const end = (more: readonly string[], unknown?: string): Route => {
    return { path, target, rest: [...rest, ...more], unknown, strayFlag };
  };
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '--' || target?.type === 'command') return end(words.slice(at));
    if (isFlag(word)) {
      const { isKnown, takesNext } = await earlyFlag(word);
      if (!isKnown) strayFlag ??= word;
      rest.push(word);
      if (takesNext) rest.push(...words.slice(++at, at + 1));
      continue;
    }
    const next = target === undefined ? await enter(entries, word) : below(target, word);
    if (next === undefined) return end(words.slice(at + 1), word);
    path.push(...next.path);
    target = next.target;
    isPlural = next.isPlural === true;
  }
  const listed = isPlural && !rest.some(isHelp) ? below(target, 'list') : undefined;
  if (listed === undefined) return end([]);
  path.push(...listed.path);
  target = listed.target;
  return end([]);
}

/** What a flag before the command's name is. The parser of flags is not loaded for help. */
async function earlyFlag(word: string): Promise<{ isKnown: boolean; takesNext: boolean }> {
  if (isHelp(word)) return { isKnown: true, takesNext: false };
  const { typed, operands, unknown } = await splitWords([word], earlyFlags());
  return { isKnown: operands.length + unknown.length === 0, takesNext: typed.some(lacksValue) };
}

interface Found {
  readonly path: readonly string[];
  readonly target: Command | Noun;
  /** Whether the word was the plural of a noun. */
  readonly isPlural?: boolean;
}

async function enter(entries: readonly Entry[], word: string): Promise<Found | undefined> {
  const named = (name: string) => entries.find((entry) => entry.name === name || entry.aliases.includes(name));
  const found = named(word);
  if (found !== undefined) return { path: [found.name], target: await found.load() };
  const [noun, isPlural] = nouns.has(word) ? [word, false] : [singular(word), true];
  const above = nouns.get(noun);
  if (above !== undefined) {
    const outer = await enter(entries, above);
    const inner = outer && below(outer.target, noun);
    return inner && { path: [above, ...inner.path], target: inner.target, isPlural };
  }
  const one = named(noun);
  const target = await one?.load();
  return one && target?.type === 'noun' ? { path: [one.name], target, isPlural } : undefined;
}

function below(target: Command | Noun | undefined, word: string): Found | undefined {
  if (target?.type !== 'noun') return undefined;
  const all = Object.entries(target.commands);
  const others = sameVerbs.get(word) ?? [];
  const found =
    all.find(([name]) => name === word) ??
    all.find(([, { aliases }]) => aliases.includes(word)) ??
    all.find(([name, { type }]) => type === 'command' && others.includes(name));
  if (found !== undefined) return { path: [found[0]], target: found[1] };
  const one = all.find(([name, { type }]) => type === 'noun' && name === singular(word));
  return one && { path: [one[0]], target: one[1], isPlural: true };
}

/** Nouns that people type without the one above. */
const nouns: ReadonlyMap<string, string> = new Map([
  ['user', 'security'],
  ['role', 'security'],
  ['schema', 'registry'],
  ['subject', 'registry'],
]);

function singular(word: string): string {
  return word.endsWith('s') ? word.slice(0, -1) : '';
}

/** Verbs that mean the same where only one of them exists; some nouns have `describe` and some have `get`, as in rpk. */
const sameVerbs: ReadonlyMap<string, readonly string[]> = new Map([
  ['describe', ['get']],
  ['get', ['describe']],
  ['desc', ['describe', 'get']],
  ['rm', ['delete']],
  ['del', ['delete']],
  ['remove', ['delete']],
  ['ls', ['list']],
  ['alter', ['alter-config']],
]);
