import { addresses, boolean, duration, text, url } from '../kinds.ts';
import { mechanism, type Option, row, tlsRows } from './option-row.ts';

export type { Option, OptionApi } from './option-row.ts';

const second = 1_000_000_000n;
const [kafka, admin, registry, cloud] = [['kafka'], ['admin'], ['registry'], ['cloud']] as const;

/** What weir adds for the control plane. */
const ofWeir = { apis: cloud, extension: true } as const;

/** Every `-X` option, in the order in which they are listed. */
export const options = [
  row({
    key: 'brokers',
    kind: addresses({ defaultPort: 9092, scheme: 'none' }),
    fallback: [{ host: 'localhost', port: 9092 }],
    example: 'b1.example:9092,b2.example:9092',
    help: 'Seed brokers of the broker data API, separated by commas. A missing port is 9092.',
    apis: kafka,
  }),
  ...tlsRows('', kafka, 'the brokers'),
  row({
    key: 'sasl.mechanism',
    kind: mechanism,
    fallback: '',
    example: 'SCRAM-SHA-512',
    help: 'SASL mechanism for brokers and Admin API (SCRAM-SHA-256 if there is a user). Empty on the command line: no SASL.',
    apis: ['kafka', 'admin'],
  }),
  row({
    key: 'user',
    kind: text,
    fallback: '',
    example: 'alice',
    help: 'SASL user for the brokers; also the basic authentication of Admin API and schema registry. Empty: no authentication.',
    apis: ['kafka', 'admin', 'registry'],
  }),
  row({
    key: 'pass',
    kind: text,
    fallback: '',
    example: 'a-long-password',
    help: 'Password of user.',
    apis: ['kafka', 'admin', 'registry'],
    secret: true,
  }),
  row({
    key: 'admin.hosts',
    kind: addresses({ defaultPort: 9644, scheme: 'http' }),
    fallback: [{ host: 'localhost', port: 9644 }],
    example: 'b1.example:9644,b2.example:9644',
    help: 'Addresses of the Admin API, separated by commas. A missing port is 9644; http:// or https:// may stand in front.',
    apis: admin,
  }),
  ...tlsRows('admin.', admin, 'the Admin API'),
  row({
    key: 'registry.hosts',
    kind: addresses({ defaultPort: 8081, scheme: 'http' }),
    fallback: [{ host: 'localhost', port: 8081 }],
    example: 'https://registry.example/v1',
    help: 'Addresses of the schema registry, separated by commas. A missing port is 8081; a scheme and a path are kept.',
    apis: registry,
  }),
  ...tlsRows('registry.', registry, 'the schema registry'),
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
    kind: text,
    fallback: '',
    example: 'my-client-secret',
    help: 'OAuth client secret for the control plane.',
    apis: cloud,
    secret: true,
  }),
  row({
    key: 'globals.prompt',
    kind: text,
    fallback: 'bg-red "%n"',
    example: 'hi-white, bg-blue, bold, "[%n]"',
    help: 'Format of the text that "profile prompt" prints for a shell prompt.',
  }),
  row({
    key: 'globals.no_default_cluster',
    kind: boolean,
    fallback: false,
    example: 'true',
    help: 'Do not fall back to localhost when no addresses are given.',
  }),
  row({
    key: 'globals.command_timeout',
    kind: duration,
    fallback: 30n * second,
    example: '1m30s',
    help: 'Longest time of a whole command. Streams, editors and long-running operations are not counted.',
  }),
  row({
    key: 'globals.dial_timeout',
    kind: duration,
    fallback: 3n * second,
    example: '5s',
    help: 'Longest time to establish one connection: name lookup, TCP and TLS together.',
  }),
  row({
    key: 'globals.request_timeout_overhead',
    kind: duration,
    fallback: 10n * second,
    example: '15s',
    help: 'How long to wait for an answer, on top of any timeout inside the request.',
  }),
  row({
    key: 'globals.retry_timeout',
    kind: duration,
    fallback: 30n * second,
    example: '1m',
    help: 'How long requests to the brokers are retried. Checked before each backoff.',
  }),
  row({
    key: 'globals.fetch_max_wait',
    kind: duration,
    fallback: 5n * second,
    example: '500ms',
    help: 'Longest time a broker waits for data before it answers a fetch.',
  }),
  row({
    key: 'globals.streaming_protocol_request_client_id',
    kind: text,
    fallback: 'weir',
    example: 'billing-report',
    help: "Client id in requests to the brokers; seen in the brokers' logs and metrics.",
  }),
  row({
    key: 'cloud.api_url',
    kind: url,
    fallback: 'https://api.redpanda.com',
    example: 'https://api.example.com',
    help: 'Base URL of the control plane API.',
    ...ofWeir,
  }),
  row({
    key: 'cloud.auth_url',
    kind: url,
    fallback: 'https://auth.prd.cloud.redpanda.com',
    example: 'https://auth.example.com',
    help: 'Base URL of the server that hands out control plane tokens.',
    ...ofWeir,
  }),
  row({
    key: 'cloud.audience',
    kind: text,
    fallback: 'cloudv2-production.redpanda.cloud',
    example: 'cloud.example.com',
    help: 'Audience that a control plane token is asked for.',
    ...ofWeir,
  }),
  row({
    key: 'cloud.legacy_url',
    kind: url,
    fallback: 'https://cloud-api.prd.cloud.redpanda.com',
    example: 'https://cloud-api.example.com',
    help: 'Base URL of the older cloud API, which knows the versions of the BYOC plugin.',
    ...ofWeir,
  }),
  row({
    key: 'cloud.insecure_http',
    kind: boolean,
    fallback: false,
    example: 'true',
    help: 'Allow http:// to other machines. Tokens and client secrets are then sent unencrypted; for tests only.',
    ...ofWeir,
  }),
  row({
    key: 'cloud.device_client_id',
    kind: text,
    fallback: '',
    example: 'Zk3h5s8VQ2pYb1',
    help: 'Public client that people log in to the control plane with, through a browser. Weir has none of its own.',
    ...ofWeir,
  }),
] as const;

type Options = (typeof options)[number];

/** The key of an option, for example `tls.enabled`. */
export type OptionKey = Options['key'];

/** What an option's value is in code, for example `boolean` for `tls.enabled`. */
export type OptionValue<K extends OptionKey> = Extract<Options, { key: K }>['fallback'];

const byKey: ReadonlyMap<string, Options> = new Map(options.map((option) => [option.key, option]));

/** All keys in the table's order. */
export const optionKeys: readonly OptionKey[] = options.map((option) => option.key);

/** Whether `text` is the key of an option, in lower case as in the table. */
export function isOptionKey(text: string): text is OptionKey {
  return byKey.has(text);
}

/** The row of a known `key`. */
export function optionOf(key: OptionKey): Option<OptionKey> {
  const option = byKey.get(key);
  if (option === undefined) throw new Error(`the option table has no row ${key}`);
  return option;
}

/** The environment variable of an option: the key in upper case, periods as underscores, after `WEIR_`. */
export function envName(key: OptionKey): string {
  return `WEIR_${key.toUpperCase().replaceAll('.', '_')}`;
}

/** A value as text, as it is typed after `=`. */
export function showValue(key: OptionKey, value: unknown): string {
  return value === '' ? '' : optionOf(key).kind.show(value);
}

/** A value as it stands in JSON: addresses as a list of texts, booleans as such, the rest as text. */
export function jsonValue(key: OptionKey, value: unknown): unknown {
  const { kind } = optionOf(key);
  return kind.json === undefined ? showValue(key, value) : kind.json(value);
}
