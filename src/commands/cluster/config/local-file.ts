import { statSync } from 'node:fs';
import { removeFromMap } from '../../../config/yaml/edit.ts';
import { type Field, fieldsOf, parseYaml, type YamlFile } from '../../../config/yaml/file.ts';
import { readFileText, readNamedText } from '../../../config/yaml/file-text.ts';
import { readYamlData } from '../../../config/yaml/yaml-data.ts';
import type { Context } from '../../../context.ts';
import { CliError, CliErrors, exitCodes, usageError } from '../../../errors.ts';
import { noSuchFile } from '../../../files/fault.ts';
import { createWhole, followLinks, replaceFile } from '../../../files/replace.ts';

/** A map in a YAML file of a broker on this machine. */
export interface LocalMap {
  readonly path: string;
  readonly text: string;
  readonly file: YamlFile;
  readonly fields: readonly Field[];
}

/** Where a map is in its file. */
interface MapPlace {
  /** The key of the map; undefined for the document. */
  readonly section?: string;
  /** What to do if there is no such file. */
  readonly hints?: readonly string[];
}

/**
 * Reads a map of a YAML file.
 * @throws CliError (exit 2) if there is no such file, if it is not a map, or has a key twice
 */
export async function readLocalMap(path: string, { section, hints = [] }: MapPlace = {}): Promise<LocalMap> {
  const input = await readNamedText(path);
  if (input === undefined) {
    throw usageError(`unable to read ${path}: ${noSuchFile}`, { code: 'NO_SUCH_FILE', target: path, hints });
  }
  const { text } = input;
  const file = await parseYaml(path, text);
  const map = mapIn(file, section);
  if (map === undefined) {
    const what = section === undefined ? 'it is not a map' : `it has no section "${section}"`;
    throw usageError(`unable to use ${path}: ${what}`, { target: path });
  }
  const errors: CliError[] = [];
  const fields = fieldsOf(file, map, errors);
  const [first] = errors;
  if (first !== undefined) throw errors.length === 1 ? first : new CliErrors(errors);
  return { path, text, file, fields };
}

function mapIn({ yaml, document }: YamlFile, section: string | undefined): Parameters<typeof fieldsOf>[1] | undefined {
  const root = document.contents;
  if (section === undefined) return yaml.isMap(root) ? root : undefined;
  const inner = yaml.isMap(root) ? root.get(section) : undefined;
  return yaml.isMap(inner) ? inner : undefined;
}

/**
 * Returns the text without some keys of a map; all other lines stay as they are.
 * @throws CliError (exit 1) if the rest would not mean the same, for example because an alias refers to a value
 */
export async function withoutKeys(local: LocalMap, keys: readonly string[], section?: string): Promise<string> {
  let { text } = local;
  for (const key of keys) text = await withoutKey(local.path, text, { key, section });
  const expected = await dataOf(local.path, local.text);
  const inner = section === undefined ? expected : fieldsIn(expected[section]);
  for (const key of keys) delete inner[key];
  const data = await dataOf(local.path, text).catch((): Data => ({}));
  // A section without its last key is null.
  if (section !== undefined && data[section] === null) data[section] = {};
  const isMeant = JSON.stringify(data) === JSON.stringify(expected);
  if (isMeant) return text;
  throw new CliError(exitCodes.failure, `unable to remove ${keys.join(', ')} from ${local.path} safely`, {
    target: local.path,
    hints: ['edit the file by hand'],
  });
}

type Data = Record<string, unknown>;

/** The map is null if its last key was removed. */
async function dataOf(path: string, text: string): Promise<Data> {
  return fieldsIn(await readYamlData(path, text));
}

function fieldsIn(value: unknown): Data {
  return typeof value === 'object' && value !== null ? (value as Data) : {};
}

async function withoutKey(
  path: string,
  text: string,
  { key, section }: { readonly key: string; readonly section: string | undefined },
): Promise<string> {
  const file = await parseYaml(path, text);
  const map = mapIn(file, section);
  const pair = map?.items.find(
    (item) => file.yaml.isScalar(item.key) && String(item.key.source ?? item.key.value) === key,
  );
  if (map === undefined || pair === undefined) return text;
  // Refused by the comparison above if it stays.
  return removeFromMap({ text, yaml: file }, map, pair) ?? text;
}

/**
 * Replaces the file, which keeps its mode and owner.
 * @param backup whether the old text is kept in a file beside it
 * @returns the path of that file; null without one
 * @throws CliError (exit 6) if the file was changed since it was read, (exit 1) if it cannot be written
 */
export async function rewriteLocal(
  context: Context,
  { path, text: old }: LocalMap,
  { text, backup }: { readonly text: string; readonly backup: boolean },
): Promise<string | null> {
  const target = await followLinks(path);
  const mode = statSync(target).mode & 0o777;
  context.signal.throwIfAborted();
  const kept = backup ? await keepBackup(path, old, mode) : null;
  const isReplaced = await replaceFile(target, text, async () => readFileText(path)?.text === old, mode);
  if (isReplaced) return kept;
  throw new CliError(exitCodes.conflict, `unable to write ${path}: another program has changed it in the meantime`, {
    target: path,
    hints: ['repeat the command'],
  });
}

/** Never overwrites an older backup. */
async function keepBackup(path: string, text: string, mode: number): Promise<string> {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? `${path}.bak` : `${path}.bak.${number}`;
    const file = await createWhole(name, text, mode);
    await file?.close();
    if (file !== undefined) return name;
  }
}
