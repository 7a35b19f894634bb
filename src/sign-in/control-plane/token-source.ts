import { CliError, exitCodes, invalidError, usageError } from '../../errors.ts';
import { isTokenText, readClaims } from '../../net/jwt.ts';
import { type Secret, secretText } from '../../net/secret.ts';
import type { SecretFrom } from '../tokens/options.ts';
import { proofMark } from '../tokens/proof.ts';
import { cachedToken, type StoredToken } from '../tokens/stored-tokens.ts';
import { isBoundTo, type LoginFiles, loginId, type StoredLogin } from './login-files.ts';
import type { CloudAddresses, CloudCredentials } from './options.ts';
import { askToken, type ClientCredentials, type OAuthServer } from './token-requests.ts';

/** The source of tokens for requests. */
export interface Tokens {
  /** Returns a token that is not about to expire. */
  get(): Promise<string>;
  /** Returns a replacement for a token that the server refused; undefined if none can be obtained. */
  renew(refused: string): Promise<string | undefined>;
  /**
   * Requests a new token with credentials, even if a stored token is still valid.
   * @param from where the secret is (default: the secret itself)
   */
  ask(credentials: ClientCredentials, from?: SecretFrom): Promise<StoredLogin>;
}

/** The parts that tokens need. */
export interface TokenOptions {
  readonly server: OAuthServer;
  readonly addresses: CloudAddresses;
  readonly credentials: CloudCredentials;
  readonly files: LoginFiles;
  readonly warn: (line: string) => void;
}

/** How long before its expiry a token is renewed, in milliseconds; a short-lived one after nine tenths of its life. */
const marginMs = 60_000;

/** Whether a token is for this audience and client and not about to expire. */
export function isFresh(
  token: StoredToken | undefined,
  { audience, clientId }: Pick<StoredLogin, 'audience' | 'clientId'>,
): token is StoredToken {
  if (token === undefined) return false;
  const claims = readClaims(token.text);
  if (claims !== undefined && claims.audience.length > 0 && !claims.audience.includes(audience)) return false;
  if (claims?.clientId !== undefined && claims.clientId !== clientId) return false;
  const margin = Math.min(marginMs, (token.expiresAt - token.issuedAt) / 10);
  return Date.now() < token.expiresAt - margin;
}

/** Creates the token source: a configured token, configured credentials, or the login stored on this machine. */
export function createTokenSource(options: TokenOptions): Tokens {
  const { files } = options;
  const { signal } = options.server.deadline;
  let current: Promise<StoredToken | undefined> | undefined;

  return {
    async get() {
      current ??= obtain(options);
      const pending = current;
      try {
        const token = await pending;
        if (token !== undefined && Date.now() < token.expiresAt - 1000) return token.text;
      } catch (error) {
        current = undefined;
        throw error;
      }
      // A command that runs for hours outlives its token. Concurrent requests share one renewal.
      if (current === pending) current = obtain(options);
      return (await current)?.text ?? '';
    },
    async renew(refused) {
      const token = await obtain(options, refused);
      if (token !== undefined) current = Promise.resolve(token);
      return token?.text;
    },
    async ask(asked, from = { text: asked.clientSecret }) {
      const login = loginOf(options, asked.clientId);
      const proof = await markOf(login, from);
      return await files.locked(login.id, signal, async () => {
        const token = await askToken(options.server, asked);
        const stored = { ...login, ...(await files.read(login.id)), token, proof };
        await files.write(stored);
        current = Promise.resolve(token);
        return stored;
      });
    },
  };
}

/** Gets a token that is not the refused one; undefined if there is no other. */
async function obtain(options: TokenOptions, refused?: string): Promise<StoredToken | undefined> {
  const { credentials, files } = options;
  if (credentials.token !== undefined)
    return refused === undefined ? readyToken(await secretText(credentials.token)) : undefined;
  const { login, secret } = (await configured(options)) ?? (await currentLogin(options));
  const isGood = (token: StoredToken | undefined): token is StoredToken =>
    isFresh(token, login) && token.text !== refused;
  if (secret !== undefined) return await renewable(options, { login, secret, isGood });
  const stored = (await files.read(login.id))?.token;
  if (isGood(stored)) return stored;
  if (refused !== undefined) return undefined;
  throw expiredLogin(login);
}

/** A login whose secret is there to request tokens with. */
interface Renewable {
  readonly login: StoredLogin;
  readonly secret: Secret;
  isGood(token: StoredToken | undefined): token is StoredToken;
}

/** The stored token if it is good and was requested with this secret, or else a new one. */
async function renewable(options: TokenOptions, { login, secret, isGood }: Renewable): Promise<StoredToken> {
  const { credentials, files, server, warn } = options;
  const { secretFrom = { text: secret } } = secret === login.clientSecret ? {} : credentials;
  const proof = await markOf(login, secretFrom);
  // The token of another secret is not used: who gives this one may not have it. A mark is short enough to be guessed.
  const read = async (id: string): Promise<StoredLogin | undefined> => {
    const stored = await files.read(id);
    return stored === undefined || stored.proof === proof ? stored : { ...stored, token: undefined };
  };
  return await cachedToken({
    files: { ...files, read },
    id: login.id,
    signal: server.deadline.signal,
    isGood,
    async ask(stored) {
      const token = await askToken(server, { clientId: login.clientId, clientSecret: await secretText(secret) });
      return { ...(stored ?? withoutSecret(login)), token, proof };
    },
    warn,
  });
}

/** Marks the secret that a token is requested with. */
async function markOf({ authUrl, clientId }: StoredLogin, from: SecretFrom): Promise<string> {
  return await proofMark([authUrl, clientId], from);
}

/** Checks a configured token. @throws CliError (exit 2) if it is not valid in an HTTP header */
function readyToken(token: string): StoredToken {
  const trimmed = token.trim();
  if (isTokenText(trimmed)) return { text: trimmed, issuedAt: 0, expiresAt: Number.POSITIVE_INFINITY };
  throw invalidError('invalid WEIR_CLOUD_TOKEN: a token consists of printable ASCII characters without spaces', {
    code: 'CONFIG_INVALID',
    target: 'WEIR_CLOUD_TOKEN',
  });
}

/** The login of a client that is not stored yet. */
export function loginOf({ addresses }: Pick<TokenOptions, 'addresses'>, clientId: string): StoredLogin {
  const { apiUrl, authUrl, legacyUrl, audience } = addresses;
  const key = { kind: 'client-credentials', apiUrl, authUrl, legacyUrl, audience, clientId } as const;
  return { ...key, id: loginId(key), name: clientId, organization: '', organizationId: '' };
}

function withoutSecret(login: StoredLogin): StoredLogin {
  const { clientSecret: _, ...rest } = login;
  return rest;
}

/** A login, and the secret that renews its token; undefined if there is none. */
interface UsedLogin {
  readonly login: StoredLogin;
  readonly secret: Secret | undefined;
}

/** The configured login: client credentials, or only the client id of a stored login. */
async function configured(options: TokenOptions): Promise<UsedLogin | undefined> {
  const { clientId, clientSecret } = options.credentials;
  if (clientId === undefined && clientSecret === undefined) return undefined;
  const stored = clientId === undefined ? undefined : await options.files.read(loginOf(options, clientId).id);
  if (clientSecret === undefined && stored !== undefined) return { login: stored, secret: stored.clientSecret };
  if (clientId === undefined || clientSecret === undefined) {
    const [given, missing] = clientId === undefined ? ['client_secret', 'client_id'] : ['client_id', 'client_secret'];
    throw usageError(`cloud.${given} is set, but cloud.${missing} is not`, {
      code: 'CONFIG_INVALID',
      target: `cloud.${missing}`,
      hints:
        missing === 'client_id'
          ? ['set it with -X cloud.client_id=TEXT, WEIR_CLOUD_CLIENT_ID, or in the profile']
          : ['log in and enter it at the prompt: weir cloud login', 'or set WEIR_CLOUD_CLIENT_SECRET'],
    });
  }
  return { login: loginOf(options, clientId), secret: clientSecret };
}

async function currentLogin({ files, addresses }: TokenOptions): Promise<UsedLogin> {
  const id = await files.current();
  const login = id === undefined ? undefined : await files.read(id);
  if (login === undefined) {
    throw new CliError(exitCodes.auth, 'unable to call the control plane: not logged in', {
      code: 'NOT_LOGGED_IN',
      hints: [
        'log in with: weir cloud login',
        'or set WEIR_CLOUD_CLIENT_ID and WEIR_CLOUD_CLIENT_SECRET, or WEIR_CLOUD_TOKEN',
      ],
    });
  }
  if (!isBoundTo(login, addresses)) throw foreignLogin(login, addresses);
  return { login, secret: login.clientSecret };
}

/** Creates the error for addresses that a login is not bound to, so that a file cannot redirect its token. */
function foreignLogin(login: StoredLogin, addresses: CloudAddresses): CliError {
  const parts = [
    ['cloud.api_url', 'apiUrl'],
    ['cloud.auth_url', 'authUrl'],
    ['cloud.legacy_url', 'legacyUrl'],
    ['cloud.audience', 'audience'],
  ] as const;
  const different = parts.filter(([, part]) => login[part] !== addresses[part]);
  const [[key, part] = parts[0]] = different;
  return new CliError(
    exitCodes.auth,
    `unable to call the control plane: the login "${login.name}" is for ${login[part]}, but ${key} is ${addresses[part]}`,
    {
      code: 'LOGIN_ELSEWHERE',
      target: key,
      hints: [
        `see where the address comes from: weir config show ${different.map(([name]) => name).join(' ')}`,
        'if you trust it, log in there with: weir cloud login',
      ],
    },
  );
}

function expiredLogin({ name }: StoredLogin): CliError {
  return new CliError(exitCodes.auth, `unable to call the control plane: the login "${name}" has expired`, {
    code: 'LOGIN_EXPIRED',
    hints: ['log in again with: weir cloud login'],
  });
}
