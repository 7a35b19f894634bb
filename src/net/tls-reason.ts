/** Why a TLS connection failed, in plain words. */
export interface TlsReason {
  readonly reason: string;
  readonly hints: readonly string[];
}

/**
 * Translates the errors of Node.js and OpenSSL for a failed TLS connection.
 * @param server the type of the peer, for example `broker`
 * @returns undefined if the error is not about TLS
 */
export function tlsReason(error: unknown, keyPrefix: string, server: string): TlsReason | undefined {
  const code = codeOf(error);
  const text = error instanceof Error ? error.message : String(error);
  const ca = `specify the CA that signed it: -X ${keyPrefix}.ca=FILE`;
  const plaintext = withoutTls(keyPrefix);
  const client = `specify a client certificate that the ${server} trusts: -X ${keyPrefix}.cert=FILE -X ${keyPrefix}.key=FILE`;
  const cut = handshakeCut(keyPrefix, server);
  const rows: readonly (readonly [pattern: RegExp, reason: string, hints: readonly string[]])[] = [
    [/DEPTH_ZERO_SELF_SIGNED_CERT/, `the certificate of the ${server} is self-signed and not trusted`, [ca]],
    [/SELF_SIGNED_CERT_IN_CHAIN/, `the certificate of the ${server} is signed by a CA that is not trusted`, [ca]],
    [
      /UNABLE_TO_GET_ISSUER|UNABLE_TO_VERIFY_LEAF/,
      `the certificate of the ${server} is signed by a CA that is not trusted`,
      [ca],
    ],
    [
      /CERT_SIGNATURE_FAILURE|CERT_UNTRUSTED|INVALID_CA/,
      `the certificate of the ${server} is not signed by the given CA`,
      [ca],
    ],
    [
      /CERT_HAS_EXPIRED/,
      `the certificate of the ${server} has expired`,
      [`renew it on the ${server}, or check the clock of this machine`],
    ],
    [/CERT_NOT_YET_VALID/, `the certificate of the ${server} is not valid yet`, ['check the clock of this machine']],
    [/ERR_TLS_CERT_ALTNAME_INVALID/, altNameReason(error, server), altNameHints(error, keyPrefix, server)],
    [/CERTIFICATE_REQUIRED|BAD_CERTIFICATE|ALERT_NO_CERTIFICATE/, `the ${server} needs a client certificate`, [client]],
    [
      /ALERT_UNKNOWN_CA|CERTIFICATE_UNKNOWN|CERTIFICATE_EXPIRED|CERTIFICATE_REVOKED/,
      `the ${server} rejected the client certificate`,
      [client],
    ],
    [
      /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|INVALID_RECORD/,
      `the ${server} does not speak TLS on this port`,
      [plaintext],
    ],
    [/PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/, `the ${server} and weir have no TLS version in common`, []],
    [
      /HANDSHAKE_FAILURE/,
      `the ${server} rejected the handshake (no cipher in common, or a client certificate is missing)`,
      [client],
    ],
    [/before secure TLS connection/, cut.reason, cut.hints],
  ];
  const row = rows.find(([pattern]) => pattern.test(code) || pattern.test(text));
  if (row !== undefined) return { reason: row[1], hints: row[2] };
  return /^ERR_(?:SSL|TLS)|^ERR_OSSL|^CERT_|^CRL_/.test(code) ? { reason: `${code}: ${text}`, hints: [] } : undefined;
}

/** The hint for a port that does not use TLS. An issuer's address says whether it does. */
export function withoutTls(keyPrefix: string): string {
  if (keyPrefix === 'oauth.tls')
    return 'check the port; an issuer without TLS begins with http:// (oauth.issuer, oauth.token_url)';
  const off = `turn TLS off if the port does not use it: -X ${keyPrefix}.enabled=false`;
  if (keyPrefix === 'tls') return off;
  // The scheme of an address takes precedence over the option.
  return `${off}, and write http:// instead of https:// in ${keyPrefix.replace('.tls', '.hosts')}`;
}

/** The reason for a connection closed during the handshake: usually the peer has no TLS or requires a certificate. */
export function handshakeCut(keyPrefix: string, server: string): TlsReason {
  return {
    reason: `the ${server} closed the connection during the handshake`,
    hints: [
      withoutTls(keyPrefix),
      `specify a client certificate if the ${server} needs one: -X ${keyPrefix}.cert=FILE -X ${keyPrefix}.key=FILE`,
    ],
  };
}

/** Does not suggest the name in the certificate: with it, anyone who has a certificate of their own would be trusted. */
function altNameHints(error: unknown, keyPrefix: string, server: string): readonly string[] {
  if (namesOf(error) === undefined)
    return [
      `renew it on the ${server} with its host as a subject alternative name (SAN): the common name does not count`,
    ];
  return [
    'use an address whose host is in the certificate',
    `if the ${server} is meant to be reached under another name, as through a tunnel, set its own: -X ${keyPrefix}.server_name=NAME`,
  ];
}

function altNameReason(error: unknown, server: string): string {
  const { host } = error as { readonly host?: string };
  const names = namesOf(error);
  if (names === undefined) return `the certificate of the ${server} has no subject alternative name`;
  return `the certificate of the ${server} is valid for ${names}${host === undefined ? '' : `, not for ${host}`}`;
}

/** The names of a certificate, without their types: `a.example, 10.0.0.7`. The first three of more than four. */
function namesOf(error: unknown): string | undefined {
  const { subjectaltname } = (error as { readonly cert?: { readonly subjectaltname?: string } }).cert ?? {};
  if (subjectaltname === undefined) return undefined;
  const names = subjectaltname.split(', ').map((name) => name.replace(/^(?:DNS|IP Address):/, ''));
  return names.length > 4 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ');
}

/** The code of an error of Node.js, such as `ECONNRESET`; '' if it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
