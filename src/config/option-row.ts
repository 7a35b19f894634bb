import { boolean, type Kind, oneOf, path } from '../kinds.ts';

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

/** Fills in what a row of the table leaves out. */
export function row<const K extends string, T>(spec: Row<K, T>): Option<K, T> {
  return { ...spec, apis: spec.apis ?? [], secret: spec.secret ?? false, extension: spec.extension ?? false };
}

type Mechanism = 'SCRAM-SHA-256' | 'SCRAM-SHA-512' | 'PLAIN';
const mechanisms: Kind<Mechanism> = oneOf('SASL mechanism', ['SCRAM-SHA-256', 'SCRAM-SHA-512', 'PLAIN']);
/** The kind of `sasl.mechanism`; empty clears what a lower source says, so that SASL can be turned off for one command. */
export const mechanism: Kind<'' | Mechanism> = {
  ...(mechanisms as Kind<'' | Mechanism>),
  parse: (text) => (text === '' ? '' : mechanisms.parse(text)),
};

/** The five TLS options of one API. */
export function tlsRows<const P extends string>(prefix: P, apis: readonly OptionApi[], whom: string) {
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
