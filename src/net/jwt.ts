import { showDuration } from '../format/duration.ts';
import { excerpt } from '../format/excerpt.ts';

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
  readonly issuer: string | undefined;
  readonly subject: string | undefined;
  readonly audience: readonly string[];
  readonly scope: string | undefined;
  readonly expiresAt: number | undefined;
  readonly notBefore: number | undefined;
  /** The client that the token was issued to. */
  readonly clientId: string | undefined;
}

/** Parses the claims of a JSON Web Token (RFC 7519 §4.1); undefined for any other text. */
export function readClaims(token: string): Claims | undefined {
  const [, payload = '', signature] = token.split('.', 3);
  if (signature === undefined) return undefined;
  try {
    const { iss, sub, aud, exp, nbf, azp, scope }: Readonly<Record<string, unknown>> = JSON.parse(
      Buffer.from(payload, 'base64url').toString('utf8'),
    );
    const audience = Array.isArray(aud) ? aud : [aud];
    return {
      issuer: textIn(iss),
      subject: textIn(sub),
      audience: audience.filter((one) => typeof one === 'string'),
      scope: textIn(scope),
      expiresAt: timeIn(exp),
      notBefore: timeIn(nbf),
      clientId: textIn(azp),
    };
  } catch {
    return undefined;
  }
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function timeIn(seconds: unknown): number | undefined {
  return typeof seconds === 'number' ? seconds * 1000 : undefined;
}

/** What a token says of itself, for messages. */
export interface TokenText {
  /** One sentence: whom it is from, for and about, and until when. */
  readonly claims: string;
  /** Why no server can accept it at this time. */
  readonly faults: readonly string[];
}

/** Describes a token without repeating it. @param now milliseconds since the epoch */
export function describeToken(token: string, now: number): TokenText {
  const claims = readClaims(token);
  if (claims === undefined)
    return { claims: 'the token is opaque: only its issuer can tell whom it is for', faults: [] };
  const { issuer, subject, audience, scope, expiresAt, notBefore } = claims;
  const parts = [
    `the token was issued by ${textOrNone(issuer)}`,
    `for the audience ${audience.length === 0 ? '(none)' : audience.slice(0, 5).map(excerpt).join(', ')}`,
    `to ${textOrNone(subject)}`,
    ...(scope === undefined ? [] : [`with the scope ${textOrNone(scope)}`]),
    expiresAt === undefined ? 'without an expiry' : `until ${timeText(expiresAt)}`,
  ];
  const faults = [
    expiresAt !== undefined && expiresAt <= now ? `it expired ${spanText(now - expiresAt)} ago` : undefined,
    notBefore !== undefined && notBefore > now
      ? `it is not valid for another ${spanText(notBefore - now)}: compare the clocks of this machine and of the issuer`
      : undefined,
  ];
  return { claims: parts.join(' '), faults: faults.filter((fault) => fault !== undefined) };
}

function textOrNone(value: string | undefined): string {
  return value === undefined || value === '' ? '(none)' : excerpt(value);
}

function timeText(milliseconds: number): string {
  if (!isTime(milliseconds)) return 'the end of time';
  return new Date(milliseconds).toISOString().replace(/\.000Z$/, 'Z');
}

function spanText(milliseconds: number): string {
  return showDuration(BigInt(Math.min(Math.max(1, Math.round(milliseconds / 1000)), latestTime)) * 1_000_000_000n);
}

/** Makes a JSON Web Token (RFC 7519) in its compact form. @param sign signs the text of the first two parts */
export function signedJwt(header: object, claims: object, sign: (text: Buffer) => Buffer): string {
  const text = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${text}.${sign(Buffer.from(text)).toString('base64url')}`;
}
