import { exactJson } from '../../format/exact-json.ts';
import { fieldsOf, isObject } from '../../shape/object.ts';
import type { Sections } from '../kinds/kind.ts';

/** A file of a document that was split: sections, or the text of a schema. */
export interface SplitFile {
  /** Seen from the folder, with `/`. */
  readonly path: string;
  readonly content: Sections | string;
}

/** The file of a section, if it is not named like the section. */
const fileNames: Readonly<Record<string, string>> = { roles: 'access', grants: 'access', acls: 'access' };

/** How the file of a schema of each type ends. */
const endings: Readonly<Record<string, string>> = { AVRO: 'avsc', PROTOBUF: 'proto', JSON: 'json' };

/** One file for each kind, and the schemas as files of their own. */
export function splitDocument({ weir, ...sections }: Sections): readonly SplitFile[] {
  const schemas = splitSchemas(sections.schemas);
  const files = new Map<string, Record<string, unknown>>();
  for (const [name, section] of Object.entries({ ...sections, ...schemas.section })) {
    if (Object.keys(Object(section)).length === 0) continue;
    const path = `${fileNames[name] ?? name}.yaml`;
    files.set(path, { weir, ...files.get(path), [name]: section });
  }
  return [...schemas.files, ...[...files].map(([path, content]) => ({ path, content }))];
}

/** A document whose users have the references to passwords of an earlier one; without one, users have none. */
export function withPasswordsOf(document: unknown, earlier: unknown): unknown {
  if (!isObject(document) || !isObject(document.users)) return document;
  const before = fieldsOf(fieldsOf(earlier).users);
  const users = Object.entries(document.users).map(([name, entry]) => {
    if (!isObject(entry) || (earlier !== undefined && !Object.hasOwn(before, name))) return [name, entry] as const;
    const { password: _, ...others } = entry;
    const { password } = fieldsOf(before[name]);
    return [name, password === undefined ? others : { ...others, password }] as const;
  });
  return { ...document, users: Object.fromEntries(users) };
}

/** The entries of a document: each name in its section, or the item of a list. What files own can be in several. */
export function entriesIn(document: unknown): readonly string[] {
  const { weir: _, owns: __, ...sections } = fieldsOf(document);
  return Object.entries(sections).flatMap(([section, entries]) =>
    (Array.isArray(entries) ? entries.map((entry) => exactJson(entry)) : Object.keys(fieldsOf(entries))).map(
      (entry) => `${section} ${entry}`,
    ),
  );
}

function splitSchemas(section: unknown): { readonly section: Sections; readonly files: readonly SplitFile[] } {
  if (!isObject(section)) return { section: {}, files: [] };
  const files: SplitFile[] = [];
  const taken = new Set<string>();
  const entries = Object.entries(section).map(([subject, entry]) => {
    if (!isObject(entry) || typeof entry.schema !== 'string') return [subject, entry] as const;
    const { schema, type, ...others } = entry;
    const path = freePath(subject, endings[String(type)] ?? 'txt', taken);
    files.push({ path, content: schema as string });
    const named = endings[String(type)] === undefined ? { type } : {};
    return [subject, { ...named, file: path, ...others }] as const;
  });
  return { section: { schemas: Object.fromEntries(entries) }, files };
}

/** The longest name of a file without its ending: with that of the temporary file it fits in 255. */
const longestStem = 180;

/** A path that no other schema has, for a subject that may have any characters; some file systems do not know case. */
function freePath(subject: string, ending: string, taken: Set<string>): string {
  const name = subject.replace(/[^\w.-]/g, '_').replace(/^\.+/, '_');
  const stem = `schemas/${name.slice(0, longestStem)}`;
  let path = `${stem}.${ending}`;
  for (let number = 2; taken.has(path.toLowerCase()); number += 1) path = `${stem}-${number}.${ending}`;
  taken.add(path.toLowerCase());
  return path;
}
