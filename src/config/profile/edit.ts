import type { Pair, YAMLMap, YAMLSeq } from 'yaml';
import { type OptionKey, optionOf, showValue } from '../options.ts';
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

/** A profile to be written. */
export interface ProfileDraft {
  readonly name: string;
  readonly description?: string | undefined;
  readonly protected?: boolean | undefined;
  readonly options: ReadonlyMap<OptionKey, FileValue>;
}

/** What a new profile file holds before its first profile. */
export const emptyProfileFile = 'version: 1\n';

/** A value as typed, in the form in which a file holds it: addresses as a list, booleans as such. */
export function fileValue(key: OptionKey, text: string): FileValue {
  const { kind } = optionOf(key);
  const value = kind.parse(text);
  if (typeof value === 'boolean') return value;
  return kind.parseItems === undefined ? text : text.split(',').map((item) => item.trim());
}

/** A resolved value in the form in which a file holds it. */
export function fileValueOf(key: OptionKey, value: unknown): FileValue {
  const text = showValue(key, value);
  return text === '' ? '' : fileValue(key, text);
}

/** One edit, done twice: spliced into the text, and on the document for texts that cannot be spliced. */
interface Edit {
  readonly spliced: string | undefined;
  rewrite(): void;
}

/**
 * Takes the spliced text where it means the same as the rewritten document, else the document's: a
 * splice that went wrong can never reach the file.
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

/** Sets `key` in a map to a one-line value: in its place, or at the map's end (or before `before`). */
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

/** Selects a profile, or none. */
export async function setCurrent(file: ProfileFile, name: string | undefined): Promise<ProfileFile> {
  const root = rootOf(file);
  const field = fieldIn(file, root, 'current_profile');
  if (name !== undefined)
    return await put(file, root, ['current_profile', name], fieldIn(file, root, 'profiles')?.pair);
  return field === undefined ? file : await drop(file, root, field);
}

/** Adds a profile at the end. */
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

/** A profile as the lines of a YAML map. */
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

/** Removes a profile; when it was selected, none is. */
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

/** Puts an edited text, the lines of a YAML map, in the place of a profile. */
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

/** Sets name, description or protection of a profile; a selected profile stays selected under its new name. */
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

/** Sets one option of a profile, where it stands (dotted or nested) or at the end. */
export async function setOption(
  stored: ProfileFile,
  name: string,
  [key, value]: readonly [OptionKey, FileValue],
): Promise<ProfileFile> {
  const file = await ownProfile(stored, name, key);
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

/** Removes one option of a profile (also one that weir does not know); undefined when it is not there. */
export async function unsetOption(stored: ProfileFile, name: string, key: string): Promise<ProfileFile | undefined> {
  const file = await ownProfile(stored, name, key);
  const { node } = requireStored(file, name);
  const options = fieldIn(file, node, 'options');
  const path = file.yaml.yaml.isMap(options?.value) ? findOption(file, options.value, key) : undefined;
  if (options === undefined || path === undefined) return undefined;
  // A map that would be left empty goes as a whole.
  const place = path.findLast(({ map }) => map.items.length > 1) ?? { map: node, field: options };
  return await drop(file, place.map, place.field);
}

/** A profile alone as the text of a YAML map: as it stands in the file where that is possible, comments included. */
export function textOfProfile(file: ProfileFile, profile: StoredProfile): string {
  const stored = linesOfItem(file, listOf(file), profile.node);
  // An alias of another profile's value stands for nothing in a text of its own.
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
