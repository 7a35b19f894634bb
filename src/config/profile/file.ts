import type { YAMLMap } from 'yaml';
import type { CliError } from '../../errors.ts';
import { excerpt } from '../../format/excerpt.ts';
import { shellWord } from '../../format/shell-word.ts';
import { boolean } from '../../kinds.ts';
import { configError, type Draft, newDraft, type Reading } from '../layer.ts';
import { nearest } from '../nearest.ts';
import { readOptionMap } from '../option-map.ts';
import { findDoubleSecrets } from '../settings/secret-rule.ts';
import { type Field, fieldsOf, isFull, parseYaml, textOf, type YamlFile, type YamlTree } from '../yaml/file.ts';
import { readNamedText } from '../yaml/file-text.ts';
import { readPlainYaml } from '../yaml/plain-yaml.ts';
import { isRpkFile } from './rpk-layout.ts';

/** The profile file version that weir writes; the version in a file is optional. */
export const profileFileVersion = 1;

/** A profile in the file. */
export interface StoredProfile {
  readonly name: string;
  readonly description: string | undefined;
  readonly protected: boolean;
  /** The line of the name, from 1. */
  readonly line: number;
  /** The options; `errors` contains the invalid ones. */
  readonly options: Reading;
  /** What is wrong in this profile, in its structure and in its options. */
  readonly faults: readonly CliError[];
  readonly node: YAMLMap;
}

/** The content of a profile file, for reading only. */
export interface ProfileReading {
  readonly path: string;
  readonly current: { readonly name: string; readonly line: number } | undefined;
  readonly profiles: readonly StoredProfile[];
  /** The errors in the file's structure; a file with errors is never written. */
  readonly errors: readonly CliError[];
  readonly readableByOthers: boolean;
}

/** A profile file that can be edited. */
export interface ProfileFile extends ProfileReading {
  readonly text: string;
  readonly yaml: YamlFile;
}

/**
 * Reads a profile file; undefined if there is none.
 * @throws CliError with file and line if it cannot be read or is not YAML; other errors are in `errors`
 */
export async function readProfileFile(path: string): Promise<ProfileFile | undefined> {
  const file = await readNamedText(path);
  if (file === undefined) return undefined;
  return { ...(await parseProfileFile(path, file.text)), readableByOthers: file.readableByOthers };
}

/**
 * Reads a profile file without preparing edits; undefined if there is none. A file in the form that weir writes is
 * read without loading the YAML package.
 * @throws CliError in the same cases as `readProfileFile`
 */
export async function readProfiles(path: string): Promise<ProfileReading | undefined> {
  const file = await readNamedText(path);
  if (file === undefined) return undefined;
  const tree = readPlainYaml(path, file.text) ?? (await parseYaml(path, file.text));
  return { ...(await readTree(tree)), readableByOthers: file.readableByOthers };
}

/** Parses a text as the profile file at `path`. */
export async function parseProfileFile(path: string, text: string): Promise<ProfileFile> {
  const yaml = await parseYaml(path, text);
  return { ...(await readTree(yaml)), text, yaml };
}

/** Reads a profile file from its nodes. */
export async function readTree(yaml: YamlTree): Promise<ProfileReading> {
  const draft = newDraft('profile');
  const fields = rootFields(yaml, draft);
  if (isRpkFile(yaml, fields)) {
    const hints = [`import it with: weir profile create --from-rpk=${shellWord(yaml.path)}`];
    const errors = [fault(yaml, 1, "this is an rpk.yaml, not one of weir's profile files", hints)];
    return { path: yaml.path, current: undefined, profiles: [], errors, readableByOthers: false };
  }
  const byKey = new Map(fields.map((field) => [field.key, field]));
  checkVersion(yaml, byKey.get('version'), draft);
  await rejectUnknown(yaml, fields, { keys: ['version', 'current_profile', 'profiles'], errors: draft.errors });
  const current = byKey.get('current_profile');
  const name = current && (textField(yaml, current, draft.errors) ?? '');
  return {
    path: yaml.path,
    current: current === undefined || name === undefined || name === '' ? undefined : { name, line: current.line },
    profiles: await readList(yaml, byKey.get('profiles'), draft.errors),
    errors: draft.errors,
    readableByOthers: false,
  };
}

/** Parses a text with a single profile, as used by `profile edit`. */
export async function parseProfile(
  path: string,
  text: string,
): Promise<{ readonly profile: StoredProfile | undefined; readonly errors: readonly CliError[] }> {
  const yaml = await parseYaml(path, text);
  const errors: CliError[] = [];
  const profile = await readProfile(yaml, yaml.document.contents, errors);
  const ofOptions = profile === undefined ? [] : [...profile.options.errors, ...findDoubleSecrets([profile.options])];
  return { profile, errors: [...errors, ...ofOptions] };
}

function rootFields(yaml: YamlTree, draft: Draft): readonly Field[] {
  const root = yaml.valueOf(yaml.document.contents);
  if (root === undefined) return [];
  if (yaml.yaml.isMap(root)) return fieldsOf(yaml, root, draft.errors);
  draft.errors.push(
    fault(yaml, yaml.lineOf(root), 'this is not a profile file', ['start a profile file with version: 1']),
  );
  return [];
}

function checkVersion(yaml: YamlTree, field: Field | undefined, draft: Draft): void {
  if (field?.value === undefined) return;
  const version = textOf(yaml, field.value);
  if (version === String(profileFileVersion)) return;
  const newer = version !== undefined && /^[1-9]\d*$/.test(version);
  draft.errors.push(
    newer
      ? fault(
          yaml,
          field.line,
          `unsupported file version ${excerpt(version)} (this weir supports version ${profileFileVersion})`,
          [
            'use a newer weir, or specify another file with --config',
            'import an rpk.yaml with: weir profile create --from-rpk=FILE',
          ],
        )
      : fault(yaml, field.line, 'version is not a number', ['start a profile file with version: 1']),
  );
}

async function readList(yaml: YamlTree, field: Field | undefined, errors: CliError[]): Promise<StoredProfile[]> {
  if (field?.value === undefined) return [];
  if (!yaml.yaml.isSeq(field.value)) {
    errors.push(fault(yaml, field.line, 'profiles is not a list', ['start each profile with "- name: NAME"']));
    return [];
  }
  const profiles = new Map<string, StoredProfile>();
  for (const item of field.value.items) {
    if (isFull(errors)) break;
    const profile = await readProfile(yaml, item, errors);
    if (profile === undefined) continue;
    const first = profiles.get(profile.name);
    if (first === undefined) {
      profiles.set(profile.name, profile);
      continue;
    }
    const message = `duplicate profile "${excerpt(profile.name)}" (first on line ${first.line})`;
    const twice = fault(yaml, profile.line, message, ['rename or delete one of them in an editor']);
    errors.push(twice);
    profiles.set(first.name, { ...first, faults: [...first.faults, twice, ...profile.faults] });
  }
  return [...profiles.values()];
}

const profileFields = ['name', 'description', 'protected', 'options'];

async function readProfile(yaml: YamlTree, item: unknown, errors: CliError[]): Promise<StoredProfile | undefined> {
  const before = errors.length;
  const node = yaml.valueOf(item);
  if (!yaml.yaml.isMap(node)) {
    errors.push(fault(yaml, yaml.lineOf(item), 'a profile is not a map', ['start each profile with "- name: NAME"']));
    return undefined;
  }
  const fields = fieldsOf(yaml, node, errors);
  const byKey = new Map(fields.map((field) => [field.key, field]));
  const name = textField(yaml, byKey.get('name'), errors);
  const line = byKey.get('name')?.line ?? yaml.lineOf(node);
  if (name === undefined || name === '') {
    errors.push(fault(yaml, line, 'a profile has no name'));
    return undefined;
  }
  await rejectUnknown(yaml, fields, { keys: profileFields, errors });
  const description = textField(yaml, byKey.get('description'), errors);
  const isProtected = booleanField(yaml, byKey.get('protected'), errors);
  const options = await readOptions(yaml, byKey.get('options'), name);
  const faults = [...errors.slice(before), ...options.errors];
  return { name, line, node, description, protected: isProtected, options, faults };
}

async function readOptions(yaml: YamlTree, field: Field | undefined, profile: string): Promise<Reading> {
  const draft = newDraft('profile');
  if (yaml.yaml.isMap(field?.value)) {
    await readOptionMap(yaml, field.value, draft, (line) => `${yaml.path}:${line} (profile ${excerpt(profile)})`);
  } else if (field?.value !== undefined) {
    draft.errors.push(fault(yaml, field.line, 'options is not a map', ['write one "key: value" per line below it']));
  }
  return draft;
}

function textField(yaml: YamlTree, field: Field | undefined, errors: CliError[]): string | undefined {
  if (field?.value === undefined) return undefined;
  const text = textOf(yaml, field.value);
  if (text === undefined) errors.push(fault(yaml, field.line, `${excerpt(field.key)} is not a single value`));
  return text;
}

function booleanField(yaml: YamlTree, field: Field | undefined, errors: CliError[]): boolean {
  const text = textField(yaml, field, errors);
  if (field === undefined || text === undefined) return false;
  try {
    return boolean.parse(text);
  } catch {
    errors.push(fault(yaml, field.line, `${field.key} is not a boolean`, ['use true or false']));
    return false;
  }
}

interface KnownKeys {
  readonly keys: readonly string[];
  readonly errors: CliError[];
}

async function rejectUnknown(yaml: YamlTree, fields: readonly Field[], { keys, errors }: KnownKeys): Promise<void> {
  for (const { key, line } of fields) {
    if (keys.includes(key)) continue;
    const meant = await nearest(key, keys);
    const brokerFile = key === 'redpanda' || key === 'rpk' || key === 'weir';
    const hint = brokerFile ? 'specify a broker configuration file with --broker-config' : `did you mean ${meant}?`;
    const hints = brokerFile || meant !== undefined ? [hint] : [`use one of: ${keys.join(', ')}`];
    errors.push(fault(yaml, line, `unknown key "${excerpt(key)}"`, hints));
  }
}

function fault(yaml: YamlTree, line: number, message: string, hints: readonly string[] = []): CliError {
  return configError(`${yaml.path}:${line}: ${message}`, { target: yaml.path, hints });
}

/** What is wrong with a profile file itself, and not only in one of its profiles. */
export function faultsOf({ errors, profiles }: ProfileReading): readonly CliError[] {
  const ofProfiles = new Set(profiles.flatMap(({ faults }) => faults));
  return errors.filter((error) => !ofProfiles.has(error));
}

/** One line for each profile in which something is wrong, except the one in use, whose faults are errors. */
export function faultyProfiles({ profiles }: Pick<ProfileReading, 'profiles'>, inUse?: string): readonly string[] {
  return profiles.flatMap(({ name, faults: [first, ...more] }) => {
    if (first === undefined || name === inUse) return [];
    const what = more.length === 0 ? 'an error' : `${more.length + 1} errors, the first`;
    return [`profile "${excerpt(name)}" has ${what}: ${first.message}`];
  });
}
