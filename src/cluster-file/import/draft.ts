import { compareText } from '../../format/order.ts';
import { type Acl, sortedAcls } from '../../kafka/cluster/access/acl-rows.ts';
import { isObject } from '../../shape/object.ts';
import { type Shape, Unfit } from '../../shape/shape.ts';
import { faultsOf } from '../file/fields.ts';
import { sectionsOf as sectionsOfAcls } from '../kinds/acl-sections.ts';
import { isOwnedAcl } from '../kinds/acls.ts';
import type { Owns, Sections } from '../kinds/kind.ts';
import { kinds } from '../kinds/kinds.ts';
import { entityIn, isOwnedEntity } from '../kinds/quotas.ts';
import { variablesOf } from '../kinds/users.ts';
import { headOf, matcherOf } from '../plan/ownership.ts';
import type { EntryPiece } from './resource.ts';

type Entry = EntryPiece['entry'];

/** Entries of a cluster file that are collected, by section and name. */
export interface Draft {
  readonly sections: ReadonlyMap<string, Map<string, { entry: Entry; readonly place: () => string }>>;
}

const shapes: ReadonlyMap<string, Shape<unknown>> = new Map(kinds.flatMap(({ sections }) => Object.entries(sections)));

/** An empty draft. */
export function newDraft(): Draft {
  return { sections: new Map([...shapes.keys()].map((section) => [section, new Map()])) };
}

/**
 * Adds an entry. What another resource said of it stays, and lists are joined.
 * @returns why it, or a part of it, is lost
 */
export function addEntry(
  { sections }: Draft,
  { section, name, entry }: EntryPiece,
  place: () => string,
): readonly string[] {
  const entries = sections.get(section);
  if (entries === undefined) return [`this version of weir has no section ${section}`];
  const faults = faultsIn(section, name, entry);
  if (faults.length > 0) return faults;
  const earlier = entries.get(name);
  if (earlier === undefined) {
    entries.set(name, { entry, place });
    return [];
  }
  const { merged, differing } = mergedEntries(earlier.entry, entry);
  entries.set(name, { ...earlier, entry: merged });
  return differing.length === 0
    ? []
    : [`it differs in ${differing.join(' and ')} from ${earlier.place()}, which is kept`];
}

/** What is wrong with an entry, by the shape of its section. */
function faultsIn(section: string, name: string, entry: Entry): readonly string[] {
  const [[found, value] = [section, undefined]] = Object.entries(
    section === 'acls' ? sectionsOfAcls([entry as Acl]) : { [section]: isList(section) ? [entry] : { [name]: entry } },
  );
  const shape = shapes.get(found);
  const taken = shape?.take(value);
  if (shape === undefined || !(taken instanceof Unfit)) return [];
  return faultsOf(taken, shape).map(({ way, why }) => [...way.slice(1), why].join(': '));
}

function isList(section: string): boolean {
  return section === 'quotas';
}

function mergedEntries(
  earlier: Entry,
  later: Entry,
): { readonly merged: Entry; readonly differing: readonly string[] } {
  const merged: Record<string, unknown> = { ...earlier };
  const differing: string[] = [];
  for (const [field, value] of Object.entries(later)) {
    const one = merged[field];
    if (one === undefined) merged[field] = value;
    else if (Array.isArray(one) && Array.isArray(value)) merged[field] = [...new Set([...one, ...value])];
    else if (isObject(one) && isObject(value)) {
      const inner = mergedEntries(one, value);
      merged[field] = inner.merged;
      differing.push(...inner.differing);
    } else if (String(one) !== String(value)) differing.push(field);
  }
  return { merged, differing };
}

/** Whether an entry of a section belongs to who owns names; others belong to the owner of their name. */
const ownership: Readonly<Record<string, (owns: Owns, entry: Entry) => boolean>> = {
  acls: (owns, entry) => isOwnedAcl(owns, entry as Acl),
  quotas: (owns, entry) => isOwnedEntity(owns, entityIn(entry)),
  cluster_configs: (owns) => owns(''),
};

/**
 * The document that a draft makes: its sections in the order of an export, each sorted.
 * @param patterns only what they match, as in an export
 */
export function documentOf(draft: Draft, patterns: readonly string[]): Sections {
  const owns = matcherOf(patterns) ?? (() => true);
  const document: Record<string, unknown> = { ...headOf(patterns) };
  for (const [section, entries] of draft.sections) {
    const isOwned = ownership[section];
    const owned = [...entries].filter(([name, { entry }]) => isOwned?.(owns, entry) ?? owns(name));
    if (owned.length === 0) continue;
    const sorted = owned.sort(([a], [b]) => compareText(a, b)).map(([name, { entry }]) => [name, entry] as const);
    if (section === 'acls') Object.assign(document, sectionsOfAcls(sortedAcls(sorted.map(([, acl]) => acl as Acl))));
    else if (section === 'users') document.users = usersOf(sorted);
    else document[section] = isList(section) ? sorted.map(([, entry]) => entry) : Object.fromEntries(sorted);
  }
  return document;
}

/** Users, each with the variable that has the password, to fill in. */
function usersOf(users: readonly (readonly [string, Entry])[]): Sections {
  const variables = variablesOf(users.map(([name]) => name));
  return Object.fromEntries(users.map(([name, entry]) => [name, { ...entry, password: { env: variables.get(name) } }]));
}
