import { isDeepStrictEqual } from 'node:util';
import type { Pair, YAMLMap } from 'yaml';
import { configError, joinErrors, type Layer } from '../layer.ts';
import { anchored, type OptionKey, optionOf, secretPartOf, showValue } from '../options.ts';
import { otherKeys } from '../settings/secret-rule.ts';
import {
  appendToList,
  appendToMap,
  type FileValue,
  fillPair,
  insertBefore,
  linesOfItem,
  removeFromList,
  removeFromMap,
  renderValue,
  replaceInList,
  replaceValue,
} from '../yaml/edit.ts';
import { type ProfileFile, parseProfile, parseProfileFile, type StoredProfile } from './file.ts';
import { type FieldInMap, fieldIn, findOption, listOf, requireStored, rootOf } from './stored-nodes.ts';

/** A profile to write to the file. */
export interface ProfileDraft {
  readonly name: string;
  readonly description?: string | undefined;
  readonly protected?: boolean | undefined;
  readonly options: ReadonlyMap<OptionKey, FileValue>;
}

/** The content of a new profile file without profiles. */
export const emptyProfileFile = 'version: 1\n';

/** Converts a typed value to its form in a file: addresses as a list, booleans. */
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

/** What a profile says, with every option as text. */
interface ProfileContent {
  readonly description: string | undefined;
  readonly protected: boolean;
  readonly options: ReadonlyMap<string, string>;
}

/** What a profile file says. An edit keeps all of it but what it is about. */
interface FileContent {
  readonly current: string | undefined;
  readonly profiles: ReadonlyMap<string, ProfileContent>;
}

/** Turns what a file says into what it says after an edit. */
type Change = (content: FileContent) => FileContent;

function fileContentOf({ current, profiles }: ProfileFile): FileContent {
  return {
    current: current?.name,
    profiles: new Map(profiles.map((profile) => [profile.name, profileContentOf(profile)])),
  };
}

function profileContentOf({ description, protected: isProtected, options }: StoredProfile): ProfileContent {
  const shown = [...options.entries].map(([key, { value }]) => [key, showValue(key, value)] as const);
  return { description, protected: isProtected, options: new Map(shown) };
}

const unchanged: Change = (content) => content;

/** Changes what one profile says; undefined removes it. */
function changeOf(name: string, change: (profile: ProfileContent | undefined) => ProfileContent | undefined): Change {
  return ({ current, profiles }) => {
    const changed = change(profiles.get(name));
    const others = [...profiles].filter(([other]) => other !== name);
    return { current, profiles: new Map(changed === undefined ? others : [...others, [name, changed]]) };
  };
}

function withoutOption(name: string, isRemoved: (key: string) => boolean): Change {
  return changeOf(
    name,
    (profile) => profile && { ...profile, options: new Map([...profile.options].filter(([key]) => !isRemoved(key))) },
  );
}

/** A profile given as the text of a YAML map. @throws CliError if the text is not one */
async function profileIn(file: ProfileFile, text: string): Promise<StoredProfile> {
  const { profile, errors } = await parseProfile(file.path, text);
  if (profile === undefined) throw joinErrors(errors);
  return profile;
}

/** Puts a profile in the place of the one called `name`. */
function replacementOf(name: string, newName: string, profile: ProfileContent | undefined): Change {
  const without = changeOf(name, () => undefined);
  const add = changeOf(newName, () => profile);
  return (content) => add(without(content));
}

/**
 * Takes an edited text if it says exactly what it should: the old content with the change, and nothing else. So an edit
 * never changes what a person wrote elsewhere, whatever the style of the file.
 * @throws CliError if the text is undefined (a style that is not spliced), or says anything else
 */
async function settle(file: ProfileFile, text: string | undefined, change: Change): Promise<ProfileFile> {
  const edited = text === undefined ? undefined : await parseProfileFile(file.path, text).catch(() => undefined);
  if (edited !== undefined && isDeepStrictEqual(fileContentOf(edited), change(fileContentOf(file)))) return edited;
  throw configError(`unable to edit ${file.path}: what would change is in flow style ({…}), or shared with & and *`, {
    target: file.path,
    hints: ['edit the file by hand, then check it with: weir profile validate'],
  });
}

/** Sets `key` in a map to a one-line value: in place, or at the end of the map (or before `before`). */
async function put(
  file: ProfileFile,
  { map, before }: { readonly map: YAMLMap | undefined; readonly before?: Pair | undefined },
  [key, value]: readonly [string, FileValue],
  change: Change,
): Promise<ProfileFile> {
  const rendered = renderValue(file.yaml, value);
  const field = map && fieldIn(file, map, key);
  if (field !== undefined) return await settle(file, replaceValue(file, field.pair, rendered), change);
  const line = [`${key}: ${rendered}`];
  const text = map && before ? insertBefore(file, map, before, line) : appendToMap(file, map, line);
  return await settle(file, text, change);
}

async function drop(file: ProfileFile, { map, field }: FieldInMap, change: Change): Promise<ProfileFile> {
  return await settle(file, removeFromMap(file, map, field.pair), change);
}

/** Selects a profile; undefined clears the selection. */
export async function setCurrent(file: ProfileFile, name: string | undefined): Promise<ProfileFile> {
  const map = rootOf(file);
  const change: Change = ({ profiles }) => ({ current: name, profiles });
  if (name !== undefined) {
    const before = map && fieldIn(file, map, 'profiles')?.pair;
    return await put(file, { map, before }, ['current_profile', name], change);
  }
  const field = map && fieldIn(file, map, 'current_profile');
  return field === undefined || map === undefined ? file : await drop(file, { map, field }, change);
}

/** Appends a profile. */
export async function addProfile(file: ProfileFile, profile: ProfileDraft): Promise<ProfileFile> {
  const map = rootOf(file);
  const field = map && fieldIn(file, map, 'profiles');
  const lines = profileLines(file, profile);
  const added = profileContentOf(await profileIn(file, lines.join('\n')));
  const change = changeOf(profile.name, () => added);
  if (file.yaml.yaml.isSeq(field?.value) && field.value.items.length > 0)
    return await settle(file, appendToList(file, field.value, lines), change);
  const items = lines.map((line, i) => (i === 0 ? `- ${line}` : `  ${line}`));
  if (field !== undefined && field.value === undefined)
    return await settle(file, fillPair(file, field.pair, items), change);
  if (map !== undefined && field !== undefined)
    return await addProfile(await drop(file, { map, field }, unchanged), profile);
  return await settle(file, appendToMap(file, map, ['profiles:', ...items.map((line) => `  ${line}`)]), change);
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
export async function removeProfile(file: ProfileFile, name: string): Promise<ProfileFile> {
  const profile = requireStored(file, name);
  const list = listOf(file);
  const change = changeOf(name, () => undefined);
  const without =
    list.seq.items.length === 1
      ? await drop(file, list, change)
      : await settle(file, removeFromList(file, list.seq, profile.node), change);
  return file.current?.name === name ? await setCurrent(without, undefined) : without;
}

/** Replaces a profile with an edited text, which is a YAML map. */
export async function replaceProfile(file: ProfileFile, name: string, text: string): Promise<ProfileFile> {
  const { node } = requireStored(file, name);
  // Some editors put a byte order mark before it, some people the start of a document.
  const plain = text.replace(/^\ufeff/, '').replace(/^---[ \t]*\r?\n/, '');
  const lines = plain.trimEnd().split(/\r?\n/);
  const fresh = await profileIn(file, plain);
  const replaced = replaceInList(file, { list: listOf(file).seq, item: node }, lines);
  return await settle(file, replaced, replacementOf(name, fresh.name, profileContentOf(fresh)));
}

/** Sets the name, description or protection of a profile; a selected profile stays selected when renamed. */
export async function setField(
  file: ProfileFile,
  name: string,
  [field, value]: readonly ['name' | 'description' | 'protected', string | boolean],
): Promise<ProfileFile> {
  const change: Change = (content) => {
    const profile = content.profiles.get(name);
    if (field === 'name') return replacementOf(name, String(value), profile)(content);
    return changeOf(name, () => profile && { ...profile, [field]: value })(content);
  };
  const changed = await put(file, { map: requireStored(file, name).node }, [field, value], change);
  const renamed = field === 'name' && file.current?.name === name && typeof value === 'string';
  return renamed ? await setCurrent(changed, value) : changed;
}

/** Removes the description or the protection of a profile. */
export async function unsetField(
  file: ProfileFile,
  name: string,
  key: 'description' | 'protected',
): Promise<ProfileFile> {
  const map = requireStored(file, name).node;
  const field = fieldIn(file, map, key);
  const value = key === 'protected' ? false : undefined;
  return field === undefined
    ? file
    : await drop(
        file,
        { map, field },
        changeOf(name, (profile) => profile && { ...profile, [key]: value }),
      );
}

/** Sets one option of a profile, in place (dotted or nested) or at the end. A secret has one value: others are removed. */
export async function setOption(
  stored: ProfileFile,
  name: string,
  [key, value]: readonly [OptionKey, FileValue],
): Promise<ProfileFile> {
  let file = stored;
  for (const other of otherKeys(key)) {
    // The section in `pass: { file: … }` is replaced or changed where it is.
    const isSection = key.startsWith(`${other}.`) || other.startsWith(`${key}.`);
    if (!isSection || !isSectionIn(file, name, secretPartOf(key)?.key ?? key))
      file = (await unsetKey(file, name, other)) ?? file;
  }
  const map = requireStored(file, name).node;
  const field = fieldIn(file, map, 'options');
  const lines = ['options:', `  ${key}: ${renderValue(file.yaml, value)}`];
  const { options } = profileContentOf(await profileIn(file, ['name: x', ...lines].join('\n')));
  const change: Change = (content) => {
    const others = withoutOption(name, (other) => other === key || other.startsWith(`${key}.`));
    const add = changeOf(
      name,
      (profile) => profile && { ...profile, options: new Map([...profile.options, ...options]) },
    );
    return add(others(content));
  };
  if (field === undefined) return await settle(file, appendToMap(file, map, lines), change);
  if (field.value === undefined)
    return await settle(file, fillPair(file, field.pair, [lines.at(-1)?.trim() ?? '']), change);
  if (!file.yaml.yaml.isMap(field.value) || field.value.items.length === 0)
    return await setOption(await drop(file, { map, field }, unchanged), name, [key, value]);
  const place = findOption(file, field.value, key)?.at(-1);
  return await put(file, { map: place?.map ?? field.value }, [place?.field.key ?? key, value], change);
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

async function unsetKey(file: ProfileFile, name: string, key: string): Promise<ProfileFile | undefined> {
  const { node } = requireStored(file, name);
  const options = fieldIn(file, node, 'options');
  const path = file.yaml.yaml.isMap(options?.value) ? findOption(file, options.value, key) : undefined;
  if (options === undefined || path === undefined) return undefined;
  // A map that would become empty is removed as well.
  const place = path.findLast(({ map }) => map.items.length > 1) ?? { map: node, field: options };
  const isSection = file.yaml.yaml.isMap(path.at(-1)?.field.value);
  return await drop(
    file,
    place,
    withoutOption(name, (other) => other === key || (isSection && other.startsWith(`${key}.`))),
  );
}

/** Renders one profile as the text of a YAML map: unchanged with its comments if possible, or else written anew. */
export function textOfProfile(file: ProfileFile, profile: StoredProfile): string {
  const stored = linesOfItem(file, listOf(file).seq, profile.node);
  // An alias of another profile's value has no anchor in a separate text.
  if (stored !== undefined && !hasAlias(file, profile)) return `${stored.join('\n')}\n`;
  const options = [...profile.options.entries].map(([key, { value }]) => [key, fileValueOf(key, value)] as const);
  return `${profileLines(file, { ...profile, options: new Map(options) }).join('\n')}\n`;
}

function hasAlias({ yaml: { yaml } }: ProfileFile, { node }: StoredProfile): boolean {
  let isFound = false;
  yaml.visit(node, {
    Alias() {
      isFound = true;
      return yaml.visit.BREAK;
    },
  });
  return isFound;
}
