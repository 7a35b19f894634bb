import { CliError, exitCodes, invalidError, rephrased } from '../../errors.ts';
import type { BearerSource, BearerToken } from '../../net/bearer.ts';
import { isNobody } from '../../net/hosts.ts';
import { HttpError } from '../../net/http-error.ts';
import { isTokenText, readClaims } from '../../net/jwt.ts';
import type { Retry } from '../../net/retry.ts';
import { proofMark } from '../tokens/proof.ts';
import { freshPart, leastMs, renewedSource } from '../tokens/renewed-source.ts';
import { cachedToken, type StoredToken } from '../tokens/stored-tokens.ts';
import type { Granted, Issuer, IssuerParts } from './issuer.ts';
import type { GivenToken, Grant, OAuthOptions, TokenPlace } from './options.ts';
import { addressKeys, isSameClient, placeId, type TokenFiles, type TokenRecord } from './token-files.ts';

/**
 * Creates the source of a configured token, which a file or a command may renew.
 * @param warn gets a line when a token could not be replaced before it expires
 */
export function givenSource(
  { option, read, renew, isVolatile, whenExpired }: GivenToken,
  now: () => number,
  warn: OAuthOptions['warn'],
): BearerSource {
  const taken = async (from: () => Promise<string>): Promise<BearerToken> => {
    const text = (await from()).trim();
    if (!isTokenText(text)) {
      throw invalidError(`invalid ${option}: a token consists of printable ASCII characters without spaces`, {
        code: 'CONFIG_INVALID',
        target: option,
        hints: [...guesses(text), `see where it comes from: weir config show ${option}`],
      });
    }
    return { text, expiresAt: readClaims(text)?.expiresAt };
  };
  const given = { origin: option, read: () => taken(read), renew: () => taken(renew), isVolatile };
  return { ...renewedSource({ given, now, warn }), whenExpired };
}

/** What a text that is no token most likely is. */
function guesses(text: string): readonly string[] {
  if (/^bearer\s/i.test(text)) return ['leave out "Bearer"'];
  if (text.startsWith('{')) return ['it looks like the answer of an issuer: use its access_token alone'];
  return text === '' ? ['it is empty'] : [];
}

/** What the tokens of an issuer come from. */
export interface IssuedParts extends IssuerParts {
  readonly retry: Retry;
  readonly files: TokenFiles;
  /** Opens the issuer; called only if a token is requested. */
  readonly issuer: () => Promise<Issuer>;
}

/** Creates the source of tokens that an issuer grants, and that are stored for later commands. */
export function issuedSource(parts: IssuedParts): Omit<BearerSource, 'clockSkewMs'> {
  const { options, files } = parts;
  const { place, deadline, warn } = options;
  const id = placeId(place);
  const now = (): number => deadline.clock.wallTime();
  const replacements = new Set<string>();
  let current: StoredToken | undefined;
  let pending: Promise<StoredToken> | undefined;

  const isFresh = (token: StoredToken | undefined): token is StoredToken =>
    token !== undefined && now() < token.issuedAt + (token.expiresAt - token.issuedAt) * freshPart;
  const isValid = (token: StoredToken | undefined): token is StoredToken =>
    token !== undefined && now() < token.expiresAt - leastMs;

  async function obtain(refused?: string): Promise<StoredToken> {
    const isGood = (token: StoredToken | undefined): token is StoredToken => isFresh(token) && token.text !== refused;
    let old = current;
    try {
      return await cachedToken<TokenRecord>({
        files: { ...files, read: async (one) => provenBy(options, await files.read(one)) },
        id,
        signal: deadline.signal,
        isGood,
        async ask(stored) {
          old = stored?.token ?? old;
          const isFirst = current === undefined;
          const granted = await ask(parts, stored, { once: isValid(old) && refused === undefined, isFirst });
          return await recordOf(options, granted);
        },
        warn,
      });
    } catch (error) {
      deadline.signal.throwIfAborted();
      if (refused !== undefined || !isValid(old) || !(error instanceof CliError)) throw error;
      warn(`using the present token until it expires: ${error.message}`);
      return old;
    }
  }
  /** Concurrent requests share one renewal. */
  const shared = (refused?: string): Promise<StoredToken> => {
    pending ??= obtain(refused)
      .then((token) => {
        current = token;
        return token;
      })
      .finally(() => {
        pending = undefined;
      });
    return pending;
  };
  return {
    origin: place.issuer || place.tokenUrl || 'oauth.issuer',
    get: async () => (isFresh(current) ? current : await shared()),
    async renew(refused) {
      // One that was issued because another was refused would be refused again.
      if (replacements.has(refused)) return undefined;
      try {
        const token = await shared(refused);
        if (token.text === refused) return undefined;
        replacements.add(token.text);
        return token;
      } catch (error) {
        deadline.signal.throwIfAborted();
        if (error instanceof CliError) return undefined; // the refusal tells more
        throw error;
      }
    },
  };
}

/** A record of what was granted. */
export async function recordOf(options: OAuthOptions, granted: Granted) {
  const { place } = options;
  return { id: placeId(place), place, ...granted, ...(!isPerson(place.grant) && { proof: await proofOf(options) }) };
}

/** A record without its token, if a program got that with another secret, for example. */
async function provenBy(options: OAuthOptions, record: TokenRecord | undefined): Promise<TokenRecord | undefined> {
  if (record === undefined || isPerson(options.place.grant)) return record;
  return record.proof === (await proofOf(options)) ? record : { ...record, token: undefined };
}

/** The mark of what the client proves its identity with. */
function proofOf({ place, client, tls }: OAuthOptions): Promise<string> {
  return proofMark([place.issuer, place.tokenUrl, place.clientId], client.secretFrom, {
    words: [client.auth, client.keyId],
    files: [client.keyFile, client.assertionFile, tls.cert],
  });
}

/** Whether a person logs in, rather than a program. */
export function isPerson(grant: Grant): boolean {
  return grant === 'device_code' || grant === 'authorization_code';
}

/** The circumstances of a request for a token. */
interface Asking {
  /** Whether there is a token that can be used if this fails, so that it is not retried. */
  readonly once: boolean;
  /** Whether this command has had no token yet: where nobody is now, nobody is in a moment. */
  readonly isFirst: boolean;
}

async function ask(parts: IssuedParts, stored: TokenRecord | undefined, { once, isFirst }: Asking): Promise<Granted> {
  const { grant } = parts.options.place;
  const { refreshToken, requestToken } = await import('./grants.ts');
  const byPerson = isPerson(grant);
  const refresh = stored?.refreshToken;
  if (byPerson && refresh === undefined) throw await loggedOut(parts, stored);
  const attempt = async (): Promise<Granted> => {
    try {
      const issuer = await parts.issuer();
      return await (byPerson && refresh !== undefined
        ? refreshToken(issuer, parts, refresh)
        : requestToken(issuer, parts));
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      const isFinal = isFirst && !parts.options.isPatient && isNobody(error);
      throw rephrased(error, error.message, { code: unreachable, retryable: error.retryable && !isFinal });
    }
  };
  try {
    return await (once ? attempt() : parts.retry('the request for a token', attempt));
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    if (byPerson && error.code === 'INVALID_GRANT') throw expired(parts);
    // The retries are over: those for the server that the token is for would only repeat them.
    throw rephrased(error, error.message, { retryable: false, retryAfterMs: undefined });
  }
}

/** Tells an issuer that cannot be reached from the server that the token is for. */
const unreachable = 'ISSUER_UNREACHABLE';

const loginHint = 'log in with: weir cluster auth login';

/** Creates the error for a person who has to log in. */
export async function loggedOut(
  { files, options }: Pick<IssuedParts, 'files' | 'options'>,
  stored: TokenRecord | undefined,
): Promise<CliError> {
  const { place } = options;
  if (stored?.token !== undefined) return expired({ options });
  const other = (await files.list()).find((one) => isSameClient(one.place, place));
  if (other !== undefined) return elsewhere(other.place, place);
  return new CliError(exitCodes.auth, `unable to get a token: not logged in to ${place.issuer || place.tokenUrl}`, {
    code: 'NOT_LOGGED_IN',
    hints: [loginHint],
  });
}

function expired({ options }: Pick<IssuedParts, 'options'>): CliError {
  const { issuer, tokenUrl } = options.place;
  return new CliError(exitCodes.auth, `unable to get a token: the login to ${issuer || tokenUrl} has expired`, {
    code: 'LOGIN_EXPIRED',
    hints: ['log in again with: weir cluster auth login'],
  });
}

/** Creates the error for addresses that a login is not bound to. */
function elsewhere(before: TokenPlace, place: TokenPlace): CliError {
  const [then, now] = [before.addresses, place.addresses];
  const different = addressKeys.filter((key) => then[key] !== now[key]);
  const [key = 'brokers'] = different;
  const made = then[key] === '' ? `without ${key}` : `for ${key}=${then[key]}`;
  return new CliError(
    exitCodes.auth,
    `unable to get a token: the login is ${made}, but ${key} is ${now[key] || 'not set'}`,
    {
      code: 'LOGIN_ELSEWHERE',
      target: key,
      hints: [
        `see where the address comes from: weir config show ${different.join(' ')}`,
        `if you trust it, ${loginHint}`,
      ],
    },
  );
}
