import type { YAMLMap } from 'yaml';
import type { CliError } from '../../errors.ts';
import { boolean } from '../../kinds.ts';
import { nearest } from '../nearest.ts';
import { configError, type Draft, excerpt, newDraft, type Reading } from '../resolve/layer.ts';
import { readOptionMap } from '../resolve/option-map.ts';
import { type Field, fieldsOf, isFull, parseYaml, textOf, type YamlFile, type YamlTree } from '../yaml/file.ts';
import { readFileText } from '../yaml/file-text.ts';
import { readPlainYaml } from '../yaml/plain-yaml.ts';

/** The version of the profile file that this weir writes; a file may leave it out. */
export const profileFileVersion = 1;

/** A profile as it stands in the file. */
export interface StoredProfile {
  readonly name: string;
  readonly description: string | undefined;
  readonly protected: boolean;
  /** Of its name, from 1. */
  readonly line: number;
  /** Its options; `errors` holds what of them is wrong. */
  readonly options: Reading;
  readonly node: YAMLMap;
}

/** What a profile file says. Reading changes nothing. */
export interface ProfileReading {
  readonly path: string;
  readonly current: { readonly name: string; readonly line: number } | undefined;
  readonly profiles: readonly StoredProfile[];
  /** What is wrong with its structure; while there is anything, it is not written either. */
  readonly errors: readonly CliError[];
  readonly readableByOthers: boolean;
}

/** A profile file as it can be edited. */
export interface ProfileFile extends ProfileReading {
  readonly text: string;
  readonly yaml: YamlFile;
}

/**
 * Reads a profile file; undefined when there is none.
 * @throws CliError with file and line when it is unreadable or no YAML; lesser faults are in `errors`
 */
export async function readProfileFile(path: string): Promise<ProfileFile | undefined> {
  const file = readFileText(path);
  if (file === undefined) return undefined;
  return { ...(await parseProfileFile(path, file.text)), readableByOthers: file.readableByOthers };
}

/**
 * Reads what a profile file says; undefined when there is none. One that weir alone has written needs no YAML package.
 * @throws CliError as `readProfileFile` does
 */
export async function readProfiles(path: string): Promise<ProfileReading | undefined> {
  const file = readFileText(path);
  if (file === undefined) return undefined;
  const tree = readPlainYaml(path, file.text) ?? (await parseYaml(path, file.text));
  return { ...(await readTree(tree)), readableByOthers: file.readableByOthers };
}

/** Reads the text of a profile file that would lie at `path`. */
export async function parseProfileFile(path: string, text: string): Promise<ProfileFile> {
  const yaml = await parseYaml(path, text);
  return { ...(await readTree(yaml)), text, yaml };
}

/** Reads a profile file out of its nodes. */
export async function readTree(yaml: YamlTree): Promise<ProfileReading> {
  const draft = newDraft('profile');
  const fields = rootFields(yaml, draft);
  const known = new Map(fields.map((field) => [field.key, field]));
  checkVersion(yaml, known.get('version'), draft);
  await rejectUnknown(yaml, fields, { known: ['version', 'current_profile', 'profiles'], errors: draft.errors });
  const current = known.get('current_profile');
  const name = current && (textField(yaml, current, draft.errors) ?? '');
  return {
    path: yaml.path,
    current: current === undefined || name === undefined || name === '' ? undefined : { name, line: current.line },
    profiles: await readList(yaml, known.get('profiles'), draft.errors),
    errors: draft.errors,
    readableByOthers: false,
  };
}

/** Reads a text that holds one profile alone, as it is edited. */
export async function parseProfile(
  path: string,
  text: string,
): Promise<{ readonly profile: StoredProfile | undefined; readonly errors: readonly CliError[] }> {
  const yaml = await parseYaml(path, text);
  const errors: CliError[] = [];
  const profile = await readProfile(yaml, yaml.document.contents, errors);
  return { profile, errors: [...errors, ...(profile?.options.errors ?? [])] };
}

function rootFields(yaml: YamlTree, draft: Draft): readonly Field[] {
  const root = yaml.valueOf(yaml.document.contents);
  if (root === undefined) return [];
  if (yaml.yaml.isMap(root)) return fieldsOf(yaml, root, draft.errors);
  draft.errors.push(
    fault(yaml, yaml.lineOf(root), 'this is not a profile file', ['a profile file begins with version: 1']),
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
          `the file has version ${excerpt(version)}, this weir knows version ${profileFileVersion}`,
          [
            'use a newer weir, or name another file with --config',
            'an rpk.yaml is imported with: weir profile create --from-rpk=FILE',
          ],
        )
      : fault(yaml, field.line, 'version is not a number', ['a profile file begins with version: 1']),
  );
}

async function readList(yaml: YamlTree, field: Field | undefined, errors: CliError[]): Promise<StoredProfile[]> {
  if (field?.value === undefined) return [];
  if (!yaml.yaml.isSeq(field.value)) {
    errors.push(fault(yaml, field.line, 'profiles is not a list', ['each profile begins with "- name: NAME"']));
    return [];
  }
  const profiles = new Map<string, StoredProfile>();
  for (const item of field.value.items) {
    if (isFull(errors)) break;
    const profile = await readProfile(yaml, item, errors);
    const first = profile && profiles.get(profile.name);
    if (first !== undefined && profile !== undefined) {
      const message = `duplicate profile "${excerpt(profile.name)}" (first in line ${first.line})`;
      errors.push(fault(yaml, profile.line, message, ['rename or delete one of them in an editor']));
    } else if (profile !== undefined) profiles.set(profile.name, profile);
  }
  return [...profiles.values()];
}

const profileFields = ['name', 'description', 'protected', 'options'];

async function readProfile(yaml: YamlTree, item: unknown, errors: CliError[]): Promise<StoredProfile | undefined> {
  const node = yaml.valueOf(item);
  if (!yaml.yaml.isMap(node)) {
    errors.push(fault(yaml, yaml.lineOf(item), 'a profile is not a map', ['each profile begins with "- name: NAME"']));
    return undefined;
  }
  const fields = fieldsOf(yaml, node, errors);
  const known = new Map(fields.map((field) => [field.key, field]));
  const name = textField(yaml, known.get('name'), errors);
  const line = known.get('name')?.line ?? yaml.lineOf(node);
  if (name === undefined || name === '') {
    errors.push(fault(yaml, line, 'a profile has no name'));
    return undefined;
  }
  await rejectUnknown(yaml, fields, { known: profileFields, errors });
  return {
    name,
    line,
    node,
    description: textField(yaml, known.get('description'), errors),
    protected: booleanField(yaml, known.get('protected'), errors),
    options: await readOptions(yaml, known.get('options'), name),
  };
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
  if (text === undefined) errors.push(fault(yaml, field.line, `${excerpt(field.key)} is not one text`));
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
  readonly known: readonly string[];
  readonly errors: CliError[];
}

async function rejectUnknown(yaml: YamlTree, fields: readonly Field[], { known, errors }: KnownKeys): Promise<void> {
  for (const { key, line } of fields) {
    if (known.includes(key)) continue;
    const meant = await nearest(key, known);
    const brokerFile = key === 'redpanda' || key === 'rpk' || key === 'weir';
    const hint = brokerFile ? 'a broker configuration file is named with --broker-config' : `did you mean ${meant}?`;
    const hints = brokerFile || meant !== undefined ? [hint] : [`known here: ${known.join(', ')}`];
    errors.push(fault(yaml, line, `unknown key "${excerpt(key)}"`, hints));
  }
}

function fault(yaml: YamlTree, line: number, message: string, hints: readonly string[] = []): CliError {
  return configError(`${yaml.path}:${line}: ${message}`, { target: yaml.path, hints });
}

/** All faults of a profile file, the options of every profile included. */
export function faultsOf(file: ProfileReading): readonly CliError[] {
  return [...file.errors, ...file.profiles.flatMap((profile) => profile.options.errors)];
}
