import type { Context } from '../context.ts';
import type { ExitCode } from '../errors.ts';
import type { View } from '../format/view.ts';
import { boolean, type Kind } from '../kinds.ts';
import type { Schema } from './output/schema.ts';

/** What a command does to the world: gives prompts, `--dry-run` and the protection of profiles. */
export type Changes = 'reads' | 'creates' | 'alters' | 'destroys';

/** Which of the four APIs a command talks to; gives the deprecated flags and the help's hints. */
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
  /** A flag without a value, `--no-x` to say no. */
  readonly isSwitch: boolean;
  /** May be given again; all values are handed over as a list. */
  readonly repeats: boolean;
  /** One occurrence may hold several values, split at commas. */
  readonly splits: boolean;
  /** What stands for the value when the flag is given without one (`--flag` beside `--flag=v`). */
  readonly bare: string | undefined;
  readonly hidden: boolean;
  readonly required: boolean;
  /** Other long names that keep working, without the dashes. */
  readonly aliases: readonly string[];
  /** Values of `--format` that are meant for this flag: what rpk calls a format is a record format here. */
  readonly takesFormat?: (value: string) => boolean;
  readonly fallback: T | undefined;
}

/** What may be said about any flag. */
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

/** `--name VALUE`; undefined when not given, unless `fallback` is said. */
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

/** `--name VALUE`, repeatable; empty when not given. `splits`: one value may hold several, split at commas. */
export function list<T>(kind: Kind<T>, options: FlagOptions & { readonly splits?: boolean }): Flag<readonly T[]> {
  return declare(kind as Kind<unknown>, options, { repeats: true, splits: options.splits ?? false, fallback: [] });
}

type Values<A, F> = { readonly [K in keyof A]: A[K] extends Argument<infer T> ? T : never } & {
  readonly [K in keyof F]: F[K] extends Flag<infer T> ? T : never;
};

/** What every command may read besides its own values. */
export interface CommonValues {
  /** `--dry-run`: say what would change, send nothing that changes. Only commands that change have the flag. */
  readonly dryRun: boolean;
}

/** How a result is shown. */
export interface Output<R> {
  /** JSON Schema of the JSON output (of one item, for a stream). */
  readonly schema: Schema;
  /** The result as people read it: text that ends with a newline, or '' for nothing. */
  text(result: R, view: View): string;
  /** The same with more columns; `text` when absent. */
  wide?(result: R, view: View): string;
  /** The text is meant for a shell: control characters in it are weir's own, and stay. */
  readonly literal?: true;
  /** The exit code a result stands for, where rows may have failed; 0 when absent. */
  exitCode?(result: R): ExitCode;
}

/** Where finished bytes go: standard output with back-pressure. */
export interface ByteSink {
  /** Writes; the promise, when there is one, resolves when the reader has caught up. */
  write(chunk: Uint8Array): Promise<void> | undefined;
}

/** The hot path: a command that writes finished bytes itself, through the sink it is handed. */
export interface RawOutput {
  readonly type: 'raw';
  /** Resolves with the exit code when everything was written. */
  pump(sink: ByteSink): Promise<ExitCode>;
}

/** What `run` may return: rows, or a stream of rows (`json` is NDJSON), or finished bytes. */
export type Result<R> = R | AsyncIterable<R> | RawOutput;

/** A command's declaration: parser, help, docs, completion, man page and tests read it. */
export interface CommandSpec<A, F, R> {
  /** One line, upper-case first letter, no full stop. */
  readonly summary: string;
  /** Paragraphs for `--help` and the docs page. */
  readonly description?: string;
  /** What it is for, and the words after `weir`; two at least. */
  readonly examples: readonly (readonly [string, string])[];
  readonly args?: A;
  readonly flags?: F;
  readonly aliases?: readonly string[];
  readonly hidden?: boolean;
  readonly changes: Changes;
  readonly apis?: readonly Api[];
  /** Words that weir does not know are handed to `run` as `rest` (plugins). */
  readonly passThrough?: boolean;
  /** For `destroys`: the question asked on a terminal. */
  confirm?(context: Context, values: Values<A, F> & CommonValues): Promise<Confirmation> | Confirmation;
  run(context: Context, values: Values<A, F> & CommonValues): Promise<Result<R>> | Result<R>;
  readonly output: Output<R>;
}

/** What is asked before something is destroyed. */
export interface Confirmation {
  /** For example `Delete 2 topics (a, b) and all their records`; the profile, the cluster and `?` are added. */
  readonly question: string;
  /** What must be typed on a protected profile, for example the topic's name. */
  readonly name: string;
  /** Whether the name must be typed; left out, the selected profile's protection says. */
  readonly protected?: boolean;
}

/** A declared command, its types closed: what the framework works with. */
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
  confirm?(context: Context, values: Readonly<Record<string, unknown>>): Promise<Confirmation> | Confirmation;
  run(context: Context, values: Readonly<Record<string, unknown>>): Promise<unknown> | unknown;
  readonly output: Output<unknown>;
}

type Args = Readonly<Record<string, Argument<unknown>>>;
type Flags = Readonly<Record<string, Flag<unknown>>>;

/**
 * Declares a command. `run` stands before `output` so that the compiler knows the rows.
 * Flag names are camelCase here and kebab-case on the command line.
 */
// biome-ignore lint/complexity/noBannedTypes: {} is "no arguments", the fallback of inference
export function command<R, A extends Args = {}, F extends Flags = {}>(spec: CommandSpec<A, F, R>): Command {
  return {
    type: 'command',
    description: undefined,
    args: {},
    flags: {},
    aliases: [],
    hidden: false,
    apis: [],
    passThrough: false,
    ...spec,
  } as unknown as Command; // the one place where a command's own types are closed
}

/** A noun: commands under one word, loaded when first needed. */
export interface Noun {
  readonly type: 'noun';
  readonly summary: string;
  readonly aliases: readonly string[];
  readonly hidden: boolean;
  /** Sub-commands by name, in the order of the help. */
  readonly commands: Readonly<Record<string, Command | Noun>>;
}

/** Declares a noun from its verbs. */
export function noun(spec: {
  summary: string;
  aliases?: readonly string[];
  hidden?: boolean;
  commands: Noun['commands'];
}): Noun {
  return { type: 'noun', aliases: [], hidden: false, ...spec };
}

/** One line of the root: enough for `weir --help` without loading what is behind it. */
export interface Entry {
  readonly name: string;
  readonly summary: string;
  readonly aliases: readonly string[];
  readonly hidden: boolean;
  load(): Promise<Command | Noun>;
}

/** Declares a line of the root. */
export function entry(
  name: string,
  summary: string,
  load: Entry['load'],
  more: { aliases?: readonly string[]; hidden?: boolean } = {},
): Entry {
  return { name, summary, aliases: more.aliases ?? [], hidden: more.hidden ?? false, load };
}
