import type { Command, Entry, Noun } from './command.ts';
import { globalFlags, kebab } from './global-flags.ts';

/** Where the words of a command line lead. */
export interface Route {
  /** The names walked through, without aliases, for example `topic create`. */
  readonly path: readonly string[];
  /** Undefined for the root. */
  readonly target: Command | Noun | undefined;
  /** The words that are left: flags before and behind, and operands. */
  readonly rest: readonly string[];
  /** A word under a noun (or the root) that names no command. */
  readonly unknown: string | undefined;
}

/** Follows the words from the root down to a command, stepping over flags that stand before its name. */
export async function route(entries: readonly Entry[], words: readonly string[]): Promise<Route> {
  const path: string[] = [];
  const rest: string[] = [];
  let target: Command | Noun | undefined;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '--' || target?.type === 'command')
      return { path, target, rest: [...rest, ...words.slice(at)], unknown: undefined };
    if (word.startsWith('-') && word.length > 1) {
      rest.push(word);
      if (takesNextWord(word) && at + 1 < words.length) rest.push(words[++at] ?? '');
      continue;
    }
    const next = target === undefined ? await enter(entries, word) : below(target, word);
    if (next === undefined) return { path, target, rest: [...rest, ...words.slice(at + 1)], unknown: word };
    path.push(next[0]);
    target = next[1];
  }
  return { path, target, rest, unknown: undefined };
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
  return Object.entries(commands).find(([, command]) => command.aliases.includes(word));
}

const valueFlags: ReadonlySet<string> = new Set(
  Object.entries(globalFlags)
    .filter(([, flag]) => !flag.isSwitch)
    .flatMap(([key, flag]) => [`--${kebab(key)}`, ...(flag.short === undefined ? [] : [`-${flag.short}`])]),
);

function takesNextWord(word: string): boolean {
  return valueFlags.has(word);
}
