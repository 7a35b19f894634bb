import type { Command, Entry, Noun } from '../command.ts';
import { earlyTable } from './scan.ts';
import { flagsIn } from './words.ts';

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
  const table = earlyTable();
  let strayFlag: string | undefined;
  let target: Command | Noun | undefined;
  const end = (more: readonly string[], unknown?: string): Route => {
    return { path, target, rest: [...rest, ...more], unknown, strayFlag };
  };
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '--' || target?.type === 'command') return end(words.slice(at));
    if (word.startsWith('-') && word.length > 1) {
      rest.push(word);
      const { takesNext, isKnown } = flagsIn(word, table);
      if (takesNext && at + 1 < words.length) rest.push(words[++at] ?? '');
      else if (!isKnown) strayFlag ??= word;
      continue;
    }
    const next = target === undefined ? await enter(entries, word) : below(target, word);
    if (next === undefined) return end(words.slice(at + 1), word);
    path.push(next[0]);
    target = next[1];
  }
  return end([]);
}

type Found = readonly [name: string, target: Command | Noun];

async function enter(entries: readonly Entry[], word: string): Promise<Found | undefined> {
  const found = entries.find((entry) => entry.name === word || entry.aliases.includes(word));
  return found && [found.name, await found.load()];
}

function below(target: Command | Noun, word: string): Found | undefined {
  if (target.type === 'command') return undefined;
  const { commands } = target;
  const own = Object.hasOwn(commands, word) ? commands[word] : undefined;
  if (own !== undefined) return [word, own];
  const other = sameVerb.get(word);
  return (
    Object.entries(commands).find(([, command]) => command.aliases.includes(word)) ??
    Object.entries(commands).find(([name, command]) => name === other && command.type === 'command')
  );
}

/** Some nouns have `describe` and some have `get`, as in rpk; where there is one of them, both work. */
const sameVerb: ReadonlyMap<string, string> = new Map([
  ['describe', 'get'],
  ['get', 'describe'],
]);
