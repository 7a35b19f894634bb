import { boolean, commandLine, type Kind, oneOf, path, secretText, serverName, text } from '../kinds.ts';

/** One of the four APIs that options apply to. */
export type OptionApi = 'kafka' | 'admin' | 'registry' | 'cloud';

/** One row of the option table: the single definition of an option. */
export interface Option<K extends string = string, T = unknown> {
  readonly key: K;
  readonly kind: Kind<T>;
  /** The value if no source sets one. */
  readonly fallback: T;
  /** A value as typed on the command line. */
  readonly example: string;
  /** One or two sentences; the first one must make sense on its own. */
  readonly help: string;
  /** The APIs that the option applies to; empty for options of weir itself. */
  readonly apis: readonly OptionApi[];
  /** Whether the value is hidden unless the user asks to see secrets. */
  readonly secret: boolean;
}

interface Row<K extends string, T, S extends boolean> {
  readonly key: K;
  readonly kind: Kind<T>;
  readonly fallback: T;
  readonly example: string;
  readonly help: string;
  readonly apis?: readonly OptionApi[];
  readonly secret?: S;
}

/** Fills in the defaults of a table row. The table knows from the type which rows are secret. */
export function row<const K extends string, T, const S extends boolean = false>(
  spec: Row<K, T, S>,
): Option<K, T> & { readonly secret: S } {
  // Without it, S is false.
  const secret = (spec.secret ?? false) as S;
  return { ...spec, apis: spec.apis ?? [], secret };
}

/** The credentials of one API, if they are not those of the brokers; `whom` names the API in the help. */
export function credentialRows<const P extends string>(api: P, apis: readonly OptionApi[], whom: string) {
  const common = { kind: text, fallback: '', apis } as const;
  return [
    row({
      key: `${api}.user`,
      ...common,
      example: `${api}-key`,
      help: `Basic authentication user for ${whom} (default user). Requires ${api}.pass. An empty value sends no credentials.`,
    }),
    row({
      key: `${api}.pass`,
      ...common,
      kind: secretText,
      example: 'a-long-password',
      help: `Password for ${whom} (default pass, unless ${api}.user is set).`,
      secret: true,
    }),
    row({
      key: `${api}.token`,
      ...common,
      kind: secretText,
      example: 'a-long-token',
      help: `Bearer token for ${whom}, instead of a user and a password.`,
      secret: true,
    }),
  ] as const;
}

/** The ways to give a secret option its value without the value itself, as the last parts of their keys. */
export const secretWays = ['command', 'file', 'keychain'] as const;

/** A way to give a secret option its value without the value itself. */
export type SecretWay = (typeof secretWays)[number];

/** The rows of the other ways to give a secret option its value. */
export function secretRows<const K extends string>(key: K, apis: readonly OptionApi[]) {
  const common = { fallback: '', apis } as const;
  return [
    row({
      key: `${key}.command`,
      kind: commandLine,
      ...common,
      example: 'op read op://work/kafka/password',
      help: `Command that prints the value of ${key}. It is split into words like a shell line and runs without a shell.`,
    }),
    row({
      key: `${key}.file`,
      kind: path,
      ...common,
      example: '/run/secrets/kafka',
      help: `File with the value of ${key}, read for each sign-in.`,
    }),
    row({
      key: `${key}.keychain`,
      kind: text,
      ...common,
      example: `prod/${key}`,
      help: `Entry in the keychain of the system that holds the value of ${key}. Store it with: weir profile set ${key} --keychain.`,
    }),
  ] as const;
}

/** A kind that also takes the empty value, which overrides lower sources. */
export function orEmpty<T extends string>(kind: Kind<T>): Kind<'' | T> {
  return { ...(kind as Kind<'' | T>), parse: (text) => (text === '' ? '' : kind.parse(text)) };
}

/** The kind of `sasl.mechanism`. An empty value turns SASL off for one command. */
export const mechanism = orEmpty(
  oneOf('SASL mechanism', ['SCRAM-SHA-256', 'SCRAM-SHA-512', 'PLAIN', 'OAUTHBEARER', 'AWS_MSK_IAM']),
);

/** The five TLS options that all clients have of one API; `whom` names the API in the help. */
export function tlsRows<const P extends string>(prefix: P, apis: readonly OptionApi[], whom: string) {
  return [
    row({
      key: `${prefix}tls.enabled`,
      kind: boolean,
      fallback: false,
      example: 'true',
      apis,
      help: `Use TLS for connections to ${whom}. Setting ${prefix}tls.ca, .cert or .key also turns it on.`,
    }),
    ...tlsFileRows(prefix, apis, whom),
  ] as const;
}

/** The TLS options for addresses whose scheme says whether they use TLS. */
export function tlsFileRows<const P extends string>(prefix: P, apis: readonly OptionApi[], whom: string) {
  const files = { kind: path, fallback: '', apis };
  return [
    row({
      key: `${prefix}tls.insecure_skip_verify`,
      kind: boolean,
      fallback: false,
      example: 'true',
      apis,
      help: `Do not verify the certificate chain of ${whom}. For tests only; does not turn TLS on.`,
    }),
    row({
      key: `${prefix}tls.ca`,
      ...files,
      example: '/etc/ssl/weir/ca.pem',
      help: `PEM file with the CA certificates to trust for ${whom}. It replaces the system's CA certificates.`,
    }),
    row({
      key: `${prefix}tls.cert`,
      ...files,
      example: '/etc/ssl/weir/client.pem',
      help: `PEM file with the client certificate for mTLS to ${whom}. Requires ${prefix}tls.key.`,
    }),
    row({
      key: `${prefix}tls.key`,
      ...files,
      example: '/etc/ssl/weir/client.key',
      help: `PEM file with the client key for mTLS to ${whom}. Requires ${prefix}tls.cert.`,
    }),
  ] as const;
}

/** The name in the certificates of one API. */
export function serverNameRow<const P extends string>(prefix: P, apis: readonly OptionApi[], whom: string) {
  return row({
    key: `${prefix}tls.server_name`,
    kind: serverName,
    fallback: '',
    example: 'kafka.internal.example',
    apis,
    help: `Host name to expect in the certificates of ${whom}, if it is not that of the address, for example through a tunnel.`,
  });
}
