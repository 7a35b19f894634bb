import { type OptionSetting, optionSettings } from '../../config/option-help.ts';
import type { AdminSubject, ClusterSubject, Kind } from '../../kinds.ts';
import type { Api, Argument, Command, Entry, Noun } from '../command.ts';
import { walkTree } from '../help/tree.ts';
import { type FlagEntry, flagSet, offersNo } from '../parse/flag-set.ts';

/** Names that the scripts ask `weir __complete` for. */
type Live = 'profiles' | 'sandboxes' | 'places' | `${ClusterSubject | AdminSubject}s`;

/** The candidates at one place of the line: words in the script, what the shell finds, or what weir finds. */
export type Candidates =
  | { readonly from: 'words'; readonly words: readonly string[] }
  /** The commands below those that the arguments so far name; before the first argument, also these words. */
  | { readonly from: 'commands'; readonly words: readonly string[] }
  | { readonly from: 'files' | 'directories' | 'profiles-or-files' | 'options' | 'nothing' }
  /** Names that weir finds, and these words. */
  | { readonly from: Live; readonly words: readonly string[] };

/** A flag as completion offers it. */
export interface CompletionFlag {
  /** With dashes; the long name first. */
  readonly spellings: readonly string[];
  readonly help: string;
  /** Undefined for a switch. */
  readonly value: Candidates | undefined;
  /** One value may be several, separated by commas. */
  readonly splits: boolean;
}

/** An argument as completion offers it. */
export interface CompletionOperand {
  readonly candidates: Candidates;
  /** Whether all further words are of this kind, too. */
  readonly repeats: boolean;
}

/** A node of the command tree. */
export interface CompletionNode {
  /** `topic create`; empty for the root. */
  readonly path: string;
  readonly commands: readonly {
    readonly name: string;
    readonly aliases: readonly string[];
    readonly summary: string;
  }[];
  /** The names of further commands, such as old spellings: they are not offered, and nothing is after them. */
  readonly hidden: readonly string[];
  readonly flags: readonly CompletionFlag[];
  /** The arguments by position. */
  readonly operands: readonly CompletionOperand[];
}

/** The commands that each word after a path leads to, hidden ones too. */
export function stepsOf({ path, commands, hidden }: CompletionNode): readonly CompletionStep[] {
  const step = (name: string, aliases: readonly string[]) => {
    return { words: [name, ...aliases].map((word) => `${path}/${word}`), leadsTo: `${path} ${name}`.trim() };
  };
  return [...commands.map(({ name, aliases }) => step(name, aliases)), ...hidden.map((name) => step(name, []))];
}

interface CompletionStep {
  /** The path and the next word, `topic/create`, for the name and each alias. */
  readonly words: readonly string[];
  /** `topic create` */
  readonly leadsTo: string;
}

/** The contents of a completion script. */
export interface CompletionTree {
  readonly nodes: readonly CompletionNode[];
  readonly globalFlags: readonly CompletionFlag[];
  /** What `-X` takes. */
  readonly options: readonly OptionSetting[];
}

/** Collects the completion of the whole tree, without hidden commands and flags. */
export async function completionTree(entries: readonly Entry[]): Promise<CompletionTree> {
  const shown = entries.filter(({ hidden }) => !hidden);
  const nodes = (await walkTree(shown)).map((node) =>
    'command' in node ? leafNode(node.path, node.command) : nounNode(node.path, node.noun),
  );
  const hidden = entries.filter((entry) => entry.hidden).map(({ name }) => name);
  const root = { path: '', commands: shown, hidden, flags: [], operands: [] };
  return {
    nodes: [root, ...nodes.filter((node) => node !== undefined)],
    globalFlags: flagSet(undefined).map((one) => completionFlag(one, [])),
    options: optionSettings(),
  };
}

function nounNode(path: readonly string[], noun: Noun): CompletionNode | undefined {
  if (noun.hidden) return undefined;
  const commands = Object.entries(noun.commands)
    .filter(([, { hidden }]) => !hidden)
    .map(([name, { aliases, summary }]) => ({ name, aliases, summary }));
  const hidden = Object.entries(noun.commands).flatMap(([name, one]) => (one.hidden ? [name] : []));
  return { path: path.join(' '), commands, hidden, flags: ownFlags(noun, []), operands: [] };
}

function leafNode(path: readonly string[], command: Command): CompletionNode | undefined {
  if (command.hidden) return undefined;
  return {
    path: path.join(' '),
    commands: [],
    hidden: [],
    flags: ownFlags(command, command.apis),
    operands: operandsOf(command),
  };
}

function ownFlags(target: Command | Noun, apis: readonly Api[]): readonly CompletionFlag[] {
  const flags = flagSet(target).filter(({ scope, flag }) => scope === 'own' && !flag.hidden);
  return flags.map((one) => completionFlag(one, apis));
}

function completionFlag(entry: FlagEntry, apis: readonly Api[]): CompletionFlag {
  const { flag, name, short, key } = entry;
  const spellings = [
    `--${name}`,
    ...(short === undefined ? [] : [`-${short}`]),
    ...(offersNo(entry) ? [`--no-${name}`] : []),
  ];
  const { help, splits } = flag;
  if (flag.isSwitch) return { spellings, help, value: undefined, splits };
  const value: Candidates = key === 'configOpt' ? { from: 'options' } : candidatesOf(flag.kind, apis);
  return { spellings, help, value, splits };
}

function operandsOf(command: Command): readonly CompletionOperand[] {
  return Object.values<Argument<unknown>>(command.args).map(({ kind, arity }) => ({
    candidates: candidatesOf(kind, command.apis),
    repeats: arity === 'many' || arity === 'any',
  }));
}

function candidatesOf({ choices, offers, completes }: Kind<unknown>, apis: readonly Api[]): Candidates {
  const words = choices ?? offers ?? [];
  if (completes === 'command') return { from: 'commands', words };
  if (choices !== undefined || (completes === undefined && words.length > 0)) return { from: 'words', words };
  if (completes === undefined) return { from: 'nothing' };
  if (completes === 'file') return { from: 'files' };
  if (completes === 'directory') return { from: 'directories' };
  if (completes === 'profile-or-file') return { from: 'profiles-or-files' };
  // Where a command uses the Admin API alone, no other API may be configured.
  if (apis.join() === 'admin' && (completes === 'broker' || completes === 'topic'))
    return { from: `admin-${completes}s`, words };
  return { from: completes === 'sandbox' ? 'sandboxes' : `${completes}s`, words };
}
