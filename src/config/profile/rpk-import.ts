import type { YAMLMap } from 'yaml';
import { noSuchFile } from '../../files/fault.ts';
import { excerpt } from '../../format/excerpt.ts';
import { configError, type Draft, newDraft, putText } from '../layer.ts';
import type { OptionKey } from '../options.ts';
import { isRpkProfile } from '../rpk-paths.ts';
import type { FileValue } from '../yaml/edit.ts';
import { fieldsOf, parseYaml, textOf, type YamlFile } from '../yaml/file.ts';
import { readNamedText } from '../yaml/file-text.ts';
import { fileValueOf, type ProfileDraft } from './edit.ts';
import { readRpkSection } from './rpk-layout.ts';
import { withoutMark } from './sandbox-mark.ts';

/** The result of importing an rpk.yaml. */
export interface RpkImport {
  readonly profiles: readonly ProfileDraft[];
  /** The profile that is selected in the rpk.yaml. */
  readonly current: string | undefined;
  /** The parts that could not be imported, one line each. */
  readonly lost: readonly string[];
}

/** The newest supported version of rpk.yaml. */
const newestVersion = 6;

/** A map in the file, read field by field. */
interface Section {
  text(key: string): string | undefined;
  map(key: string): Section | undefined;
  list(key: string): readonly Section[];
  has(key: string): boolean;
  readonly node: YAMLMap;
}

interface Import {
  readonly file: YamlFile;
  readonly root: Section;
  readonly lost: string[];
}

/**
 * Converts an rpk.yaml, or the output of `rpk profile print`, to weir profiles: every profile with its connection options, the settings for all profiles
 * and the cloud client credentials.
 * @throws CliError if the file cannot be read
 */
export async function importRpk(path: string): Promise<RpkImport> {
  const content = await readNamedText(path);
  if (content === undefined)
    throw configError(`unable to read ${path}: ${noSuchFile}`, {
      target: path,
      hints: ['specify it with --from-rpk=FILE'],
    });
  const file = await parseYaml(path, content.text);
  const contents = file.valueOf(file.document.contents);
  if (!file.yaml.isMap(contents)) throw configError(`${path}:1: this is not an rpk.yaml`, { target: path });
  const root = sectionOf(file, contents);
  const work: Import = { file, root, lost: versionLoss(path, root.text('version')) };
  const globals = readGlobals(work);
  // What `rpk profile print` prints is one profile alone.
  const isAlone = isRpkProfile(contents.items.map(({ key }) => String(file.yaml.isScalar(key) ? key.value : '')));
  const nodes = isAlone ? [root] : root.list('profiles');
  const profiles = nodes.flatMap((profile) => readProfile(work, profile, { globals, isAlone }));
  noteTokens(work);
  const lonely = new Map([...globals, ...cloudOptions(work, undefined)]);
  if (profiles.length === 0 && lonely.size > 0)
    return { profiles: [{ name: 'rpk', options: lonely }], current: 'rpk', lost: work.lost };
  const current = root.text('current_profile');
  return { profiles, current: profiles.some(({ name }) => name === current) ? current : undefined, lost: work.lost };
}

function sectionOf(file: YamlFile, node: YAMLMap): Section {
  const fields = new Map(fieldsOf(file, node, []).map((field) => [field.key, field]));
  const find = (key: string) => fields.get(key)?.value;
  return {
    node,
    has: (key) => find(key) !== undefined,
    text(key) {
      const value = find(key);
      const text = value === undefined ? undefined : textOf(file, value);
      return text === '' ? undefined : text;
    },
    map(key) {
      const value = find(key);
      return file.yaml.isMap(value) ? sectionOf(file, value) : undefined;
    },
    list(key) {
      const value = find(key);
      if (!file.yaml.isSeq(value)) return [];
      const items = value.items.map((item) => file.valueOf(item));
      return items.filter((item) => file.yaml.isMap(item)).map((item) => sectionOf(file, item));
    },
  };
}

/** What may be lost of a file that is newer than weir. @throws CliError if the version is no number */
function versionLoss(path: string, version: string | undefined): string[] {
  if (version === undefined) return [];
  if (!/^[1-9]\d*$/.test(version)) throw configError(`${path}: invalid version ${excerpt(version)}`, { target: path });
  if (Number(version) <= newestVersion) return [];
  return [`keys that version ${version} of rpk.yaml may have added: weir knows the versions up to ${newestVersion}`];
}

const globalKeys: readonly (readonly [string, OptionKey])[] = [
  ['prompt', 'globals.prompt'],
  ['no_default_cluster', 'globals.no_default_cluster'],
  ['command_timeout', 'globals.command_timeout'],
  ['dial_timeout', 'globals.dial_timeout'],
  ['request_timeout_overhead', 'globals.request_timeout_overhead'],
  ['retry_timeout', 'globals.retry_timeout'],
  ['fetch_max_wait', 'globals.fetch_max_wait'],
  ['kafka_protocol_request_client_id', 'globals.streaming_protocol_request_client_id'],
];

/** The secrets that rpk leaves out of what it prints. */
const secrets: readonly (readonly [OptionKey, what: string])[] = [
  ['pass', 'password'],
  ['oauth.token', 'token'],
];

/** Reads the settings for all profiles; rpk writes "not set" as `0s`, `false` or an empty text. */
function readGlobals(work: Import): ReadonlyMap<OptionKey, FileValue> {
  const globals = work.root.map('globals');
  const options = new Map<OptionKey, FileValue>();
  for (const [name, key] of globalKeys) {
    const text = globals?.text(name);
    if (text !== undefined && text !== '0s' && text !== '0' && text !== 'false')
      carry(work, options, [key, text, `globals.${name}`]);
  }
  return options;
}

/** Puts a text into `options` if the option's kind can parse it, and records it as lost otherwise. */
function carry(
  { file, lost }: Import,
  options: Map<OptionKey, FileValue>,
  [key, text, place]: readonly [OptionKey, string, string],
): void {
  const draft = newDraft('profile');
  putText(draft, key, text, `${file.path} (${place})`);
  const entry = draft.entries.get(key);
  if (entry !== undefined) options.set(key, fileValueOf(key, entry.value));
  lost.push(...draft.errors.map(({ message }) => message));
}

function readProfile(
  work: Import,
  section: Section,
  { globals, isAlone }: { readonly globals: ReadonlyMap<OptionKey, FileValue>; readonly isAlone: boolean },
): readonly ProfileDraft[] {
  const name = section.text('name') ?? (isAlone ? 'rpk' : undefined);
  if (name === undefined) {
    work.lost.push(`${work.file.path}:${work.file.lineOf(section.node)}: a profile without a name`);
    return [];
  }
  const draft = newDraft('profile');
  readRpkSection(work.file, section.node, draft, (line) => `${work.file.path}:${line} (profile ${excerpt(name)})`);
  if (isCloudLogin(section)) dropLogin(draft);
  work.lost.push(...draft.errors.map(({ message }) => message));
  const options = new Map(globals);
  for (const [key, { value }] of draft.entries) if (value !== '') options.set(key, fileValueOf(key, value));
  for (const [key, what] of secrets) {
    if (options.get(key) !== '[REDACTED]') continue;
    options.delete(key);
    work.lost.push(
      `profile ${excerpt(name)}: the ${what}, which rpk does not print; set it with: weir profile set ${key}`,
    );
  }
  const prompt = section.text('prompt');
  if (prompt !== undefined) options.set('globals.prompt', prompt);
  for (const [key, value] of cloudOptions(work, section.map('cloud_cluster'))) options.set(key, value);
  noteLosses(work, section, name, options);
  return [{ name, description: withoutMark(section.text('description')), options }];
}

/** Whether the profile logs in to its brokers with the token of rpk's login to the cloud. */
function isCloudLogin(section: Section): boolean {
  return section.map('kafka_api')?.map('sasl')?.text('mechanism') === 'CLOUD-OIDC';
}

/** Leaves out rpk's token, which only rpk renews. */
function dropLogin({ entries, errors }: Draft): void {
  for (const key of ['user', 'pass'] as const) entries.delete(key);
  errors.splice(0, errors.length, ...errors.filter(({ target }) => target !== 'sasl.mechanism'));
}

/** The client credentials of the login record that a profile or the file refers to. */
function cloudOptions({ root }: Import, cluster: Section | undefined): ReadonlyMap<OptionKey, FileValue> {
  const organization = cluster?.text('auth_org_id') ?? root.text('current_cloud_auth_org_id');
  const kind = cluster?.text('auth_kind') ?? root.text('current_cloud_auth_kind');
  const logins = root.list('cloud_auth');
  const login = logins.find((item) => item.text('org_id') === organization && item.text('kind') === kind);
  const id = login?.text('client_id');
  const secret = login?.text('client_secret');
  if (id === undefined || secret === undefined) return new Map();
  return new Map<OptionKey, FileValue>([
    ['cloud.client_id', id],
    ['cloud.client_secret', secret],
  ]);
}

function noteLosses(
  { lost }: Import,
  section: Section,
  name: string,
  options: ReadonlyMap<OptionKey, FileValue>,
): void {
  const profile = `profile ${excerpt(name)}`;
  const cluster = section.map('cloud_cluster');
  if (cluster !== undefined)
    lost.push(
      `${profile}: the login to the cloud cluster it was created from; run: weir cloud login, and then: weir cloud cluster select ${cluster.text('cluster_id') ?? ''}`.trimEnd(),
    );
  if (options.has('brokers') && !options.has('admin.hosts'))
    lost.push(
      `${profile}: the Admin API address, which rpk derives from the brokers and weir does not: set admin.hosts`,
    );
}

function noteTokens({ root, lost }: Import): void {
  for (const login of root.list('cloud_auth')) {
    if (!login.has('auth_token') && !login.has('refresh_token')) continue;
    const name = excerpt(login.text('name') ?? login.text('org_id') ?? 'without a name');
    lost.push(`cloud login ${name}: the token; log in again with: weir cloud login`);
  }
}
