import { isObject } from '../../shape/object.ts';
import type { Sections } from '../kinds/kind.ts';

/** A file of a document that was split: sections, or the text of a schema. */
export interface SplitFile {
  /** Seen from the folder, with `/`. */
  readonly path: string;
  readonly content: Sections | string;
}

/** The file of a section, if it is not named like the section. */
const fileNames: Readonly<Record<string, string>> = { roles: 'access', grants: 'access', acls: 'access' };

/** The folder of schemas, and how the file of each type ends. */
const schemaFolder = 'schemas';
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

/** The paths of the schemas that `schemas.yaml` of a split document names, without files that have names of somebody else. */
export function schemaPathsIn(document: unknown): readonly string[] {
  const { schemas } = Object(document) as { readonly schemas?: unknown };
  return Object.entries(Object(schemas)).flatMap(([subject, entry]) => {
    const { file } = Object(entry) as { readonly file?: unknown };
    if (typeof file !== 'string' || !file.startsWith(stemOf(subject))) return [];
    return /^(?:-\d+)?\.[a-z]+$/.test(file.slice(stemOf(subject).length)) ? [file] : [];
  });
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

/** The path of a schema without its ending. */
function stemOf(subject: string): string {
  return `${schemaFolder}/${subject.replace(/[^\w.-]/g, '_').replace(/^\.+/, '_')}`;
}

/** A path that no other schema has, for a subject that may have any characters; some file systems do not know case. */
function freePath(subject: string, ending: string, taken: Set<string>): string {
  const stem = stemOf(subject);
  let path = `${stem}.${ending}`;
  for (let number = 2; taken.has(path.toLowerCase()); number += 1) path = `${stem}-${number}.${ending}`;
  taken.add(path.toLowerCase());
  return path;
}
