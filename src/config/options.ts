import { addresses, boolean, duration, type Kind, oneOf, path, text, url } from '../kinds.ts';

/** One of the four APIs an option is about. */
export type OptionApi = 'kafka' | 'admin' | 'registry' | 'cloud';

/** One option: the only place where it is written down. */
export interface Option<K extends string = string, T = unknown> {
  readonly key: K;
  readonly kind: Kind<T>;
  /** The value when no source gives one. */
  readonly fallback: T;
  /** A value as one would type it. */
  readonly example: string;
  /** One or two sentences, the first of which stands alone. */
  readonly help: string;
  /** The APIs it has a meaning for; none for what concerns weir itself. */
  readonly apis: readonly OptionApi[];
  /** Never shown unless asked for. */
  readonly secret: boolean;
  /** An option of weir's own, beside those every client of the platform has. */
  readonly extension: boolean;
}

interface Row<K extends string, T> {
  readonly key: K;
  readonly kind: Kind<T>;
  readonly fallback: T;
  readonly example: string;
  readonly help: string;
  readonly apis?: readonly OptionApi[];
  readonly secret?: true;
  readonly extension?: true;
}

function row<const K extends string, T>(spec: Row<K, T>): Option<K, T> {
  return { ...spec, apis: spec.apis ?? [], secret: spec.secret ?? false, extension: spec.extension ?? false };
}

const second = 1_000_000_000n;
const [kafka, admin, registry, cloud] = [['kafka'], ['admin'], ['registry'], ['cloud']] as const;

/** What weir adds for the control plane. */
const ofWeir = { apis: cloud, extension: true } as const;

const mechanism: Kind<'' | 'SCRAM-SHA-256' | 'SCRAM-SHA-512' | 'PLAIN'> = oneOf('SASL mechanism', [
  'SCRAM-SHA-256',
  'SCRAM-SHA-512',
  'PLAIN',
]);

/** The five TLS options of one API. */
function tlsRows<const P extends string>(prefix: P, apis: readonly OptionApi[], whom: string) {
  const switches = { kind: boolean, fallback: false, example: 'true', apis };
  const files = { kind: path, fallback: '', apis };
  return [
    row({
      key: `${prefix}tls.enabled`,
      ...switches,
      help: `Use TLS to ${whom}. A path in ${prefix}tls.ca, .cert or .key turns it on by itself.`,
    }),
    row({
      key: `${prefix}tls.insecure_skip_verify`,
      ...switches,
      help: `Do not verify the certificate chain of ${whom}; for tests only. Turns nothing on by itself.`,
    }),
    row({
      key: `${prefix}tls.ca`,
      ...files,
      example: '/etc/ssl/weir/ca.pem',
      help: `PEM file of the CA certificates that ${whom} must be signed by. It replaces the system's.`,
    }),
    row({
      key: `${prefix}tls.cert`,
      ...files,
      example: '/etc/ssl/weir/client.pem',
      help: `PEM file of the client certificate for mTLS to ${whom}. It needs ${prefix}tls.key.`,
    }),
    row({
      key: `${prefix}tls.key`,
      ...files,
      example: '/etc/ssl/weir/client.key',
      help: `PEM file of the client key for mTLS to ${whom}. It needs ${prefix}tls.cert.`,
    }),
  ] as const;
}

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
    help: 'SASL mechanism for brokers and Admin API. With a user and no mechanism it is SCRAM-SHA-256.',
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
