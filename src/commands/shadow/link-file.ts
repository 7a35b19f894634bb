import {
  filledMap,
  ignoredFields,
  type LinkConfig,
  type LinkField,
  type LinkMap,
  linkSections,
  linkWord,
  nameFilter,
  timeOf,
} from '../../admin/shadow/link-words.ts';
import { configError, joinErrors } from '../../config/layer.ts';
import { nearest } from '../../config/nearest.ts';
import { type Field, fieldsOf, parseYaml, textOf, type YamlFile } from '../../config/yaml/file.ts';
import type { Context } from '../../context.ts';
import type { CliError } from '../../errors.ts';
import { parseDuration, showDuration } from '../../format/duration.ts';
import { excerpt } from '../../format/excerpt.ts';
import { maxInt32 } from '../../kinds.ts';
import { nameOfFile, readTextFile } from '../text-file.ts';

/** What a configuration file says. */
export interface LinkFile {
  readonly name: string;
  readonly config: LinkConfig;
}

/** Whether the configuration is of a new link, whose secrets must be given. */
interface LinkFileUse {
  readonly isNew: boolean;
}

/** Reads a configuration file of a link; `-` is standard input. @throws CliError as `parseLinkFile` does */
export async function readLinkFile(context: Context, file: string, use: LinkFileUse): Promise<LinkFile> {
  return await parseLinkFile(nameOfFile(file), await readTextFile(context, file), use);
}

/** Warns of what a configuration has in vain. */
export function warnOfIgnored(context: Pick<Context, 'warn'>, config: LinkConfig): void {
  for (const field of ignoredFields(config))
    context.warn(`Redpanda 26.2 ignores ${field}: it does not check which cluster the source is`);
}

/**
 * Reads the configuration of a link, as rpk has it: YAML or JSON. What has its default counts as left out.
 * @throws CliError (exit 2) with the line of everything that is wrong
 */
export async function parseLinkFile(path: string, text: string, { isNew }: LinkFileUse): Promise<LinkFile> {
  const yaml = await parseYaml(path, text);
  const reader: Reader = { yaml, errors: [], isNew };
  const root = yaml.valueOf(yaml.document.contents);
  const read = root === undefined ? undefined : await valueIn(reader, whole, { node: root, at: '' });
  const { name, ...config } = (read ?? {}) as { readonly name?: string } & LinkConfig;
  const { bootstrap_servers: servers } = (config.client_options ?? {}) as { readonly bootstrap_servers?: unknown };
  if (reader.errors.length === 0) {
    if (name === undefined) refuse(reader, root, 'name is missing: the name of the link');
    if (servers === undefined)
      refuse(reader, root, 'client_options.bootstrap_servers is missing: the addresses of brokers of the source');
  }
  if (reader.errors.length > 0) throw joinErrors(reader.errors);
  return { name: name ?? '', config };
}

const whole: LinkMap = { form: 'map', fields: { name: { form: 'text' }, ...linkSections.fields } };

type Node = NonNullable<ReturnType<YamlFile['valueOf']>>;
type YamlMap = Parameters<typeof fieldsOf>[1];

interface Reader extends LinkFileUse {
  readonly yaml: YamlFile;
  readonly errors: CliError[];
}

/** A value in the file. */
interface Place {
  readonly node: Node;
  /** The names on the way to it, with dots between them. */
  readonly at: string;
}

function refuse({ yaml, errors }: Reader, node: unknown, why: string, hints: readonly string[] = []): undefined {
  const message = `${yaml.path}:${yaml.lineOf(node)}: ${why}`;
  errors.push(configError(message, { target: yaml.path, hints }));
}

/** The value in the form of a configuration; undefined for a default, and for what is wrong. */
async function valueIn(reader: Reader, field: LinkField, { node, at }: Place): Promise<unknown> {
  const { yaml } = reader.yaml;
  if (field.form === 'map' || field.form === 'mark') {
    if (!yaml.isMap(node)) return refuse(reader, node, `${at || 'the file'} must have fields, each with a value`);
    return field.form === 'map' ? await mapIn(reader, field, { node, at }) : {};
  }
  if (field.form !== 'list') return scalarAt(reader, field, { node, at });
  if (!yaml.isSeq(node)) return refuse(reader, node, `${at} must be a list`);
  const items: unknown[] = [];
  for (const [index, item] of node.items.entries()) {
    const inner = reader.yaml.valueOf(item);
    const value = inner && (await valueIn(reader, field.item, { node: inner, at: `${at}[${index}]` }));
    if (value !== undefined) items.push(value);
  }
  return items.length === 0 ? undefined : items;
}

function scalarAt(reader: Reader, field: LinkField, { node, at }: Place): unknown {
  const text = textOf(reader.yaml, node);
  if (text === undefined) return refuse(reader, node, `${at} must be a single value`);
  try {
    return text === '' ? undefined : scalarIn(field, text);
  } catch (error) {
    return refuse(reader, node, `${at} ${(error as Error).message}`);
  }
}

/** @throws Error with what the value must be, which does not repeat it */
function scalarIn(field: LinkField, text: string): unknown {
  switch (field.form) {
    case 'truth':
      if (!/^(true|false)$/i.test(text)) throw new Error('must be true or false');
      return /^true$/i.test(text) || undefined;
    case 'number':
      if (!/^\d{1,10}$/.test(text) || Number(text) > maxInt32)
        throw new Error(`must be a number from 0 to ${maxInt32}`);
      return Number(text) || undefined;
    case 'duration':
      return durationIn(text);
    case 'time':
      if (!/^\d{4}-\d\d-\d\dT/.test(text) || timeOf(text) === undefined)
        throw new Error('must be a time such as 2026-01-01T00:00:00Z');
      return timeOf(text);
    case 'word': {
      const word = linkWord(field, text);
      if (word === undefined) throw new Error(`must be one of ${field.words.join(', ')}`);
      return word === field.fallback ? undefined : word;
    }
    default:
      return text;
  }
}

function durationIn(text: string): string | undefined {
  try {
    const nanoseconds = parseDuration(text);
    return nanoseconds === 0n ? undefined : showDuration(nanoseconds);
  } catch {
    throw new Error('must be a duration such as 30s or 5m');
  }
}

async function mapIn(
  reader: Reader,
  map: LinkMap,
  { node, at }: { readonly node: YamlMap; readonly at: string },
): Promise<object | undefined> {
  const faults = reader.errors.length;
  const fields = fieldsOf(reader.yaml, node, reader.errors);
  const entries: [string, unknown][] = [];
  for (const field of fields) {
    const known = map.fields[field.key];
    const path = at === '' ? field.key : `${at}.${field.key}`;
    if (known === undefined) await refuseUnknown(reader, field, { map, at });
    else if (field.value !== undefined)
      entries.push([field.key, await valueIn(reader, known, { node: field.value, at: path })]);
  }
  const value = filledMap(entries);
  if (value === undefined) return undefined;
  // What is wrong is not missing.
  if (reader.errors.length === faults) checkRequired(reader, map, { fields, value, at, node });
  checkTogether(reader, map, { fields, value, at, node });
  return value;
}

async function refuseUnknown(
  reader: Reader,
  { key, pair }: Field,
  { map, at }: { readonly map: LinkMap; readonly at: string },
): Promise<void> {
  const keys = Object.keys(map.fields);
  const meant = await nearest(key, keys);
  const hint = meant === undefined ? `use one of: ${keys.join(', ')}` : `did you mean ${meant}?`;
  const isCloud = at === '' && key === 'cloud_options';
  const why = `unknown key "${excerpt(key)}"${at === '' ? '' : ` in ${at}`}`;
  refuse(reader, pair.key, why, [
    isCloud ? 'weir makes no shadow links of clusters in Redpanda Cloud; rpk does' : hint,
  ]);
}

/** A map as it was read. */
interface ReadMap {
  readonly fields: readonly Field[];
  readonly value: object;
  readonly at: string;
  readonly node: YamlMap;
}

/** Checks that what a map needs is there: the server refuses it otherwise, without the place. */
function checkRequired(reader: Reader, map: LinkMap, { value, at, node }: ReadMap): void {
  const has = (name: string) => Object.hasOwn(value, name);
  const together = map.allOrNone?.some(has) ? map.allOrNone : [];
  const missing = [...(map.required ?? []), ...together].filter((name) => !has(name));
  for (const name of missing) {
    const mayBeKept = map.fields[name]?.form === 'secret' && !reader.isNew;
    if (!mayBeKept) refuse(reader, node, `${at}.${name} is missing`);
  }
}

/** Checks what the fields of a map must be together: the server refuses the rest, without the place. */
function checkTogether(reader: Reader, map: LinkMap, { fields, value, at, node }: ReadMap): void {
  const has = (name: string) => Object.hasOwn(value, name);
  const nodeOf = (name: string) => fields.find(({ key }) => key === name)?.pair.key ?? node;
  const [, second] = (map.oneOf ?? []).filter(has);
  if (second !== undefined) refuse(reader, nodeOf(second), `${at} takes only one of ${map.oneOf?.join(', ')}`);
  for (const [name, field] of Object.entries(map.fields)) {
    if (field.form !== 'word' || field.fallback !== undefined || fields.some(({ key }) => key === name)) continue;
    refuse(reader, node, `${at}.${name} is missing: ${field.words.join(', ')}`);
  }
  if (map !== nameFilter) return;
  const { name, pattern_type: pattern } = value as { readonly name?: string; readonly pattern_type?: string };
  if (name === undefined) refuse(reader, node, `${at}.name is missing`);
  else if (name.includes('*') && (name !== '*' || pattern === 'PREFIX'))
    refuse(reader, nodeOf('name'), `${at}.name has a "*", which must stand alone, with the pattern_type LITERAL`);
}
