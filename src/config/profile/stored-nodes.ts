import type { YAMLMap, YAMLSeq } from 'yaml';
import { configError, joinErrors } from '../resolve/layer.ts';
import { oneLine } from '../yaml/edit.ts';
import { type Field, fieldsOf } from '../yaml/file.ts';
import type { ProfileFile, StoredProfile } from './file.ts';

/** Renders the whole document as text. */
export function print(file: ProfileFile): string {
  try {
    return file.yaml.document.toString(oneLine);
  } catch (error) {
    throw configError(`unable to edit ${file.path}: an anchor in it would be lost`, {
      target: file.path,
      hints: ['edit it by hand'],
      cause: error,
    });
  }
}

/** The top-level map of the file, created if it is missing. */
export function rootOf(file: ProfileFile): YAMLMap {
  const { yaml, document } = file.yaml;
  if (yaml.isMap(document.contents)) return document.contents;
  const root = new yaml.YAMLMap();
  root.set('version', 1);
  Object.assign(document, { contents: root });
  return root;
}

/** The field of a map; undefined if the map does not have it. */
export function fieldIn(file: ProfileFile, map: YAMLMap, key: string): Field | undefined {
  return fieldsOf(file.yaml, map, []).find((field) => field.key === key);
}

/** A field and the map that contains it. */
export interface Place {
  readonly map: YAMLMap;
  readonly field: Field;
}

/** The path to an option, outermost map first: one place if its key is dotted, several if it is nested. */
export function findOption(file: ProfileFile, map: YAMLMap, key: string): readonly Place[] | undefined {
  for (const field of fieldsOf(file.yaml, map, [])) {
    if (field.key === key) return [{ map, field }];
    if (!key.startsWith(`${field.key}.`) || !file.yaml.yaml.isMap(field.value)) continue;
    const inner = findOption(file, field.value, key.slice(field.key.length + 1));
    if (inner !== undefined) return [{ map, field }, ...inner];
  }
  return undefined;
}

/** The profile with this name. @throws CliError if the file has errors */
export function requireStored(file: ProfileFile, name: string): StoredProfile {
  if (file.errors.length > 0) throw joinErrors(file.errors);
  const profile = file.profiles.find((stored) => stored.name === name);
  if (profile === undefined) throw new Error(`${file.path} has no profile ${name}`);
  return profile;
}

/** The list of profiles. */
export function listOf(file: ProfileFile): YAMLSeq {
  const list = fieldIn(file, rootOf(file), 'profiles')?.value;
  if (!file.yaml.yaml.isSeq(list)) throw new Error(`${file.path} has no profiles`);
  return list;
}
