/** The claims of a token, not verified (the server does that). Times are milliseconds since the epoch. */
export interface Claims {
  readonly expiresAt: number | undefined;
  readonly audience: readonly string[];
  /** The client that the token was issued to. */
  readonly clientId: string | undefined;
}

/** Parses the claims of a JSON Web Token (RFC 7519 §4.1); undefined for any other text. */
export function readClaims(token: string): Claims | undefined {
  const [, payload = '', signature] = token.split('.');
  if (signature === undefined) return undefined;
  try {
    const { exp, aud, azp }: Readonly<Record<string, unknown>> = JSON.parse(
      Buffer.from(payload, 'base64url').toString('utf8'),
    );
    const audience = Array.isArray(aud) ? aud : [aud];
    return {
      expiresAt: typeof exp === 'number' ? exp * 1000 : undefined,
      audience: audience.filter((one) => typeof one === 'string'),
      clientId: typeof azp === 'string' ? azp : undefined,
    };
  } catch {
    return undefined;
  }
}
