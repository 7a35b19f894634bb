import type { Context } from '../context.ts';
import type { ExitCode } from '../errors.ts';
import type { Text } from '../format/pieces.ts';
import type { View } from '../format/view.ts';
import { boolean, type Kind } from '../kinds.ts';
import type { Shape } from '../shape/shape.ts';

/** The kind of change a command makes; it determines prompts, `--dry-run` and the protection of profiles. */
export type Changes = 'reads' | 'creates' | 'alters' | 'destroys';

/** An API that a command calls; it determines the deprecated flags, and the address that a prompt names. */
export type Api = 'kafka' | 'admin' | 'registry' | 'cloud';

/** A positional argument. `T` is what `run` receives. */
export interface Argument<T> {
  readonly kind: Kind<unknown>;
  /** Upper case, for example `TOPIC`. */
  readonly label: string;
  readonly arity: 'one' | 'optional' | 'many' | 'any';
  readonly help: string | undefined;
  /** Carries `T` for the compiler; never set. */
  readonly type?: T;
}

/** Exactly one word. */
export function one<T>(kind: Kind<T>, label: string, help?: string): Argument<T> {
  return { kind: kind as Kind<unknown>, label, arity: 'one', help };
}

/** No word or one. */
export function optional<T>(kind: Kind<T>, label: string, help?: string): Argument<T | undefined> {
  return { kind: kind as Kind<unknown>, label, arity: 'optional', help };
}

/** One word or more; only as the last argument. */
export function many<T>(kind: Kind<T>, label: string, help?: string): Argument<readonly T[]> {
  return { kind: kind as Kind<unknown>, label, arity: 'many', help };
}

/** Any number of words, none included; only as the last argument. */
export function any<T>(kind: Kind<T>, label: string, help?: string): Argument<readonly T[]> {
  return { kind: kind as Kind<unknown>, label, arity: 'any', help };
}

/** A flag as declared. `T` is what `run` receives. */
export interface Flag<T> {
  readonly kind: Kind<unknown>;
  /** One letter, without the dash. */
  readonly short: string | undefined;
  readonly help: string;
  /** A flag without a value; `--no-x` turns it off. */
  readonly isSwitch: boolean;
  /** May be given several times; `run` receives all values as a list. */
  readonly repeats: boolean;
  /** One occurrence may hold several values, separated by commas. */
  readonly splits: boolean;
  /** The value when the flag is given without one (`--flag` instead of `--flag=v`). */
  readonly bare: string | undefined;
  readonly hidden: boolean;
  readonly required: boolean;
  /** Other accepted long names, without the dashes. */
  readonly aliases: readonly string[];
  /** Whether a value of `--format` is meant for this flag: rpk uses `--format` for record formats. */
  readonly takesFormat?: (value: string) => boolean;
  readonly fallback: T | undefined;
}

/** The declaration that all flags have in common. */
export interface FlagOptions {
  readonly help: string;
  readonly short?: string;
  readonly hidden?: boolean;
  readonly aliases?: readonly string[];
  readonly bare?: string;
  readonly takesFormat?: (value: string) => boolean;
}

function declare<T>(kind: Kind<unknown>, options: FlagOptions, rest: Partial<Flag<T>>): Flag<T> {
  return {
    kind,
    short: options.short,
    help: options.help,
    hidden: options.hidden ?? false,
    aliases: options.aliases ?? [],
    bare: options.bare,
    isSwitch: false,
    repeats: false,
    splits: false,
    required: false,
    fallback: undefined,
    ...(options.takesFormat === undefined ? {} : { takesFormat: options.takesFormat }),
    ...rest,
  };
}

/** `--name VALUE`; undefined when not given, unless `fallback` is set. */
export function flag<T>(kind: Kind<T>, options: FlagOptions & { readonly fallback: T }): Flag<T>;
export function flag<T>(kind: Kind<T>, options: FlagOptions & { readonly required: true }): Flag<T>;
export function flag<T>(kind: Kind<T>, options: FlagOptions): Flag<T | undefined>;
export function flag<T>(
  kind: Kind<T>,
  options: FlagOptions & { readonly fallback?: T; readonly required?: true },
): Flag<T | undefined> {
  return declare(kind as Kind<unknown>, options, { fallback: options.fallback, required: options.required ?? false });
}

/** `--name`, `--no-name` or `--name=true|false`; false when not given, unless `fallback` is true. */
export function toggle(options: FlagOptions & { readonly fallback?: boolean }): Flag<boolean> {
  return declare(boolean as Kind<unknown>, options, { isSwitch: true, fallback: options.fallback ?? false });
}

/**
 * `--dry-run`. Every command that changes something has it without declaring it; a command that other tools give a short
 * form declares it, with the key `dryRun`.
 */
export function dryRun(names: Pick<FlagOptions, 'short'> = {}): Flag<boolean> {
  return toggle({ ...names, help: 'show what would change without changing it', aliases: ['dry'] });
}

/** `--name VALUE`, repeatable; empty when not given. With `splits`, one value may hold several, separated by commas. */
export function list<T>(kind: Kind<T>, options: FlagOptions & { readonly splits?: boolean }): Flag<readonly T[]> {
  return declare(kind as Kind<unknown>, options, { repeats: true, splits: options.splits ?? false, fallback: [] });
}

/** The values that a command receives for declared arguments and flags: `ValuesOf<typeof flags>`. */
export type ValuesOf<D> = {
  readonly [K in keyof D]: D[K] extends Argument<infer T> ? T : D[K] extends Flag<infer T> ? T : never;
};

/** The values that a command receives: of its arguments, its flags, and those that every command has. */
export type AllValues<A, F> = ValuesOf<A> & ValuesOf<F> & CommonValues;

/** The values that every command receives besides its own. */
export interface CommonValues {
  /** `--dry-run`: show what would change, send no request that changes it. Only commands that change have the flag. */
  readonly dryRun: boolean;
}

/** How a result is shown. `V` are the values of the command line. */
export interface Show<R, V = CommonValues> {
  /** The result as text for people, which ends with a newline, or '' to print nothing. */
  text(result: R, view: View, values: V): Text;
  /** The same with more columns (default: `text`). */
  wide?(result: R, view: View, values: V): Text;
  /** Each item of a stream replaces the one before on a terminal. */
  readonly redraws?: true;
  /** The text is for a shell: its control characters come from weir and are printed as they are. */
  readonly literal?: true;
  /** The exit code of a result (default: that of the errors in its rows, see `exitCodeOfResult`). */
  exitCode?(result: R, values: V): ExitCode;
}

/** Standard output for finished bytes, with back-pressure. */
export interface ByteSink {
  /** Writes a chunk; a returned promise resolves when the reader has caught up. */
  write(chunk: Uint8Array): Promise<void> | undefined;
}

/** The result of a command on the hot path, which writes finished bytes itself. */
export interface RawOutput {
  readonly type: 'raw';
  /** Writes everything to `sink` and resolves with the exit code. */
  pump(sink: ByteSink): Promise<ExitCode>;
}

/** What `run` may return: rows, a stream of rows (NDJSON with `--format json`), or finished bytes. */
export type Result<R> = R | AsyncIterable<R> | RawOutput;

/** A command's declaration, read by the parser, help, docs, completion and tests. */
export interface CommandSpec<A, F, P, R> extends Work<A, F, P, NoInfer<R>> {
  /** The row, or the list of rows, that `run` returns (one item, for a stream); its JSON Schema is that of the output. */
  readonly result: Shape<R>;
  readonly show: Show<R, AllValues<A, F>>;
}

/** A declaration whose text or exit code needs more than JSON and YAML show. */
export interface PartlyShownSpec<A, F, P, R, J> extends Work<A, F, P, R> {
  /** What JSON shows. */
  readonly result: Shape<J>;
  readonly show: Show<R, AllValues<A, F>> & { json(result: R): J };
}

/** What a command is called with. */
export interface Called<A, F> {
  /** One line with an upper-case first letter and no full stop. */
  readonly summary: string;
  /** Paragraphs for `--help` and the docs page. */
  readonly description?: string;
  /** Pairs of a purpose and the words after `weir`; at least two. */
  readonly examples: readonly (readonly [string, string])[];
  readonly args?: A;
  readonly flags?: F;
  readonly aliases?: readonly string[];
  readonly hidden?: boolean;
  readonly changes: Changes;
  readonly apis?: readonly Api[];
  /** `run` receives unknown words as `rest` (plugins). */
  readonly passThrough?: boolean;
  /**
   * Why `confirm` asks on a protected profile although nothing is destroyed: the change cannot be undone, it stops
   * producers or consumers, or it adds records a second time. A clause for the help: `because …` or `if …, because …`.
   */
  readonly guarded?: string;
  /** For `destroys`: what `confirm` asks about, if it does not always ask: `before a change that …`. For the help. */
  readonly asksBefore?: string;
  /**
   * For `destroys`: whether the line names everything that it destroys, so that it runs without a terminal. Otherwise
   * (a pattern, a filter, an offset, a file), it needs `--yes` there. Default: false.
   */
  readonly namesAll?: boolean | ((values: AllValues<A, F>) => boolean);
}

/** What a command is called with, and what it does, in this order. */
interface Work<A, F, P, R> extends Called<A, F> {
  /**
   * Reads what the command would do, and changes nothing. It is called once: what the question shows is what runs, even
   * if the cluster has changed while somebody thought about it.
   */
  plan?(context: Context, values: AllValues<A, F>): Promise<P> | P;
  /** For `destroys` and `guarded`: the question asked on a terminal; null if there is nothing to ask about. */
  confirm?(context: Context, values: AllValues<A, F>, plan: P): Promise<Confirmation | null> | Confirmation | null;
  /**
   * The result of a dry run: what the plan would change. `run` is not called then. A command without it is run with
   * `values.dryRun`, because the cluster itself can check the request without carrying it out.
   */
  dryRun?(context: Context, values: AllValues<A, F>, plan: P): Promise<R> | R;
  run(context: Context, values: AllValues<A, F>, plan: P): Promise<Result<R>> | Result<R>;
}

/** The confirmation to ask for before something is destroyed. */
export interface Confirmation {
  /**
   * For example `Delete 2 topics (a, b) and all their records` (default: the words of the command); the profile, the
   * cluster and `?` are added.
   */
  readonly question?: string;
  /** What would be destroyed, in lines that each end with a newline; shown above the question. */
  readonly preview?: string;
  /** The text to type on a protected profile, for example the topic's name. */
  readonly name: string;
  /** The protected profiles that it is about: the name must be typed for one (default: the selected one, if it is protected). */
  readonly protected?: readonly string[];
  /** Where the change is made, if not where the command's profile says. */
  readonly at?: Context;
  /** The API that the change goes to, for a command that chooses one. */
  readonly api?: Api;
  /** What to do after a refusal because nobody can be asked. */
  readonly hints?: readonly string[];
}

/** A declared command as the framework sees it, without the types of its values. */
export interface Command {
  readonly type: 'command';
  readonly summary: string;
  readonly description: string | undefined;
  readonly examples: readonly (readonly [string, string])[];
  readonly args: Readonly<Record<string, Argument<unknown>>>;
  readonly flags: Readonly<Record<string, Flag<unknown>>>;
  readonly aliases: readonly string[];
  readonly hidden: boolean;
  readonly changes: Changes;
  readonly apis: readonly Api[];
  readonly passThrough: boolean;
  readonly guarded: string | undefined;
  readonly asksBefore: string | undefined;
  readonly namesAll: boolean | ((values: GivenValues) => boolean);
  plan?(context: Context, values: GivenValues): Promise<unknown> | unknown;
  confirm?(context: Context, values: GivenValues, plan: unknown): Promise<Confirmation | null> | Confirmation | null;
  dryRun?(context: Context, values: GivenValues, plan: unknown): Promise<unknown> | unknown;
  run(context: Context, values: GivenValues, plan: unknown): Promise<unknown> | unknown;
  readonly result: Shape<unknown>;
  readonly show: Show<unknown, GivenValues> & {
    /** What JSON and YAML show of a result (default: all of it). */
    json?(result: unknown): unknown;
  };
}

/** The values of a command line, without their types. */
export type GivenValues = Readonly<Record<string, unknown>> & CommonValues;

/** Arguments by name. */
export type Args = Readonly<Record<string, Argument<unknown>>>;
/** Flags by name. */
export type Flags = Readonly<Record<string, Flag<unknown>>>;

/**
 * Declares a command. Write `result` and `plan` before `confirm` and `run`, and these before `show`, so that the compiler
 * can infer the types of the rows and of the plan. Flag names are camelCase here and kebab-case on the command line.
 */
// biome-ignore lint/complexity/noBannedTypes: {} is "no arguments", the fallback of inference
export function command<R, A extends Args = {}, F extends Flags = {}, P = undefined>(
  spec: CommandSpec<A, F, P, R>,
): Command {
  return declared(spec);
}

/** Declares a command of which JSON and YAML show only a part of the result. */
// biome-ignore lint/complexity/noBannedTypes: {} is "no arguments", the fallback of inference
export function partlyShown<R, J, A extends Args = {}, F extends Flags = {}, P = undefined>(
  spec: PartlyShownSpec<A, F, P, R, J>,
): Command {
  return declared(spec);
}

function declared(spec: object): Command {
  return {
    type: 'command',
    description: undefined,
    args: {},
    flags: {},
    aliases: [],
    hidden: false,
    apis: [],
    passThrough: false,
    guarded: undefined,
    asksBefore: undefined,
    namesAll: false,
    ...spec,
  } as unknown as Command; // the only place that drops the types of a command's values
}

/** A noun: a group of commands, loaded on first use. */
export interface Noun {
  readonly type: 'noun';
  readonly summary: string;
  readonly aliases: readonly string[];
  readonly hidden: boolean;
  /** Sub-commands by name, in the order of the help. */
  readonly commands: Readonly<Record<string, Command | Noun>>;
  /** The titles in the help, with the names of the commands below each. */
  readonly groups: Readonly<Record<string, readonly string[]>>;
  /** Flags of its commands that may precede their names: `registry --schema-context .staging subject list`. */
  readonly flags: Flags;
}

interface NounSpec {
  readonly summary: string;
  readonly aliases?: readonly string[];
  readonly hidden?: boolean;
  readonly flags?: Flags;
}

/** Declares a noun from its verbs; one with more than a dozen has them in groups, by title. */
export function noun(
  spec: NounSpec &
    ({ readonly commands: Noun['commands'] } | { readonly groups: Readonly<Record<string, Noun['commands']>> }),
): Noun {
  const groups = 'groups' in spec ? spec.groups : { Commands: spec.commands };
  return {
    ...{ type: 'noun', aliases: [], hidden: false, flags: {}, ...spec },
    commands: Object.assign({}, ...Object.values(groups)),
    groups: Object.fromEntries(Object.entries(groups).map(([title, commands]) => [title, Object.keys(commands)])),
  };
}

/** The commands that the help of a noun lists: those that are not hidden, or all of a noun that is hidden itself. */
export function shownCommands({ commands, hidden }: Noun): readonly (readonly [name: string, Command | Noun])[] {
  return Object.entries(commands).filter(([, one]) => hidden || !one.hidden);
}

/** The same below their titles. */
export function shownGroups(noun: Noun): readonly Titled<readonly [name: string, Command | Noun]>[] {
  const shown = shownCommands(noun);
  const groups = Object.entries(noun.groups).map(([title, names]) => ({
    title,
    items: shown.filter(([name]) => names.includes(name)),
  }));
  return groups.filter(({ items }) => items.length > 0);
}

/** Items of a list below the title that they share. */
export interface Titled<T> {
  readonly title: string;
  readonly items: readonly T[];
}

/** A top-level noun or command: what `weir --help` shows, and how to load the rest. */
export interface Entry {
  /** The title above it in the help. */
  readonly group: string;
  readonly name: string;
  readonly summary: string;
  readonly aliases: readonly string[];
  readonly hidden: boolean;
  load(): Promise<Command | Noun>;
}

/** Declares a top-level noun or command. */
export function entry(
  name: string,
  summary: string,
  load: Entry['load'],
  more: { aliases?: readonly string[]; hidden?: boolean } = {},
): Entry {
  return { group: 'Commands', name, summary, aliases: more.aliases ?? [], hidden: more.hidden ?? false, load };
}

/** Top-level nouns and commands below a title of the help. */
export function inGroup(group: string, entries: readonly Entry[]): readonly Entry[] {
  return entries.map((one) => ({ ...one, group }));
}

/** The entries that the help shows, below their titles, in their order. */
export function entryGroups(entries: readonly Entry[]): readonly Titled<Entry>[] {
  const shown = entries.filter(({ hidden }) => !hidden);
  const titles = [...new Set(shown.map(({ group }) => group))];
  return titles.map((title) => ({ title, items: shown.filter(({ group }) => group === title) }));
}
