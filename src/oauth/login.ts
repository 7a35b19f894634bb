import * as oauth from 'oauth4webapi';
import { CliError, exitCodes } from '../errors.ts';
import { checked, type Granted, grantedIn, type Issuer, type IssuerParts } from './issuer.ts';
import { openLoopback } from './loopback.ts';

/** The page to open for a login, and the code to compare there. */
export interface LoginPrompt {
  readonly url: string;
  /** Undefined: the page asks for none. */
  readonly code: string | undefined;
  readonly expiresInMs: number;
}

const loggingIn = 'log in';
const deviceGrant = 'device_code';
const aMinuteMs = 60_000;
/** How long a person may take to log in in a browser that returns to this machine. */
const browserLimitMs = 10 * aMinuteMs;
/** The most seconds between polls, and the most of them for a whole login. */
const mostSeconds = { interval: 60, code: 3_600 };

/** Logs a person in through a browser. @throws CliError (exit 4) if the login is refused, or not confirmed in time */
export async function logIn(
  issuer: Issuer,
  parts: IssuerParts,
  onPrompt: (prompt: LoginPrompt) => void,
): Promise<Granted> {
  const isDevice = parts.options.place.grant === deviceGrant;
  return await (isDevice ? throughDevice(issuer, parts, onPrompt) : throughRedirect(issuer, parts, onPrompt));
}

/** RFC 8628: any browser, also on another machine. */
async function throughDevice(
  issuer: Issuer,
  parts: IssuerParts,
  onPrompt: (prompt: LoginPrompt) => void,
): Promise<Granted> {
  const { metadata, client, auth, about } = issuer;
  const endpoint = metadata.device_authorization_endpoint;
  if (endpoint === undefined) throw unsupported(issuer, 'device_authorization_endpoint', 'authorization_code');
  const request = issuer.request('get a device code');
  const response = await oauth.deviceAuthorizationRequest(metadata, client, auth, about, request);
  const begun = await checked(endpoint, () => oauth.processDeviceAuthorizationResponse(metadata, client, response));
  const url = loginPage(begun.verification_uri_complete ?? begun.verification_uri, endpoint);
  const expiresInMs = Math.min(begun.expires_in, mostSeconds.code) * 1000;
  onPrompt({ url, code: begun.user_code, expiresInMs });
  const { deadline } = parts.options;
  return await deadline.openEnded(() =>
    poll(issuer, parts, { code: begun.device_code, expiresInMs, ...intervalOf(begun) }),
  );
}

function intervalOf({ interval = 5 }: oauth.DeviceAuthorizationResponse): { readonly intervalMs: number } {
  return { intervalMs: Math.min(Math.max(interval, 1), mostSeconds.interval) * 1000 };
}

interface Polled {
  readonly code: string;
  readonly intervalMs: number;
  readonly expiresInMs: number;
}

async function poll(issuer: Issuer, { options }: IssuerParts, polled: Polled): Promise<Granted> {
  const { deadline } = options;
  const { clock, signal } = deadline;
  const { metadata, client, auth } = issuer;
  const giveUpAt = clock.now() + polled.expiresInMs;
  let { intervalMs } = polled;
  while (clock.now() < giveUpAt) {
    await clock.sleep(intervalMs, signal);
    try {
      const request = issuer.request(loggingIn);
      const response = await oauth.deviceCodeGrantRequest(metadata, client, auth, polled.code, request);
      const now = clock.wallTime();
      return await grantedIn(issuer, () => oauth.processDeviceCodeResponse(metadata, client, response), now);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof CliError)) throw error;
      // RFC 8628 §3.5: five more seconds between polls from now on, and fewer polls while there are no responses.
      if (error.code === 'SLOW_DOWN') intervalMs += 5_000;
      else if (error.retryable) intervalMs = Math.min(intervalMs * 2, mostSeconds.interval * 1000);
      else if (error.code !== 'AUTHORIZATION_PENDING') throw error;
    }
  }
  throw notConfirmed();
}

function notConfirmed(): CliError {
  return new CliError(exitCodes.auth, 'unable to log in: the login was not confirmed in the browser in time', {
    code: 'EXPIRED_TOKEN',
    hints: ['start again with: weir cluster auth login'],
  });
}

/** RFC 6749 §4.1 with PKCE (RFC 7636): a browser on this machine, which returns to a port of it (RFC 8252 §7.3). */
async function throughRedirect(
  issuer: Issuer,
  parts: IssuerParts,
  onPrompt: (prompt: LoginPrompt) => void,
): Promise<Granted> {
  const { metadata, client, auth, about } = issuer;
  const endpoint = metadata.authorization_endpoint;
  if (endpoint === undefined) throw unsupported(issuer, 'authorization_endpoint', deviceGrant);
  const { deadline, redirectPort } = parts.options;
  const state = oauth.generateRandomState();
  const verifier = oauth.generateRandomCodeVerifier();
  const nonce = /\bopenid\b/.test(about.scope ?? '') ? oauth.generateRandomNonce() : undefined;
  const loopback = await openLoopback(redirectPort, (url) => url.searchParams.get('state') === state);
  try {
    const page = new URL(loginPage(endpoint, endpoint));
    const query = {
      ...about,
      response_type: 'code',
      client_id: client.client_id,
      redirect_uri: loopback.url,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(nonce !== undefined && { nonce }),
      // OpenID Connect Core §11: otherwise no refresh token is granted.
      ...(/\boffline_access\b/.test(about.scope ?? '') && { prompt: 'consent' }),
    };
    for (const [key, value] of Object.entries(query)) page.searchParams.set(key, value);
    onPrompt({ url: page.href, code: undefined, expiresInMs: browserLimitMs });
    const returned = await deadline.openEnded(() => loopback.returned(deadline, browserLimitMs));
    if (returned === undefined) throw notConfirmed();
    const callback = answerIn(issuer, returned, state);
    const request = issuer.request(loggingIn);
    const response = await oauth.authorizationCodeGrantRequest(
      metadata,
      client,
      auth,
      callback,
      loopback.url,
      verifier,
      request,
    );
    const now = deadline.clock.wallTime();
    const expected = nonce === undefined ? {} : { expectedNonce: nonce };
    return await grantedIn(
      issuer,
      () => oauth.processAuthorizationCodeResponse(metadata, client, response, expected),
      now,
    );
  } finally {
    await loopback.close();
  }
}

/** Reads what the browser brings back. @throws CliError (exit 4) with the reason if the login was refused */
function answerIn({ metadata, client }: Issuer, returned: URL, state: string): URLSearchParams {
  try {
    return oauth.validateAuthResponse(metadata, client, returned, state);
  } catch (error) {
    const why =
      error instanceof oauth.AuthorizationResponseError
        ? [error.error, error.error_description].filter(Boolean).join(': ')
        : (error as Error).message;
    throw new CliError(exitCodes.auth, `unable to log in: ${why}`, {
      code: 'LOGIN_REFUSED',
      hints: ['start again with: weir cluster auth login'],
    });
  }
}

function unsupported({ metadata }: Issuer, field: string, other: string): CliError {
  const from =
    metadata.token_endpoint === metadata.issuer ? 'oauth.token_url is set without oauth.issuer' : metadata.issuer;
  return new CliError(exitCodes.auth, `unable to log in: the issuer announces no ${field} (${from})`, {
    code: 'UNSUPPORTED_GRANT',
    target: 'oauth.grant',
    hints: [`use -X oauth.grant=${other} if the issuer supports it, and set oauth.issuer`],
  });
}

/**
 * The page as a normal URL, because a program is started with it: percent-encoded, without quotes, spaces and line
 * breaks. It is no less encrypted than the issuer.
 */
function loginPage(given: string, endpoint: string): string {
  const page = URL.canParse(given) ? new URL(given) : undefined;
  const isOpenable = page?.protocol === 'https:' || (page?.protocol === 'http:' && endpoint.startsWith('http:'));
  if (page !== undefined && isOpenable && page.username === '' && page.password === '') return page.href;
  throw new CliError(exitCodes.auth, 'unable to log in: the issuer returned no login page', {
    hints: ['check oauth.issuer'],
  });
}
