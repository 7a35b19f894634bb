/** TLS as configured: paths, read when the client is made. */
export interface TlsOptions {
  /** PEM file of the CA certificates; it replaces the system's. */
  readonly ca: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
  readonly insecureSkipVerify: boolean;
  /** The option keys' prefix for messages: `tls`, `admin.tls` or `registry.tls`. */
  readonly keyPrefix: string;
}
