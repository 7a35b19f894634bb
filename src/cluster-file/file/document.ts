import { dirname } from 'node:path';
import { joinErrors } from '../../config/layer.ts';
import { CliError, CliErrors, usageError } from '../../errors.ts';
import { commandText } from '../../format/shell-word.ts';
import { fieldsOf, isObject } from '../../shape/object.ts';
import { always, described, filled, leftOut, type RowOf, Unfit } from '../../shape/shape.ts';
import type { Sections } from '../kinds/kind.ts';
import { kinds } from '../kinds/kinds.ts';
import { ownsShape } from '../plan/ownership.ts';
import { byName, type Fault, faultsOf, fields } from './fields.ts';
import { breachesOf, type Places, readRules, requireShape } from './rules.ts';
import { PlacedError, type ReadText, readYaml, type SourceText } from './yaml.ts';

/** What the files say together. */
export interface ClusterFile {
  /** The id of the only cluster that they are for. */
  readonly clusterId: string | undefined;
  /** The patterns of what they own, by the field of `owns`. */
  readonly owns: Readonly<Record<string, readonly string[]>>;
  readonly defaults: Sections;
  readonly sections: Sections;
  /** What does not keep a rule that only warns; none for a saved plan, which was made with the rules. */
  readonly warnings: readonly string[];
}

const sectionFields = Object.fromEntries(
  kinds.flatMap(({ sections }) => Object.entries(sections).map(([name, shape]) => [name, leftOut(shape)] as const)),
);

const owns = ownsShape([...new Set(kinds.flatMap(({ ownedBy }) => ownedBy))]);

const defaults = fields(
  Object.fromEntries(kinds.flatMap(({ defaults: one }) => (one === undefined ? [] : [[one.name, leftOut(one.shape)]]))),
);

/** What a profile may have of its own. */
const commonFields = {
  cluster: leftOut(
    described(
      fields({ id: described(filled, 'the id that weir cluster info shows') }),
      'the only cluster that the files are for',
    ),
  ),
  owns: leftOut(described(owns, 'names that only these files describe; a * ends the beginning of names')),
  defaults: leftOut(described(defaults, 'fields of everything that has none of its own')),
  require: leftOut(requireShape),
  ...sectionFields,
} as const;

/** One file. */
export const documentShape = fields({
  weir: described(always(1), 'the version of this format'),
  profiles: leftOut(
    described(byName(fields(commonFields)), 'what is different for a profile, by the name of the profile'),
  ),
  ...commonFields,
});

type Document = Readonly<Record<string, unknown>>;

/**
 * Reads files as one, with what they have for a profile.
 * @throws CliError (exit 2) with all that is wrong, each with file, line and column
 */
export async function readClusterFile(
  sources: readonly SourceText[],
  profile: string | undefined,
): Promise<ClusterFile> {
  try {
    return await readFiles(sources, profile);
  } catch (error) {
    throw (await foreignFault(sources)) ?? error;
  }
}

/** The error about a file of another tool: not each of its fields is wrong, but what it is. */
async function foreignFault(sources: readonly SourceText[]): Promise<CliError | undefined> {
  const { toolOf } = await import('../import/import.ts');
  for (const source of sources) {
    const tool = await toolOf(source);
    if (tool === undefined) continue;
    const { name } = source;
    const hint = commandText`convert it with: weir import ${name === 'standard input' ? '-' : name} > cluster.yaml`;
    return usageError(`${name} is a file of ${tool}, not a cluster file`, { target: name, hints: [hint] });
  }
  return undefined;
}

async function readFiles(sources: readonly SourceText[], profile: string | undefined): Promise<ClusterFile> {
  const errors: CliError[] = [];
  const texts = await textsOf(sources, errors);
  const documents: Document[] = [];
  for (const text of texts) {
    // Of several files, one may have nothing but comments.
    const isEmpty = text.value === null && texts.length > 1;
    documents.push(isEmpty ? {} : await documentOf(text, profile, errors));
  }
  const merged = mergedDocuments(texts, documents, errors);
  const placeAt = (way: Fault['way']) => placeInTexts(texts, documents, { way, profile });
  const places: Places = {
    faultAt({ way, ...fault }) {
      const place = placeAt(way);
      return place?.text.faultAt({ ...fault, way: place.way });
    },
    placeOf(way) {
      const place = placeAt(way);
      return place?.text.placeOf(place.way) ?? '';
    },
  };
  for (const { way, first, why } of kinds.flatMap((kind) => kind.contradictions?.(merged) ?? [])) {
    const fault = places.faultAt({ way, why: `${places.placeOf(first)} ${why}` });
    if (fault !== undefined) errors.push(fault);
  }
  // Without a file that is wrong, its defaults would be missing.
  const isWhole = errors.length === 0;
  const file = clusterFileOf(merged);
  const rules = await readRules((merged.require ?? []) as RowOf<typeof requireShape>, places, errors);
  const breaches = breachesOf(isWhole ? rules : [], file, places);
  errors.push(...breaches.errors);
  if (errors.length > 0) throw joinErrors(inOrder(errors, sources));
  return { ...file, warnings: breaches.warnings };
}

/** The files that are YAML; what is wrong with the others is added to `errors`. */
async function textsOf(sources: readonly SourceText[], errors: CliError[]): Promise<readonly ReadText[]> {
  const texts: ReadText[] = [];
  for (const source of sources) {
    try {
      texts.push(await readYaml(source, errors));
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      errors.push(...(error instanceof CliErrors ? error.errors : [error]));
    }
  }
  return texts;
}

/** Errors in the order of the files, and of the lines of each. */
function inOrder(errors: readonly CliError[], sources: readonly SourceText[]): readonly CliError[] {
  const files = new Map(sources.map(({ name }, at) => [name, at]));
  const fileOf = ({ target }: CliError) => files.get(target ?? '') ?? -1;
  const lineOf = (error: CliError) => (error instanceof PlacedError ? error.line : 0);
  const columnOf = (error: CliError) => (error instanceof PlacedError ? error.column : 0);
  return errors.toSorted((a, b) => fileOf(a) - fileOf(b) || lineOf(a) - lineOf(b) || columnOf(a) - columnOf(b));
}

/** The file that a merged document, such as that of a saved plan, describes. */
export function clusterFileOf(document: Document): ClusterFile {
  const { cluster, owns: owned, defaults: common, weir: _, require: __, ...sections } = document;
  return {
    clusterId: (cluster as { readonly id: string } | undefined)?.id,
    owns: (owned ?? {}) as ClusterFile['owns'],
    defaults: (common ?? {}) as Sections,
    sections,
    warnings: [],
  };
}

async function documentOf(text: ReadText, profile: string | undefined, errors: CliError[]): Promise<Document> {
  const taken = documentShape.take(text.value ?? {});
  if (taken instanceof Unfit) {
    errors.push(...faultsOf(taken, documentShape).map((fault) => text.faultAt(fault)));
    // What fits is read all the same, so that what else is wrong in it is reported with the rest.
    const given = fieldsOf(text.value);
    const sections = Object.entries(commonFields).flatMap(([name, shape]) => {
      const section: unknown = given[name] === undefined ? new Unfit([]) : shape.take(given[name]);
      return section instanceof Unfit ? [] : [[name, section] as const];
    });
    return await withFiles(text, Object.fromEntries(sections), [], errors);
  }
  const { profiles = {}, ...given } = taken;
  const common = await withFiles(text, given, [], errors);
  const own = profile === undefined ? undefined : profiles[profile];
  if (own === undefined || profile === undefined) return common;
  return mergedOver(common, await withFiles(text, own, ['profiles', profile], errors)) as Document;
}

/** Fields of a document, with the texts or the places of the files that they name. @param at the way to them */
async function withFiles(
  text: ReadText,
  document: Document,
  at: readonly string[],
  errors: CliError[],
): Promise<Document> {
  let whole = document;
  for (const kind of kinds) {
    const made = (await kind.withFiles?.(whole, text.read, dirname(text.name))) ?? whole;
    if (!(made instanceof Unfit)) whole = made;
    else errors.push(...made.in(...at).faults.map((fault) => text.faultAt(fault)));
  }
  return whole;
}

/** What a way of the merged files is looked for with. */
interface WayInTexts {
  readonly way: Fault['way'];
  readonly profile: string | undefined;
}

/**
 * Where the value at the end of a way in the merged files is. The lists of the files follow each other, and that of a
 * profile replaces the common one; a name is in one file only.
 */
function placeInTexts(
  texts: readonly ReadText[],
  documents: readonly Document[],
  { way: [section = '', key = '', ...rest], profile }: WayInTexts,
): { readonly text: ReadText; readonly way: Fault['way'] } | undefined {
  let left = typeof key === 'number' ? key : 0;
  for (const [index, text] of texts.entries()) {
    const merged = documents[index]?.[section] ?? {};
    if (Array.isArray(merged) ? left < merged.length : Object.hasOwn(merged, key)) {
      const name = Array.isArray(merged) ? left : key;
      return { text, way: [...partOf(text, [section, name], profile), section, name, ...rest] };
    }
    if (Array.isArray(merged)) left -= merged.length;
  }
  return undefined;
}

/** The way to the part of a text for a profile, if what is looked for is there. */
function partOf(
  text: ReadText,
  [section, name]: readonly (string | number)[],
  profile: string | undefined,
): readonly string[] {
  if (profile === undefined) return [];
  const { profiles = {} } = text.value as { readonly profiles?: Readonly<Record<string, Document>> };
  const own = profiles[profile]?.[String(section)];
  const isOwn = Array.isArray(own) || (isObject(own) && Object.hasOwn(own, String(name)));
  return isOwn ? ['profiles', profile] : [];
}

/** Fields of objects are merged, everything else is replaced; so is a password, which has one source. */
function mergedOver(base: unknown, over: unknown): unknown {
  if (!isObject(base) || !isObject(over)) return over;
  const entries = Object.entries(over).map(([name, value]) => {
    return [name, name === 'password' ? value : mergedOver(base[name], value)] as const;
  });
  return { ...base, ...Object.fromEntries(entries) };
}

/** Documents that become one. */
interface Merge {
  readonly merged: Record<string, unknown>;
  /** Where each name was first, by the way to it. */
  readonly first: Map<string, { readonly text: ReadText; readonly way: readonly string[] }>;
  readonly errors: CliError[];
}

/** The documents as one. What two of them name is an error, with both places. */
function mergedDocuments(texts: readonly ReadText[], documents: readonly Document[], errors: CliError[]): Document {
  const merge: Merge = { merged: {}, first: new Map(), errors };
  for (const [at, text] of texts.entries())
    for (const [name, value] of Object.entries(documents[at] ?? {})) mergeField(merge, text, [name, value]);
  return merge.merged;
}

function mergeField(merge: Merge, text: ReadText, [name, value]: readonly [string, unknown]): void {
  const { merged } = merge;
  const earlier = merged[name];
  if (Array.isArray(value)) merged[name] = [...((earlier ?? []) as unknown[]), ...value];
  else if (name === 'owns') merged[name] = joinedLists(earlier, value);
  else if (name === 'cluster') {
    const isSame = JSON.stringify(earlier) === JSON.stringify(value);
    if (isSame || isNew(merge, text, [name])) merged[name] = value;
  } else if (isObject(value)) {
    const fresh = Object.entries(value).filter(([key]) => isNew(merge, text, [name, key]));
    merged[name] = { ...((earlier ?? {}) as object), ...Object.fromEntries(fresh) };
  }
}

/** Whether no file before has this name; otherwise it is an error. */
function isNew({ first, errors }: Merge, text: ReadText, way: readonly string[]): boolean {
  const key = JSON.stringify(way);
  const earlier = first.get(key);
  if (earlier === undefined) return first.set(key, { text, way }) !== undefined;
  errors.push(text.faultAt({ way, why: `${earlier.text.placeOf(earlier.way)} has it as well`, isName: true }));
  return false;
}

function joinedLists(one: unknown, other: unknown): Readonly<Record<string, readonly string[]>> {
  const joined = new Map<string, readonly string[]>();
  for (const lists of [one ?? {}, other] as Readonly<Record<string, readonly string[]>>[])
    for (const [name, list] of Object.entries(lists)) joined.set(name, [...(joined.get(name) ?? []), ...list]);
  return Object.fromEntries(joined);
}
