import type { Node, YAMLMap } from 'yaml';
import type { Draft } from '../layer.ts';
import { type Origin, putNode } from '../option-map.ts';
import type { OptionKey } from '../options.ts';
import { isRpkProfile, rpkApis, rpkToken, saslKeys, tlsKeys } from '../rpk-paths.ts';
import { type Field, fieldsOf, type YamlFile, type YamlTree } from '../yaml/file.ts';

interface Section {
  readonly file: YamlFile;
  readonly draft: Draft;
  readonly origin: Origin;
}

type TlsPrefix = (typeof rpkApis)[number][3];

/** Whether the root of a file has what only an rpk.yaml has: profiles in rpk's layout, or logins of the cloud. */
export function isRpkFile(tree: YamlTree, fields: readonly Field[]): boolean {
  const { yaml } = tree;
  const find = (name: string) => fields.find(({ key }) => key === name)?.value;
  if (['cloud_auth', 'current_cloud_auth_org_id', 'globals'].some((key) => find(key) !== undefined)) return true;
  const profiles = find('profiles');
  const first = yaml.isSeq(profiles) ? tree.valueOf(profiles.items[0]) : undefined;
  return (
    yaml.isMap(first) && first.items.some(({ key }) => isRpkProfile([String(yaml.isScalar(key) ? key.value : '')]))
  );
}

/**
 * Reads connection options in rpk's layout, which is used by rpk profiles and by the `rpk` section of a broker
 * configuration file. Unknown keys belong to rpk and are ignored.
 */
export function readRpkSection(file: YamlFile, map: YAMLMap, draft: Draft, origin: Origin): void {
  const section: Section = { file, draft, origin };
  const fields = readFields(section, map);
  for (const [name, addresses, key, prefix] of rpkApis) {
    const api = readFields(section, fields.get(name)?.value);
    put(section, key, api.get(addresses));
    // Early files had one `tls` for all three APIs and one `sasl` for the brokers, directly in the section.
    readTls(section, prefix, api.get('tls') ?? fields.get('tls'));
    if (name === 'kafka_api') readSasl(section, api.get('sasl') ?? fields.get('sasl'));
  }
}

/** A section turns TLS on, even if it is empty, unless it contains `enabled: false`. */
function readTls(section: Section, prefix: TlsPrefix, field: Field | undefined): void {
  if (!section.file.yaml.isMap(field?.value)) return;
  const fields = readFields(section, field.value);
  if (fields.get('enabled')?.value === undefined)
    section.draft.entries.set(`${prefix}tls.enabled`, { value: true, origin: section.origin(field.line) });
  // The early spellings come last, and the first one that is there counts.
  for (const [name, key] of tlsKeys.toReversed()) put(section, `${prefix}${key}`, fields.get(name));
}

function readSasl(section: Section, field: Field | undefined): void {
  const fields = readFields(section, field?.value);
  for (const [name, key] of saslKeys.toReversed()) {
    const value = fields.get(name);
    if (key !== 'sasl.mechanism' || !isEmpty(section.file, value?.value)) put(section, key, value);
  }
  moveToken(section.draft);
}

/** With OAUTHBEARER, the password is a token, with or without a prefix. */
function moveToken({ entries }: Draft): void {
  const pass = entries.get('pass');
  if (pass === undefined || entries.get('sasl.mechanism')?.value !== 'OAUTHBEARER') return;
  entries.delete('pass');
  entries.set('oauth.token', { ...pass, value: String(pass.value).replace(rpkToken, '') });
}

function isEmpty({ yaml }: YamlFile, node: Node | undefined): boolean {
  return yaml.isScalar(node) && node.value === '';
}

function put({ file, draft, origin }: Section, key: OptionKey, field: Field | undefined): void {
  if (field?.value === undefined) return;
  // rpk writes an empty list for "not set".
  if (file.yaml.isSeq(field.value) && field.value.items.length === 0) return;
  putNode(file, field.value, draft, [key, origin(field.line)]);
}

function readFields({ file, draft }: Section, value: unknown): ReadonlyMap<string, Field> {
  if (!file.yaml.isMap(value)) return new Map();
  return new Map(fieldsOf(file, value, draft.errors).map((field) => [field.key, field]));
}
