import * as oauth from 'oauth4webapi';
import { CliError, exitCodes } from '../../errors.ts';
import { confirmLogin, type LoginPrompt, loginPage } from '../tokens/device-login.ts';
import {
  type Granted,
  grantedBy,
  type Issuer,
  type IssuerParts,
  loggingIn,
  readResponse,
  sendRequest,
} from './issuer.ts';
import { openLoopback } from './loopback.ts';

/** The prompt of a login, with the addresses that get its token, and where they come from. */
export interface ClusterPrompt extends LoginPrompt {
  readonly sentTo: string;
}

const deviceGrant = 'device_code';
const aMinuteMs = 60_000;
/** How long a person may take to log in in a browser that returns to this machine. */
const browserLimitMs = 10 * aMinuteMs;
/** The command that starts a login. */
const command = 'weir cluster auth login';

/** Logs a person in through a browser. @throws CliError (exit 4) if the login is refused, or not confirmed in time */
export async function logIn(
  issuer: Issuer,
  parts: IssuerParts,
  onPrompt: (prompt: ClusterPrompt) => void,
): Promise<Granted> {
  const isDevice = parts.options.place.grant === deviceGrant;
  return await (isDevice ? throughDevice(issuer, parts, onPrompt) : throughRedirect(issuer, parts, onPrompt));
}

/** RFC 8628: any browser, also on another machine. */
async function throughDevice(
  issuer: Issuer,
  parts: IssuerParts,
  onPrompt: (prompt: ClusterPrompt) => void,
): Promise<Granted> {
  const { metadata, client, auth, about } = issuer;
  const endpoint = metadata.device_authorization_endpoint;
  if (endpoint === undefined) throw unsupported(issuer, 'device_authorization_endpoint', 'authorization_code');
  const request = issuer.request('get a device code');
  const response = await sendRequest(endpoint, () =>
    oauth.deviceAuthorizationRequest(metadata, client, auth, about, request),
  );
  const authorization = await readResponse(endpoint, () =>
    oauth.processDeviceAuthorizationResponse(metadata, client, response),
  );
  const { deadline, sentTo } = parts.options;
  const login = {
    answer: authorization,
    server: endpoint,
    setting: 'oauth.issuer',
    deadline,
    world: deadline.clock,
    command,
  };
  const form = issuer.request(loggingIn);
  return await confirmLogin(
    login,
    (prompt) => onPrompt({ ...prompt, sentTo }),
    () =>
      grantedBy(
        issuer,
        () => oauth.deviceCodeGrantRequest(metadata, client, auth, authorization.device_code, form),
        (answer) => oauth.processDeviceCodeResponse(metadata, client, answer),
        deadline.clock.wallTime(),
      ),
  );
}

function notReturned(): CliError {
  return new CliError(exitCodes.auth, 'unable to log in: the browser did not return in time', {
    code: 'EXPIRED_TOKEN',
    hints: [`start again with: ${command}`],
  });
}

/** RFC 6749 §4.1 with PKCE (RFC 7636): a browser on this machine, which returns to a port of it (RFC 8252 §7.3). */
async function throughRedirect(
  issuer: Issuer,
  parts: IssuerParts,
  onPrompt: (prompt: ClusterPrompt) => void,
): Promise<Granted> {
  const { metadata, client, auth, about } = issuer;
  const endpoint = metadata.authorization_endpoint;
  if (endpoint === undefined) throw unsupported(issuer, 'authorization_endpoint', deviceGrant);
  const { deadline, redirectPort, sentTo } = parts.options;
  const state = oauth.generateRandomState();
  const verifier = oauth.generateRandomCodeVerifier();
  const nonce = /\bopenid\b/.test(about.scope ?? '') ? oauth.generateRandomNonce() : undefined;
  const loopback = await openLoopback(redirectPort, (url) => url.searchParams.get('state') === state);
  try {
    const page = new URL(loginPage(endpoint, metadata.issuer, 'oauth.issuer'));
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
    onPrompt({ url: page.href, code: undefined, expiresInMs: browserLimitMs, sentTo });
    const returned = await deadline.openEnded(() => loopback.returned(deadline, browserLimitMs));
    if (returned === undefined) throw notReturned();
    const callback = answerIn(issuer, returned, state);
    const request = issuer.request(loggingIn);
    const expected = nonce === undefined ? {} : { expectedNonce: nonce };
    return await grantedBy(
      issuer,
      () => oauth.authorizationCodeGrantRequest(metadata, client, auth, callback, loopback.url, verifier, request),
      (response) => oauth.processAuthorizationCodeResponse(metadata, client, response, expected),
      deadline.clock.wallTime(),
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
      hints: [`start again with: ${command}`],
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
