import { isAbsolute, resolve } from 'node:path';
import { addresses, boolean, duration, proxyUrl, secretText, text, url } from '../kinds.ts';
import { oauthRows } from './oauth-rows.ts';
import {
  credentialRows,
  mechanism,
  type Option,
  row,
  type SecretWay,
  secretRows,
  secretWays,
  serverNameRow,
  tlsRows,
} from './option-row.ts';

export type { Option, OptionApi, SecretWay } from './option-row.ts';

const second = 1_000_000_000n;
const [kafka, admin, registry, cloud] = [['kafka'], ['admin'], ['registry'], ['cloud']] as const;

/** The options that are written down; each secret one has further rows. */
const written = [
  row({
    key: 'brokers',
    kind: addresses({ defaultPort: 9092, scheme: 'none' }),
    fallback: [{ host: 'localhost', port: 9092 }],
    example: 'b1.example:9092,b2.example:9092',
    help: 'Comma-separated seed brokers of the Kafka API. The default port is 9092.',
    apis: kafka,
  }),
  ...tlsRows('', kafka, 'the brokers'),
  serverNameRow('', kafka, 'the brokers'),
  row({
    key: 'sasl.mechanism',
    kind: mechanism,
    fallback: '',
    example: 'SCRAM-SHA-256',
    help: 'SASL mechanism for brokers and Admin API (default SCRAM-SHA-256 if user is set). An empty value turns SASL off. OAUTHBEARER uses the oauth options instead of user and pass, and AWS_MSK_IAM an AWS identity (aws.profile).',
    apis: ['kafka', 'admin'],
  }),
  row({
    key: 'user',
    kind: text,
    fallback: '',
    example: 'alice',
    help: 'User for SASL with the brokers, and for basic authentication with the Admin API and the registry unless they have their own (registry.user). An empty value turns both off.',
    apis: ['kafka', 'admin', 'registry'],
  }),
  row({
    key: 'pass',
    kind: secretText,
    fallback: '',
    example: 'a-long-password',
    help: 'Password of the user.',
    apis: ['kafka', 'admin', 'registry'],
    secret: true,
  }),
  row({
    key: 'admin.hosts',
    kind: addresses({ defaultPort: 9644, scheme: 'http' }),
    fallback: [{ host: 'localhost', port: 9644 }],
    example: 'b1.example:9644,b2.example:9644',
    help: 'Comma-separated addresses of the Admin API, optionally with a scheme. The default port without one is 9644.',
    apis: admin,
  }),
  ...tlsRows('admin.', admin, 'the Admin API'),
  serverNameRow('admin.', admin, 'the Admin API'),
  ...credentialRows('admin', admin, 'the Admin API'),
  row({
    key: 'registry.hosts',
    kind: addresses({ defaultPort: 8081, scheme: 'http' }),
    fallback: [{ host: 'localhost', port: 8081 }],
    example: 'https://registry.example/v1',
    help: 'Comma-separated addresses of the schema registry. The default port is 8081; a scheme and a path are optional.',
    apis: registry,
  }),
  ...tlsRows('registry.', registry, 'the schema registry'),
  serverNameRow('registry.', registry, 'the schema registry'),
  ...credentialRows('registry', registry, 'the schema registry'),
  ...oauthRows,
  row({
    key: 'cloud.client_id',
    kind: text,
    fallback: '',
    example: 'my-client-id',
    help: 'OAuth client id for the control plane.',
    apis: cloud,
  }),
  row({
    key: 'cloud.client_secret',
    kind: secretText,
    fallback: '',
    example: 'my-client-secret',
    help: 'OAuth client secret for the control plane.',
    apis: cloud,
    secret: true,
  }),
  row({
    key: 'cloud.device_client_id',
    kind: text,
    fallback: '',
    example: 'Zk3h5s8VQ2pYb1',
    help: 'Public OAuth client with which people log in to the control plane in a browser. There is no default.',
    apis: cloud,
  }),
  row({
    key: 'cloud.api_url',
    kind: url,
    fallback: 'https://api.redpanda.com',
    example: 'https://api.example.com',
    help: 'Base URL of the control plane API.',
    apis: cloud,
  }),
  row({
    key: 'cloud.auth_url',
    kind: url,
    fallback: 'https://auth.prd.cloud.redpanda.com',
    example: 'https://auth.example.com',
    help: 'Base URL of the authorization server that issues control plane tokens.',
    apis: cloud,
  }),
  row({
    key: 'cloud.audience',
    kind: text,
    fallback: 'cloudv2-production.redpanda.cloud',
    example: 'cloud.example.com',
    help: 'Audience to request for control plane tokens.',
    apis: cloud,
  }),
  row({
    key: 'cloud.legacy_url',
    kind: url,
    fallback: 'https://cloud-api.prd.cloud.redpanda.com',
    example: 'https://cloud-api.example.com',
    help: 'Base URL of the older cloud API, which lists the versions of the BYOC plugin.',
    apis: cloud,
  }),
  row({
    key: 'cloud.insecure_http',
    kind: boolean,
    fallback: false,
    example: 'true',
    help: 'Allow http:// to other machines. For tests only: tokens and client secrets are sent unencrypted.',
    apis: cloud,
  }),
  row({
    key: 'globals.command_timeout',
    kind: duration,
    fallback: 30n * second,
    example: '1m30s',
    help: 'Time limit for the whole command; 0 means none. The default does not limit streams, prompts and waits for operations; a limit that is set does.',
  }),
  row({
    key: 'globals.dial_timeout',
    kind: duration,
    fallback: 3n * second,
    example: '5s',
    help: 'Time limit for opening one connection, including DNS lookup, TCP and TLS.',
  }),
  row({
    key: 'globals.request_timeout_overhead',
    kind: duration,
    fallback: 10n * second,
    example: '15s',
    help: 'How long to wait for a response, in addition to any timeout in the request itself.',
  }),
  row({
    key: 'globals.retry_timeout',
    kind: duration,
    fallback: 30n * second,
    example: '1m',
    help: 'How long failed requests are retried. The limit is checked before each backoff.',
  }),
  row({
    key: 'globals.fetch_max_wait',
    kind: duration,
    fallback: 5n * second,
    example: '500ms',
    help: 'How long a broker waits for data before it responds to a fetch request.',
  }),
  row({
    key: 'globals.proxy',
    kind: proxyUrl,
    fallback: '',
    example: 'socks5h://proxy.example:1080',
    help: 'Proxy for all connections except to this machine and hosts in no_proxy: socks5h://, socks5:// (resolves names locally), http:// or https://, with USER:PASSWORD@ if needed.',
  }),
  row({
    key: 'globals.no_default_cluster',
    kind: boolean,
    fallback: false,
    example: 'true',
    help: 'Do not fall back to localhost when no addresses are given.',
  }),
  row({
    key: 'globals.streaming_protocol_request_client_id',
    kind: text,
    fallback: 'weir',
    example: 'billing-report',
    help: "Client id in requests to the brokers, as shown in the brokers' logs and metrics.",
  }),
  row({
    key: 'globals.prompt',
    kind: text,
    fallback: 'bg-red "%n"',
    example: 'hi-white, bg-blue, bold, "[%n]"',
    help: 'Format of the shell prompt text that "profile prompt" prints.',
  }),
] as const;

type Written = (typeof written)[number];

/** The key of an option whose value is hidden. */
export type SecretKey = Extract<Written, { readonly secret: true }>['key'];

type WayKey = `${SecretKey}.${SecretWay}`;

/** The rows for the other ways to give each secret option its value. Each row has one of the keys. */
const ways = written.filter(isSecretRow).flatMap(({ key, apis }) => secretRows(key, apis)) as readonly {
  [K in WayKey]: Option<K, string>;
}[WayKey][];

function isSecretRow(option: Written): option is Extract<Written, { readonly secret: true }> {
  return option.secret;
}

/** All `-X` options, in the order in which they are listed. */
export const options: readonly (Written | (typeof ways)[number])[] = [...written, ...ways];

type Options = (typeof options)[number];

/** The key of an option, for example `tls.enabled`. */
export type OptionKey = Options['key'];

declare const sealed: unique symbol;

/** The value of a secret option. It is text, but only `Secrets` says so, to those that say who gets it. */
export interface Sealed {
  readonly [sealed]: true;
}

/** The type of an option's value, for example `boolean` for `tls.enabled`. */
export type OptionValue<K extends OptionKey> = K extends SecretKey ? Sealed : Extract<Options, { key: K }>['fallback'];

const byKey: ReadonlyMap<string, Options> = new Map(options.map((option) => [option.key, option]));

/** All keys, in the order of the table. */
export const optionKeys: readonly OptionKey[] = options.map((option) => option.key);

/** The keys of the secret options, in the order of the table. */
export const secretKeys: readonly SecretKey[] = written.filter(isSecretRow).map(({ key }) => key);

/** A secret option, and the way to give it its value that a key stands for. */
export interface SecretPart {
  readonly key: SecretKey;
  /** Undefined: the value itself. */
  readonly way: SecretWay | undefined;
}

const secretParts: ReadonlyMap<string, SecretPart> = new Map(
  secretKeys.flatMap((key): (readonly [string, SecretPart])[] => [
    [key, { key, way: undefined }],
    ...secretWays.map((way) => [`${key}.${way}`, { key, way }] as const),
  ]),
);

/** What a key says about a secret option: `pass`, `pass.command`; undefined for the key of another option. */
export function secretPartOf(key: string): SecretPart | undefined {
  return secretParts.get(key);
}

/** The keys that give a secret option its value: its own, and those of the other ways. */
export function keysOfSecret(key: SecretKey): readonly OptionKey[] {
  return [key, ...secretWays.map((way) => `${key}.${way}` as const)];
}

/** The keys of the settings: a secret is one setting, however its value is given. */
export const settingKeys: readonly OptionKey[] = optionKeys.filter((key) => secretPartOf(key)?.way === undefined);

/** The key of a way to give a secret option its value. */
export function wayKey(key: OptionKey, way: SecretWay): OptionKey {
  const secretKey = optionKeys.find((one) => one === `${key}.${way}`);
  if (secretKey === undefined) throw new Error(`${key} is not secret`);
  return secretKey;
}

/** Whether `text` is an option key, in lower case as in the table. */
export function isOptionKey(text: string): text is OptionKey {
  return byKey.has(text);
}

/** The table row of `key`. */
export function optionOf(key: OptionKey): Option<OptionKey> {
  const option = byKey.get(key);
  if (option === undefined) throw new Error(`the option table has no row ${key}`);
  return option;
}

/** Whether a value of the option is a secret, or can have one in it, as the URL of a proxy can. */
export function canHoldSecret(key: OptionKey): boolean {
  const { secret, kind } = optionOf(key);
  return secret || kind.masked !== undefined;
}

/** The text of an option, with a relative path made absolute; one in the home directory (`~/`) stays as it is. */
export function anchored(key: OptionKey, text: string, from: { readonly cwd: string }): string {
  if (optionOf(key).kind.completes !== 'file' || text === '' || text === '~' || text.startsWith('~/')) return text;
  // Only a relative path needs the working directory, which may have been deleted.
  return isAbsolute(text) ? text : resolve(from.cwd, text);
}

/** The environment variable of an option: `WEIR_` and the key in upper case with periods replaced by underscores. */
export function envName(key: string): string {
  return `WEIR_${key.toUpperCase().replaceAll('.', '_')}`;
}

/** A value as the text that is typed after `=`. */
export function showValue(key: OptionKey, value: unknown): string {
  return value === '' ? '' : optionOf(key).kind.show(value);
}

/** A value for JSON output: addresses as a list of strings, booleans, everything else as a string. */
export function jsonValue(key: OptionKey, value: unknown): unknown {
  const { kind } = optionOf(key);
  return kind.json === undefined ? showValue(key, value) : kind.json(value);
}
