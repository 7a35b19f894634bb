import { boolean, type Kind, oneOf, path, serverName } from '../kinds.ts';

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
  /** Whether the option is specific to weir and not part of the platform's common options. */
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

/** Fills in the defaults of a table row. */
export function row<const K extends string, T>(spec: Row<K, T>): Option<K, T> {
  return { ...spec, apis: spec.apis ?? [], secret: spec.secret ?? false, extension: spec.extension ?? false };
}

type Mechanism = 'SCRAM-SHA-256' | 'SCRAM-SHA-512' | 'PLAIN';
const mechanisms: Kind<Mechanism> = oneOf('SASL mechanism', ['SCRAM-SHA-256', 'SCRAM-SHA-512', 'PLAIN']);
/** The kind of `sasl.mechanism`. An empty value overrides lower sources, which turns SASL off for one command. */
export const mechanism: Kind<'' | Mechanism> = {
  ...(mechanisms as Kind<'' | Mechanism>),
  parse: (text) => (text === '' ? '' : mechanisms.parse(text)),
};

/** The five TLS options that all clients have of one API; `whom` names the API in the help. */
export function tlsRows<const P extends string>(prefix: P, apis: readonly OptionApi[], whom: string) {
  const switches = { kind: boolean, fallback: false, example: 'true', apis };
  const files = { kind: path, fallback: '', apis };
  return [
    row({
      key: `${prefix}tls.enabled`,
      ...switches,
      help: `Use TLS for connections to ${whom}. Setting ${prefix}tls.ca, .cert or .key also turns it on.`,
    }),
    row({
      key: `${prefix}tls.insecure_skip_verify`,
      ...switches,
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

/** The name in the certificates of one API, a TLS option that is weir's own. */
export function serverNameRow<const P extends string>(prefix: P, apis: readonly OptionApi[], whom: string) {
  return row({
    key: `${prefix}tls.server_name`,
    kind: serverName,
    fallback: '',
    example: 'kafka.internal.example',
    apis,
    extension: true,
    help: `Name that the certificates of ${whom} must be for, if they are reached under another one, as through a tunnel.`,
  });
}
