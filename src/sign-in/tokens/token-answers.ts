import { CliError, exitCodes } from '../../errors.ts';
import type { HttpAnswer } from '../../net/http.ts';
import { isPassing, retryAfterMs } from '../../net/http-error.ts';
import { parseJson } from '../../net/json.ts';
import { isTime, isTokenText, readClaims } from '../../net/jwt.ts';
import { withoutSent } from '../../net/secret.ts';
import { fieldsOf } from '../../shape/object.ts';
import type { StoredToken } from './stored-tokens.ts';

const anHourMs = 3_600_000;

/** Far more than a server takes. The file of a token and a refresh token of this size can still be read. */
const longestToken = 256 * 1024;

/**
 * Reads a token response (RFC 6749 §5.1).
 * @param source the URL, for errors
 * @throws CliError (exit 4) if it has no token that can be sent
 */
export function readToken(fields: unknown, source: string, now: number): StoredToken {
  const { access_token: text, expires_in: expiresIn } = fieldsOf(fields);
  if (typeof text !== 'string' || text === '') throw unusableToken(source, 'contains none');
  checkSize(text, source);
  if (!isTokenText(text)) {
    throw unusableToken(source, 'contains a token with spaces, control characters or other characters than ASCII');
  }
  const stated = typeof expiresIn === 'number' && expiresIn > 0 ? now + expiresIn * 1000 : undefined;
  const exp = readClaims(text)?.expiresAt ?? 0;
  // Uses the earlier expiry of the response and the token. An expiry in the past means that this clock is wrong.
  const ends = [stated, exp > now ? exp : undefined].filter((end) => end !== undefined);
  const expiresAt = ends.length === 0 ? now + anHourMs : Math.min(...ends);
  if (!isTime(expiresAt)) throw unusableToken(source, 'contains a lifetime that is not a time');
  return { text, issuedAt: now, expiresAt };
}

/** Checks the size of a token or a refresh token, in characters. @throws CliError (exit 4) if it could not be stored */
export function checkSize(token: string | undefined, source: string): void {
  if ((token?.length ?? 0) > longestToken)
    throw unusableToken(source, `contains a token of more than ${longestToken} bytes`);
}

/** Creates the error for a response without a token that can be used. */
export function unusableToken(source: string, why: string): CliError {
  return new CliError(exitCodes.auth, `unable to get a token: the response of ${source} ${why}`);
}

/** A request that was refused. */
export interface Refused {
  /** What the request was for, after "unable to". */
  readonly doing: string;
  /** The request, for example `POST https://auth.example.com/oauth/token`. */
  readonly what: string;
  readonly hints: readonly string[];
  /** What was sent and is secret: the server may repeat it. */
  readonly secrets?: readonly string[];
}

/** Enough for the reasons that servers give, in characters. */
const longestReason = 600;
const longestCode = 60;

function serverText(text: unknown, secrets: readonly string[], most: number): string | undefined {
  return typeof text === 'string' && text !== '' ? withoutSent(text, secrets, most) : undefined;
}

/** Creates the error for an error response of an authorization server (RFC 6749 §5.2). */
export function refusal({ status, headers, body }: HttpAnswer, refused: Refused): CliError {
  const { doing, what, hints, secrets = [] } = refused;
  const fields = fieldsOf(parseJson(body));
  const error = serverText(fields.error, secrets, longestCode);
  const words = [error, serverText(fields.error_description, secrets, longestReason)].filter(Boolean).join(': ');
  const quota = quotaOf(headers['auth0-organization-quota-limit']);
  const text = `unable to ${doing}: ${words || 'the server gave no reason'}${quota?.text ?? ''} (${what}: ${status})`;
  const busy = isPassing(status);
  return new CliError(busy ? exitCodes.unreachable : exitCodes.auth, text, {
    code: status === 429 ? 'TOO_MANY_TOKENS' : (error?.toUpperCase() ?? 'AUTH'),
    hints: busy ? [] : hints,
    retryable: busy,
    retryAfterMs: retryAfterMs(headers['retry-after'], Date.now()) ?? quota?.resetMs,
    target: what,
  });
}

/** Parses the header `Auth0-Organization-Quota-Limit: b=per_day;q=…;r=…;t=…`; undefined if it is missing. */
function quotaOf(header: string | undefined): { readonly text: string; readonly resetMs: number } | undefined {
  const [quota, reset] = [/\bq=(\d+)/.exec(header ?? '')?.[1], /\bt=(\d+)/.exec(header ?? '')?.[1]];
  if (quota === undefined || reset === undefined) return undefined;
  return { text: `, ${quota} per day`, resetMs: Number(reset) * 1000 };
}
