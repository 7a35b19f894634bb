import type { YAMLMap, YAMLSeq } from 'yaml';
import { notFoundError } from '../../errors.ts';
import { excerpt } from '../../format/excerpt.ts';
import { joinErrors } from '../layer.ts';
import { type Field, fieldsOf } from '../yaml/file.ts';
import type { ProfileFile, StoredProfile } from './file.ts';

/** The top-level map of the file; undefined if the file has only comments. */
export function rootOf(file: ProfileFile): YAMLMap | undefined {
  const { yaml, document } = file.yaml;
  return yaml.isMap(document.contents) ? document.contents : undefined;
}

/** The field of a map; undefined if the map does not have it. */
export function fieldIn(file: ProfileFile, map: YAMLMap, key: string): Field | undefined {
  return fieldsOf(file.yaml, map, []).find((field) => field.key === key);
}

/** A field and the map that contains it. */
export interface FieldInMap {
  readonly map: YAMLMap;
  readonly field: Field;
}

/** The path to an option, outermost map first: one place if its key is dotted, several if it is nested. */
export function findOption(file: ProfileFile, map: YAMLMap, key: string): readonly FieldInMap[] | undefined {
  for (const field of fieldsOf(file.yaml, map, [])) {
    // A person may write keys in any case.
    const name = field.key.toLowerCase();
    if (name === key) return [{ map, field }];
    if (!key.startsWith(`${name}.`) || !file.yaml.yaml.isMap(field.value)) continue;
    const inner = findOption(file, field.value, key.slice(field.key.length + 1));
    if (inner !== undefined) return [{ map, field }, ...inner];
  }
  return undefined;
}

/** The profile with this name. @throws CliError if the file has errors, or the profile was deleted since it was chosen */
export function requireStored(file: ProfileFile, name: string): StoredProfile {
  if (file.errors.length > 0) throw joinErrors(file.errors);
  const profile = file.profiles.find((stored) => stored.name === name);
  if (profile === undefined) {
    throw notFoundError(`${excerpt(name)}: no such profile`, {
      code: 'NO_PROFILE',
      target: name,
      hints: ['see the profiles with: weir profile list'],
    });
  }
  return profile;
}

/** The list of profiles, with its field. */
export function listOf(file: ProfileFile): FieldInMap & { readonly seq: YAMLSeq } {
  const map = rootOf(file);
  const field = map && fieldIn(file, map, 'profiles');
  if (map === undefined || field === undefined || !file.yaml.yaml.isSeq(field.value))
    throw new Error(`${file.path} has no profiles`);
  return { map, field, seq: field.value };
}
