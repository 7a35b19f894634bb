/** The latest time that a date can hold, in milliseconds since the epoch (ECMA-262 §21.4.1.1). */
const latestTime = 8.64e15;

/** Whether a number is a time that a date can hold, in milliseconds since the epoch. */
export function isTime(value: number): boolean {
  return Math.abs(value) <= latestTime;
}

/** Whether a text can be sent as a token: in an HTTP header, a line break would begin another header. */
export function isTokenText(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

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
