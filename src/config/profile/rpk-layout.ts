import type { Node, YAMLMap } from 'yaml';
import type { OptionKey } from '../options.ts';
import type { Draft } from '../resolve/layer.ts';
import { type Origin, putNode } from '../resolve/option-map.ts';
import { type Field, fieldsOf, type YamlFile } from '../yaml/file.ts';

interface Section {
  readonly file: YamlFile;
  readonly draft: Draft;
  readonly origin: Origin;
}

type TlsPrefix = '' | 'admin.' | 'registry.';

/**
 * Reads connection options in rpk's layout, which is used by rpk profiles and by the `rpk` section of a broker
 * configuration file. Unknown keys belong to rpk and are ignored.
 */
export function readRpkSection(file: YamlFile, map: YAMLMap, draft: Draft, origin: Origin): void {
  const section: Section = { file, draft, origin };
  const fields = readFields(section, map);
  const kafka = readFields(section, fields.get('kafka_api')?.value);
  const admin = readFields(section, fields.get('admin_api')?.value);
  const registry = readFields(section, fields.get('schema_registry')?.value);
  put(section, 'brokers', kafka.get('brokers'));
  put(section, 'admin.hosts', admin.get('addresses'));
  put(section, 'registry.hosts', registry.get('addresses'));
  // Early files had one `tls` for all three APIs and one `sasl` for the brokers, directly in the section.
  readTls(section, '', kafka.get('tls') ?? fields.get('tls'));
  readTls(section, 'admin.', admin.get('tls') ?? fields.get('tls'));
  readTls(section, 'registry.', registry.get('tls') ?? fields.get('tls'));
  readSasl(section, kafka.get('sasl') ?? fields.get('sasl'));
}

/** A section turns TLS on, even if it is empty, unless it contains `enabled: false`. */
function readTls(section: Section, prefix: TlsPrefix, field: Field | undefined): void {
  if (!section.file.yaml.isMap(field?.value)) return;
  const fields = readFields(section, field.value);
  const enabled = fields.get('enabled');
  if (enabled?.value !== undefined) put(section, `${prefix}tls.enabled`, enabled);
  else section.draft.entries.set(`${prefix}tls.enabled`, { value: true, origin: section.origin(field.line) });
  put(section, `${prefix}tls.insecure_skip_verify`, fields.get('insecure_skip_verify'));
  put(section, `${prefix}tls.ca`, fields.get('ca_file') ?? fields.get('truststore_file'));
  put(section, `${prefix}tls.cert`, fields.get('cert_file'));
  put(section, `${prefix}tls.key`, fields.get('key_file'));
}

function readSasl(section: Section, field: Field | undefined): void {
  const fields = readFields(section, field?.value);
  put(section, 'user', fields.get('user'));
  put(section, 'pass', fields.get('password'));
  const mechanism = fields.get('mechanism') ?? fields.get('type');
  if (!isEmpty(section.file, mechanism?.value)) put(section, 'sasl.mechanism', mechanism);
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
