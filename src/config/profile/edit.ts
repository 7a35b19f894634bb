import type { Pair, YAMLMap, YAMLSeq } from 'yaml';
import { anchored, type OptionKey, optionOf, secretPartOf, showValue } from '../options.ts';
import type { Layer } from '../resolve/layer.ts';
import { otherKeys } from '../resolve/secret-rule.ts';
import {
  appendToList,
  appendToMap,
  type FileValue,
  insertBefore,
  linesOfItem,
  nodeOf,
  removeFromList,
  removeFromMap,
  renderValue,
  replaceInList,
  replaceValue,
} from '../yaml/edit.ts';
import type { Field } from '../yaml/file.ts';
import { type ProfileFile, parseProfileFile, type StoredProfile } from './file.ts';
import { ownProfile } from './own-profile.ts';
import { fieldIn, findOption, listOf, print, requireStored, rootOf } from './stored-nodes.ts';

/** A profile to write to the file. */
export interface ProfileDraft {
  readonly name: string;
  readonly description?: string | undefined;
  readonly protected?: boolean | undefined;
  readonly options: ReadonlyMap<OptionKey, FileValue>;
}

/** The content of a new profile file without profiles. */
export const emptyProfileFile = 'version: 1\n';

/** Converts a typed value to its form in a file: addresses as a list, booleans as booleans. */
export function fileValue(key: OptionKey, text: string): FileValue {
  const { kind } = optionOf(key);
  const value = kind.parse(text);
  if (typeof value === 'boolean') return value;
  return kind.parseItems === undefined ? text : text.split(',').map((item) => item.trim());
}

/** Converts a resolved value to its form in a file. */
export function fileValueOf(key: OptionKey, value: unknown): FileValue {
  const text = showValue(key, value);
  return text === '' ? '' : fileValue(key, text);
}

/** The values of a profile's options in their form in a file. */
export function valuesOf({ entries }: Layer): ProfileDraft['options'] {
  return new Map([...entries].map(([key, { value }]) => [key, fileValueOf(key, value)]));
}

/** The values of options, with relative paths made absolute: in the profile file they would be relative to it. */
export function withAnchoredPaths(
  options: ProfileDraft['options'],
  from: { readonly cwd: string },
): ProfileDraft['options'] {
  const whole = (key: OptionKey, value: FileValue) => (typeof value === 'string' ? anchored(key, value, from) : value);
  return new Map([...options].map(([key, value]) => [key, whole(key, value)]));
}

/** An edit in two forms: spliced into the text, and applied to the document for text that cannot be spliced. */
interface Edit {
  readonly spliced: string | undefined;
  rewrite(): void;
}

/**
 * Uses the spliced text if it has the same meaning as the rewritten document, and the document otherwise, so that a
 * wrong splice never reaches the file.
 */
async function settle(file: ProfileFile, { spliced, rewrite }: Edit): Promise<ProfileFile> {
  rewrite();
  const rewritten = await parseProfileFile(file.path, print(file));
  if (spliced === undefined) return rewritten;
  const candidate = await parseProfileFile(file.path, spliced).catch(() => undefined);
  return candidate !== undefined && meaningOf(candidate) === meaningOf(rewritten) ? candidate : rewritten;
}

function meaningOf({ current, profiles, errors }: ProfileFile): string {
  const optionsOf = ({ options }: StoredProfile) => [
    ...[...options.entries].map(([key, { value }]) => [key, showValue(key, value)]),
    options.errors.length,
  ];
  return JSON.stringify([
    current?.name,
    errors.length,
    profiles.map((profile) => [profile.name, profile.description, profile.protected, optionsOf(profile)]),
  ]);
}

/** Sets `key` in a map to a one-line value: in place, or at the end of the map (or before `before`). */
async function put(
  file: ProfileFile,
  map: YAMLMap,
  [key, value]: readonly [string, FileValue],
  before?: Pair,
): Promise<ProfileFile> {
  const rendered = renderValue(file.yaml, value);
  const field = fieldIn(file, map, key);
  const line = [`${key}: ${rendered}`];
  const added = () => (before ? insertBefore(file, map, before, line) : appendToMap(file, map, line));
  return await settle(file, {
    spliced: field === undefined ? added() : replaceValue(file, field.pair, rendered),
    rewrite: () => map.set(field?.pair.key ?? key, nodeOf(file.yaml, value)),
  });
}

async function drop(file: ProfileFile, map: YAMLMap, field: Field): Promise<ProfileFile> {
  return await settle(file, {
    spliced: removeFromMap(file, map, field.pair),
    rewrite: () => map.delete(field.pair.key),
  });
}

/** Selects a profile; undefined clears the selection. */
export async function setCurrent(file: ProfileFile, name: string | undefined): Promise<ProfileFile> {
  const root = rootOf(file);
  const field = fieldIn(file, root, 'current_profile');
  if (name !== undefined)
    return await put(file, root, ['current_profile', name], fieldIn(file, root, 'profiles')?.pair);
  return field === undefined ? file : await drop(file, root, field);
}

/** Appends a profile. */
export async function addProfile(file: ProfileFile, profile: ProfileDraft): Promise<ProfileFile> {
  const root = rootOf(file);
  const field = fieldIn(file, root, 'profiles');
  const lines = profileLines(file, profile);
  const list = file.yaml.yaml.isSeq(field?.value) && field.value.items.length > 0 ? field.value : undefined;
  if (list === undefined && field !== undefined) return await addProfile(await drop(file, root, field), profile);
  const spliced =
    list === undefined
      ? appendToMap(file, root, ['profiles:', ...lines.map((line, i) => (i === 0 ? `  - ${line}` : `    ${line}`))])
      : appendToList(file, list, lines);
  return await settle(file, {
    spliced,
    rewrite: () => (list ?? newList(file, root)).add(file.yaml.document.createNode(plain(profile))),
  });
}

function newList(file: ProfileFile, root: YAMLMap): YAMLSeq {
  const list = new file.yaml.yaml.YAMLSeq();
  root.set('profiles', list);
  return list;
}

function plain({
  name,
  description,
  protected: isProtected,
  options,
}: ProfileDraft): Readonly<Record<string, unknown>> {
  return {
    name,
    ...(description === undefined ? {} : { description }),
    ...(isProtected ? { protected: true } : {}),
    ...(options.size === 0 ? {} : { options: new Map(options) }),
  };
}

/** Renders a profile as the lines of a YAML map. */
export function profileLines(file: ProfileFile, profile: ProfileDraft): readonly string[] {
  const line = (key: string, value: FileValue) => `${key}: ${renderValue(file.yaml, value)}`;
  return [
    line('name', profile.name),
    ...(profile.description === undefined ? [] : [line('description', profile.description)]),
    ...(profile.protected ? [line('protected', true)] : []),
    ...(profile.options.size === 0 ? [] : ['options:']),
    ...[...profile.options].map(([key, value]) => `  ${line(key, value)}`),
  ];
}

/** Removes a profile; if it was selected, clears the selection. */
export async function removeProfile(stored: ProfileFile, name: string): Promise<ProfileFile> {
  const file = await ownProfile(stored, name);
  const profile = requireStored(file, name);
  const list = listOf(file);
  const root = rootOf(file);
  const whole = list.items.length === 1 ? fieldIn(file, root, 'profiles') : undefined;
  const without = whole
    ? await drop(file, root, whole)
    : await settle(file, {
        spliced: removeFromList(file, list, profile.node),
        rewrite: () => list.delete(list.items.indexOf(profile.node)),
      });
  return file.current?.name === name ? await setCurrent(without, undefined) : without;
}

/** Replaces a profile with an edited text, which is a YAML map. */
export async function replaceProfile(stored: ProfileFile, name: string, text: string): Promise<ProfileFile> {
  const file = await ownProfile(stored, name);
  const profile = requireStored(file, name);
  const list = listOf(file);
  const lines = text.trimEnd().split(/\r?\n/);
  const { yaml } = file.yaml;
  return await settle(file, {
    spliced: replaceInList(file, { list, item: profile.node }, lines),
    rewrite: () => list.set(list.items.indexOf(profile.node), yaml.parseDocument(text).contents),
  });
}

/** Sets the name, description or protection of a profile; a selected profile stays selected when renamed. */
export async function setField(
  stored: ProfileFile,
  name: string,
  [field, value]: readonly ['name' | 'description' | 'protected', string | boolean],
): Promise<ProfileFile> {
  const file = await ownProfile(stored, name);
  const changed = await put(file, requireStored(file, name).node, [field, value]);
  const renamed = field === 'name' && file.current?.name === name && typeof value === 'string';
  return renamed ? await setCurrent(changed, value) : changed;
}

/** Removes the description or the protection of a profile. */
export async function unsetField(
  stored: ProfileFile,
  name: string,
  key: 'description' | 'protected',
): Promise<ProfileFile> {
  const file = await ownProfile(stored, name);
  const { node } = requireStored(file, name);
  const field = fieldIn(file, node, key);
  return field === undefined ? file : await drop(file, node, field);
}

/** Sets one option of a profile, in place (dotted or nested) or at the end. A secret has one value: others are removed. */
export async function setOption(
  stored: ProfileFile,
  name: string,
  [key, value]: readonly [OptionKey, FileValue],
): Promise<ProfileFile> {
  let single = stored;
  for (const other of otherKeys(key)) {
    // The section in `pass: { file: … }` is replaced or changed where it is.
    const isSection = key.startsWith(`${other}.`) || other.startsWith(`${key}.`);
    if (!isSection || !isSectionIn(single, name, secretPartOf(key)?.key ?? key))
      single = (await unsetKey(single, name, other)) ?? single;
  }
  const file = await ownProfile(single, name, key);
  const { node } = requireStored(file, name);
  const options = fieldIn(file, node, 'options');
  if (!file.yaml.yaml.isMap(options?.value) || options.value.items.length === 0) {
    if (options !== undefined) return await setOption(await drop(file, node, options), name, [key, value]);
    return await settle(file, {
      spliced: appendToMap(file, node, ['options:', `  ${key}: ${renderValue(file.yaml, value)}`]),
      rewrite: () => node.set('options', file.yaml.document.createNode({ [key]: nodeOf(file.yaml, value) })),
    });
  }
  const place = findOption(file, options.value, key)?.at(-1);
  return await put(file, place?.map ?? options.value, [place?.field.key ?? key, value]);
}

function isSectionIn(file: ProfileFile, name: string, key: OptionKey): boolean {
  const options = fieldIn(file, requireStored(file, name).node, 'options');
  const { isMap } = file.yaml.yaml;
  return isMap(options?.value) && isMap(findOption(file, options.value, key)?.at(-1)?.field.value);
}

/**
 * Removes one option of a profile, including unknown ones; undefined if the profile does not have it. A secret goes with
 * the other ways to give it its value.
 */
export async function unsetOption(stored: ProfileFile, name: string, key: string): Promise<ProfileFile | undefined> {
  const keys = secretPartOf(key)?.way === undefined ? [key, ...otherKeys(key)] : [key];
  let file: ProfileFile | undefined;
  for (const one of keys) file = (await unsetKey(file ?? stored, name, one)) ?? file;
  return file;
}

async function unsetKey(stored: ProfileFile, name: string, key: string): Promise<ProfileFile | undefined> {
  const file = await ownProfile(stored, name, key);
  const { node } = requireStored(file, name);
  const options = fieldIn(file, node, 'options');
  const path = file.yaml.yaml.isMap(options?.value) ? findOption(file, options.value, key) : undefined;
  if (options === undefined || path === undefined) return undefined;
  // A map that would become empty is removed as well.
  const place = path.findLast(({ map }) => map.items.length > 1) ?? { map: node, field: options };
  return await drop(file, place.map, place.field);
}

/** Renders one profile as the text of a YAML map: unchanged with its comments if possible, or else written anew. */
export function textOfProfile(file: ProfileFile, profile: StoredProfile): string {
  const stored = linesOfItem(file, listOf(file), profile.node);
  // An alias of another profile's value has no anchor in a separate text.
  if (stored !== undefined && !hasAlias(file, profile)) return `${stored.join('\n')}\n`;
  const options = [...profile.options.entries].map(([key, { value }]) => [key, fileValueOf(key, value)] as const);
  return `${profileLines(file, { ...profile, options: new Map(options) }).join('\n')}\n`;
}

function hasAlias({ yaml: { yaml } }: ProfileFile, { node }: StoredProfile): boolean {
  let found = false;
  yaml.visit(node, {
    Alias() {
      found = true;
      return yaml.visit.BREAK;
    },
  });
  return found;
}
