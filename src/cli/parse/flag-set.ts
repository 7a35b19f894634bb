import type { Command, Flag } from '../command.ts';
import { dryRunFlag, globalFlags, kebab } from './global-flags.ts';

/** Where a flag is declared. */
export type FlagScope = 'own' | 'global' | 'deprecated';

/** A flag of one command. */
export interface FlagEntry {
  /** The key of the declaration, for example `dryRun`. */
  readonly key: string;
  /** As typed, without dashes, for example `dry-run`. */
  readonly name: string;
  /** One letter; undefined when there is none, or when another flag of the command has it. */
  readonly short: string | undefined;
  readonly flag: Flag<unknown>;
  readonly scope: FlagScope;
}

/**
 * All flags of a command or noun: its own ones, `--dry-run` if it changes something, the global and the deprecated ones.
 * A flag shadows later ones of the same name or letter.
 */
export function flagSet(
  target: (Pick<Command, 'flags'> & Partial<Pick<Command, 'changes'>>) | undefined,
  deprecated: Readonly<Record<string, Flag<unknown>>> = {},
): readonly FlagEntry[] {
  const entries: FlagEntry[] = [];
  const names = new Set<string>();
  const letters = new Set<string>();
  const add = (key: string, flag: Flag<unknown>, scope: FlagScope) => {
    const name = kebab(key);
    if (names.has(name)) return;
    const short = flag.short !== undefined && !letters.has(flag.short) ? flag.short : undefined;
    const aliases = flag.aliases.filter((alias) => !names.has(alias));
    for (const taken of [name, ...aliases]) names.add(taken);
    if (short !== undefined) letters.add(short);
    entries.push({ key, name, short, flag: { ...flag, aliases }, scope });
  };
  for (const [key, flag] of Object.entries(target?.flags ?? {})) add(key, flag, 'own');
  if ((target?.changes ?? 'reads') !== 'reads') add('dryRun', dryRunFlag, 'own');
  for (const [key, flag] of Object.entries(globalFlags)) add(key, flag as Flag<unknown>, 'global');
  for (const [key, flag] of Object.entries(deprecated)) add(key, flag, 'deprecated');
  return entries;
}

/** One use of a flag on the command line, with its value not yet parsed. */
export interface FlagUse {
  readonly entry: FlagEntry;
  /** As typed; `true` or `false` for a switch. */
  readonly value: string;
}

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

/** All long names and letters of a command's flags, with their dashes. */
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

/** Whether `--no-x` turns the switch `x` off; a counted switch has no such form. */
export function isNegatable(entry: FlagEntry): boolean {
  return entry.flag.isSwitch && !entry.flag.repeats;
}

/** Whether help and completion offer `--no-x`: only for switches that are on by default. */
export function offersNo(entry: FlagEntry): boolean {
  return isNegatable(entry) && entry.flag.fallback === true;
}

/** The long spellings of all visible flags, for suggestions. */
export function spellings(entries: readonly FlagEntry[]): readonly string[] {
  return entries
    .filter((entry) => !entry.flag.hidden)
    .flatMap((entry) => [`--${entry.name}`, ...(offersNo(entry) ? [`--no-${entry.name}`] : [])]);
}
