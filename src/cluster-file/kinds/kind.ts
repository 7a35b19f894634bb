import type { Context } from '../../context.ts';
import type { ItemError } from '../../errors.ts';
import type { Facts } from '../../kafka/records/filter/rule.ts';
import type { Shape } from '../../shape/shape.ts';
import type { Faults } from '../file/fields.ts';
import type { PlanRow } from '../plan/plan-rows.ts';
import type { Sending } from './sending.ts';

/** The sections of the files that belong to a kind, by name, as they were read. */
export type Sections = Readonly<Record<string, unknown>>;

/** Something that the files name. */
export interface Wanted {
  readonly name: string;
  /** Where it is in the merged files, for errors. */
  readonly way: readonly (string | number)[];
}

/** Reads a file that a file names, seen from its folder; `fault` says why it cannot be read. */
export type ReadFile = (path: string) => Promise<string | { readonly fault: string }>;

/** Whether a name belongs to the files, by the patterns of a field of `owns` (default: the first of the kind). */
export type Owns = (name: string, field?: string) => boolean;

/** A section, and the index in its list or the name of an entry. */
export type EntryWay = readonly [section: string, at: number | string];

/** Two places in the files that cannot both be. */
export interface Contradiction {
  readonly way: EntryWay;
  readonly first: EntryWay;
  /** What is wrong, after the place of the first. */
  readonly why: string;
}

/** Something that rules are about. */
export interface RuledThing {
  /** Where it is in the merged files. */
  readonly way: readonly (string | number)[];
  /** What the files say, with their defaults; what they leave out is null. */
  readonly fields: Facts;
}

/** What a kind is asked about. */
export interface Scope<W> {
  /** What the files name, by name. */
  readonly wanted: ReadonlyMap<string, W>;
  /** What the files own; undefined for nothing of this kind. */
  readonly owns: Owns | undefined;
}

/** What a plan may do. */
export interface PlanOptions {
  /** Deletes what the files own and do not name. */
  readonly prune: boolean;
  /** What was set on the cluster, and is not in the files, is a difference. */
  readonly strict: boolean;
  /** Accepts changes that are refused otherwise, such as the deletion of a topic that is read. */
  readonly force: boolean;
  /** The users whose passwords are set again. */
  readonly rotate: readonly string[];
  /** What it may change beyond the resources of teams: `cluster`, the configs of the whole cluster. */
  readonly allow: readonly string[];
  /** What signing in with the passwords of the files has shown; undefined if it was not tried. */
  readonly passwords?: PasswordCheck;
}

/** The users who cannot sign in with the passwords of the files, and those for whom nobody can say. */
export interface PasswordCheck {
  readonly drifted: readonly string[];
  readonly unread: ReadonlyMap<string, ItemError>;
}

/** A row of a plan, and how it is carried out. */
export interface Change extends PlanRow {
  /** Why it cannot be made, or what could not be read. */
  readonly error?: ItemError | null;
  /** Whether the cluster could not be read, so that nobody knows whether it differs. */
  readonly isUnread?: boolean;
  /** Whether the cluster could not check it, because this user may not make it. */
  readonly isUnchecked?: boolean;
  /** When the newest record of a topic that is deleted was written, in milliseconds since 1970. */
  readonly lastWrite?: number | undefined;
  /** The rows without which it is not made, as `kind name`. */
  readonly needs?: readonly string[];
}

/**
 * A kind of resource: five functions, and what the files have of it. `W` is what the files want, `E` what the cluster has.
 */
export interface KindSpec<W extends Wanted, E> {
  /** What one of it is, in one word: the `kind` of its rows. */
  readonly noun: string;
  /** The name of the row about all of it, if it cannot be read (default: the noun in the plural). */
  readonly title?: string;
  /** The sections of the file, with their shapes. */
  readonly sections: Readonly<Record<string, Shape<unknown>>>;
  /** The field of `defaults`, and its shape. */
  readonly defaults?: { readonly name: string; readonly shape: Shape<unknown> };
  /** The fields of `owns` that have its patterns. */
  readonly ownedBy: readonly string[];
  /** What the sections describe, with the defaults. @throws Error about the `way` of one */
  wanted(sections: Sections, defaults: Sections): readonly W[];
  /**
   * Puts the texts of files that its sections name in their place, or their paths as seen from the working directory
   * (default: they name none).
   * @param folder the folder of the file that has the sections
   */
  withFiles?(sections: Sections, read: ReadFile, folder: string): Promise<Sections | Faults>;
  /** What rules see of it: all fields that it can have, and the things that one entry describes (default: nothing). */
  readonly ruled?: { readonly fields: readonly string[]; things(wanted: W): readonly RuledThing[] };
  /** What entries of its sections contradict each other in (default: nothing can). */
  contradictions?(sections: Sections): readonly Contradiction[];
  /** Reads what the cluster has, with as few requests as possible. */
  read(context: Context, scope: Scope<W>): Promise<E>;
  /** The differences between the files and the cluster. */
  compare(scope: Scope<W>, existing: E, options: PlanOptions): readonly Change[];
  /** What the user should know, even if nothing differs (default: nothing). */
  notices?(scope: Scope<W>, existing: E): readonly string[];
  /** The number of the round in which a change is made: lower ones go first. */
  order(change: PlanRow): number;
  /**
   * Reads what changes need of this machine, such as passwords, before the first change of all (default: nothing).
   * @throws CliError (exit 2) for what is not there
   */
  prepare?(context: Context, round: Round<W, E>): Promise<void>;
  /** Makes the changes of one round. */
  apply(context: Context, round: Round<W, E>, sending: Sending): Promise<void>;
  /** The sections that describe what the cluster has, sorted: of what the scope owns. */
  export(existing: E, owns: Owns): Sections;
  /** Lets the cluster check changes without making them; their errors are why it would refuse them (default: not asked). */
  check?(context: Context, round: Round<W, E>, sending: Sending): Promise<void>;
  /** Why the cluster would refuse a change that it could not check, if what was read shows it (default: it does not). */
  doubt?(change: Change, existing: E): string | undefined;
  /** Adds what is worth knowing before a change is made, such as who reads a topic that is deleted (default: nothing). */
  judge?(context: Context, round: Round<W, E>, options: PlanOptions): Promise<readonly Change[]>;
}

/** Changes, with what the files want and the cluster has. */
export interface Round<W, E> {
  readonly changes: readonly Change[];
  readonly scope: Scope<W>;
  readonly existing: E;
}

/** A kind without the types of what it reads. */
export type Kind = KindSpec<Wanted, unknown>;

/** Declares a kind. */
export function kind<W extends Wanted, E>(spec: KindSpec<W, E>): Kind {
  return spec as unknown as Kind; // what `compare` and `apply` get comes from `wanted` and `read` of the same kind
}

/** The key of a row, for what needs it. */
export function keyOf({ kind: noun, name }: Pick<PlanRow, 'kind' | 'name'>): string {
  return `${noun} ${name}`;
}

/** The name of a change, for requests about several. */
export function nameOf({ name }: { readonly name: string }): string {
  return name;
}

/** The fields of a thing, without those that it lacks. */
export function factsOf(fields: Readonly<Record<string, Facts[string] | undefined>>): Facts {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  );
}
