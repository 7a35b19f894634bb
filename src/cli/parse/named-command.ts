import type { Command, Entry, Noun } from '../command.ts';
import { earlyFlags } from './deprecation.ts';
import { isFlag, isHelp, lacksValue, splitWords } from './parse.ts';

/** The noun or command that a command line names, and the remaining words. */
export interface NamedCommand {
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

/** How far the words have led. */
interface Walk {
  readonly path: string[];
  target: Command | Noun | undefined;
  /** `weir topics` alone lists them. */
  isPlural: boolean;
  readonly rest: string[];
  strayFlag: string | undefined;
}

/** Follows the words from the root to a command, skipping flags before its name. */
export async function findCommand(entries: readonly Entry[], words: readonly string[]): Promise<NamedCommand> {
  const walk: Walk = { path: [], target: undefined, isPlural: false, rest: [], strayFlag: undefined };
  let at = 0;
  while (at < words.length && words[at] !== '--' && walk.target?.type !== 'command') {
    const word = words[at] ?? '';
    if (isFlag(word)) {
      at += await passFlag(walk, words.slice(at, at + 2));
      continue;
    }
    at += 1;
    const next = walk.target === undefined ? await enter(entries, word) : below(walk.target, word);
    if (next === undefined) return namedBy(walk, words.slice(at), word);
    follow(walk, next);
  }
  const isListed = at === words.length && walk.isPlural && !walk.rest.some(isHelp);
  const list = isListed ? below(walk.target, 'list') : undefined;
  if (list !== undefined) follow(walk, list);
  return namedBy(walk, words.slice(at));
}

/** Passes a flag before the command's name and returns how many words it has. The parser is not loaded for help. */
async function passFlag(walk: Walk, [word = '', value]: readonly string[]): Promise<number> {
  walk.rest.push(word);
  if (isHelp(word)) return 1;
  const { typed, operands, unknown } = await splitWords(
    [word],
    earlyFlags(walk.target?.type === 'noun' ? walk.target : undefined),
  );
  if (operands.length + unknown.length > 0) walk.strayFlag ??= word;
  if (value === undefined || !typed.some(lacksValue)) return 1;
  walk.rest.push(value);
  return 2;
}

function follow(walk: Walk, { path, target, isPlural = false }: Match): void {
  walk.path.push(...path);
  walk.target = target;
  walk.isPlural = isPlural;
}

function namedBy({ path, target, rest, strayFlag }: Walk, more: readonly string[], unknown?: string): NamedCommand {
  return { path, target, rest: [...rest, ...more], unknown, strayFlag };
}

interface Match {
  readonly path: readonly string[];
  readonly target: Command | Noun;
  /** Whether the word was the plural of a noun. */
  readonly isPlural?: boolean;
}

async function enter(entries: readonly Entry[], word: string): Promise<Match | undefined> {
  const named = (name: string) => entries.find((entry) => entry.name === name || entry.aliases.includes(name));
  const top = named(word);
  if (top !== undefined) return { path: [top.name], target: await top.load() };
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

function below(target: Command | Noun | undefined, word: string): Match | undefined {
  if (target?.type !== 'noun') return undefined;
  const all = Object.entries(target.commands);
  const others = sameVerbs.get(word) ?? [];
  const entry =
    all.find(([name]) => name === word) ??
    all.find(([, { aliases }]) => aliases.includes(word)) ??
    all.find(([name, { type }]) => type === 'command' && others.includes(name));
  if (entry !== undefined) return { path: [entry[0]], target: entry[1] };
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
