import { isOptionKey, type OptionKey } from './options.ts';

/** The three APIs in rpk's layout: the section, its key of the addresses, and the prefix of weir's options. */
export const rpkApis = [
  ['kafka_api', 'brokers', 'brokers', ''],
  ['admin_api', 'addresses', 'admin.hosts', 'admin.'],
  ['schema_registry', 'addresses', 'registry.hosts', 'registry.'],
] as const;

/** The keys of a section `tls`; the last one is an early spelling. */
export const tlsKeys = [
  ['enabled', 'tls.enabled'],
  ['insecure_skip_verify', 'tls.insecure_skip_verify'],
  ['ca_file', 'tls.ca'],
  ['cert_file', 'tls.cert'],
  ['key_file', 'tls.key'],
  ['truststore_file', 'tls.ca'],
] as const;

/** The keys of the section `sasl` of the brokers; the last one is an early spelling. */
export const saslKeys = [
  ['user', 'user'],
  ['password', 'pass'],
  ['mechanism', 'sasl.mechanism'],
  ['type', 'sasl.mechanism'],
] as const;

/** What precedes an OAuth token that is given as the password. */
export const rpkToken = /^token:/;

/** The settings for all profiles whose names differ from those of weir's options `globals.…`. */
const renamedGlobals = [
  ['globals.kafka_protocol_request_client_id', 'globals.streaming_protocol_request_client_id'],
] as const;

/** The options by their paths in rpk's files, which `rpk profile set` takes as well as the keys of options. */
export const rpkPaths: ReadonlyMap<string, OptionKey> = new Map([
  ...rpkApis.flatMap(([section, addresses, key, prefix]): (readonly [string, OptionKey])[] => [
    [`${section}.${addresses}`, key],
    ...tlsKeys.map(([name, option]) => [`${section}.tls.${name}`, `${prefix}${option}`] as const),
  ]),
  ...saslKeys.map(([name, option]) => [`kafka_api.sasl.${name}`, option] as const),
  ...renamedGlobals,
]);

/** The keys that only a profile in rpk's layout has. */
const rpkOnly: ReadonlySet<string> = new Set([...rpkApis.map(([section]) => section), 'from_cloud', 'cloud_cluster']);

/** Whether a map with these keys is a profile as rpk prints and stores it. */
export function isRpkProfile(keys: readonly string[]): boolean {
  return keys.some((key) => rpkOnly.has(key));
}

/** The option that a word of `profile set` names, and the item of its list, if the word names one. */
export interface SettingKey {
  readonly key: OptionKey;
  readonly index?: number;
}

/** The option of a key in any case, of a path in rpk's files, such as `kafka_api.brokers[0]`, or of `prompt`. */
export function settingKeyOf(word: string): SettingKey | undefined {
  const [, name = '', digits] = /^([^[]*)(?:\[(\d{1,3})\])?$/.exec(word.toLowerCase()) ?? [];
  const path = name === 'prompt' ? 'globals.prompt' : name;
  const key = isOptionKey(path) ? path : rpkPaths.get(path);
  if (key === undefined) return undefined;
  return digits === undefined ? { key } : { key, index: Number(digits) };
}
