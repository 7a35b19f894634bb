import type { Deadline } from '../../deadline.ts';
import { CliError, exitCodes, rephrased } from '../../errors.ts';
import type { Http, HttpAnswer } from '../../net/http.ts';
import { HttpError, isPassing } from '../../net/http-error.ts';
import { parseJson } from '../../net/json.ts';
import type { Retry, RetryWorld } from '../../net/retry.ts';
import { type Refused, readToken, refusal } from '../../oauth/answers.ts';
import type { StoredToken } from '../../oauth/record-files.ts';
import { fieldsOf } from '../../shape/object.ts';

/** The parts that requests to the authorization server need. */
export interface OAuthServer {
  readonly http: Http;
  readonly retry: Retry;
  readonly deadline: Deadline;
  /** The clock for the pauses between polls. */
  readonly world: RetryWorld;
  readonly authUrl: string;
  readonly audience: string;
}

/** The page and the code to show for a login through a browser. */
export interface DevicePrompt {
  readonly verificationUrl: string;
  readonly userCode: string;
  readonly expiresInMs: number;
}

/** The credentials of a program. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

const tokenRequest = { doing: 'get a token', path: '/oauth/token' } as const;
const devicePath = '/oauth/device/code';

/**
 * Requests a token with client credentials (RFC 6749 §4.4).
 * @throws CliError (exit 4) if the credentials are rejected; (exit 5) if the daily token quota is used up
 */
export async function askToken(server: OAuthServer, credentials: ClientCredentials): Promise<StoredToken> {
  const form = {
    grant_type: 'client_credentials',
    client_id: credentials.clientId,
    client_secret: credentials.clientSecret,
    audience: server.audience,
  };
  return await server.retry('the request for a token', async () => {
    const answer = await post(server, tokenRequest.path, form);
    if (answer.status === 200) return tokenIn(answer, server);
    throw refused(answer, server, {
      ...tokenRequest,
      hints: [
        'check cloud.client_id, cloud.client_secret, cloud.auth_url and cloud.audience',
        'see where they come from with: weir config show cloud.client_id cloud.auth_url cloud.audience',
      ],
    });
  });
}

/** Limits for a number of seconds from the server. */
interface Bounds {
  readonly least: number;
  readonly most: number;
  readonly fallback: number;
}

// RFC 8628 §3.2: without an interval, five seconds.
const pollInterval: Bounds = { least: 1, most: 60, fallback: 5 };
const codeLifetime: Bounds = { least: 1, most: 86_400, fallback: 360 };

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

/**
 * Logs a user in through a browser (RFC 8628): shows the page and the code, and polls until the login is confirmed.
 * @throws CliError (exit 4) if the login is refused or the code expires
 */
export async function deviceLogin(
  server: OAuthServer,
  clientId: string,
  onPrompt: (prompt: DevicePrompt) => void,
): Promise<StoredToken> {
  const begin = await server.retry('the request for a device code', async () => {
    const answer = await post(server, devicePath, {
      client_id: clientId,
      audience: server.audience,
      scope: 'openid profile email',
    });
    if (answer.status === 200) return fieldsOf(parseJson(answer.body));
    throw refused(answer, server, {
      doing: 'get a device code',
      path: devicePath,
      hints: ['check cloud.device_client_id, cloud.auth_url and cloud.audience'],
    });
  });
  const page = loginPage(begin.verification_uri_complete ?? begin.verification_uri, server);
  const expiresInMs = millisecondsOf(begin.expires_in, codeLifetime);
  onPrompt({ verificationUrl: page, userCode: String(begin.user_code ?? ''), expiresInMs });
  const form = { grant_type: deviceGrant, device_code: String(begin.device_code ?? ''), client_id: clientId };
  return await server.deadline.openEnded(() =>
    poll(server, form, millisecondsOf(begin.interval, pollInterval), expiresInMs),
  );
}

/**
 * The page as a normal URL, because a program is started with it: percent-encoded, without quotes, spaces and line
 * breaks. It is no less encrypted than the authorization server.
 */
function loginPage(given: unknown, { authUrl }: OAuthServer): string {
  const page = typeof given === 'string' && URL.canParse(given) ? new URL(given) : undefined;
  const isOpenable =
    page?.protocol === 'https:' || (page?.protocol === 'http:' && new URL(authUrl).protocol === 'http:');
  if (page !== undefined && isOpenable && page.username === '' && page.password === '') return page.href;
  throw new CliError(exitCodes.auth, 'unable to log in: the server returned no login page', {
    hints: ['check cloud.auth_url'],
  });
}

async function poll(
  server: OAuthServer,
  form: Readonly<Record<string, string>>,
  firstIntervalMs: number,
  expiresInMs: number,
): Promise<StoredToken> {
  const { world, deadline } = server;
  const giveUpAt = world.now() + expiresInMs;
  let intervalMs = firstIntervalMs;
  let lost: HttpError | undefined;
  while (world.now() < giveUpAt) {
    await world.sleep(intervalMs, deadline.signal);
    deadline.signal.throwIfAborted();
    const answer = await post(server, tokenRequest.path, form).catch((error: unknown) => {
      deadline.signal.throwIfAborted();
      if (error instanceof HttpError && error.retryable) return error;
      throw error;
    });
    if (answer instanceof HttpError) {
      lost = answer;
      deadline.failed(answer);
      // RFC 8628 §3.5: fewer polls while there are no responses.
      intervalMs = Math.min(intervalMs * 2, Math.max(intervalMs, pollInterval.most * 1000));
      continue;
    }
    lost = undefined;
    if (answer.status === 200) return tokenIn(answer, server);
    const { error } = fieldsOf(parseJson(answer.body));
    // RFC 8628 §3.5: five more seconds between polls from now on.
    if (error === 'slow_down') intervalMs += 5_000;
    else if (error !== 'authorization_pending' && !isPassing(answer.status)) {
      throw refused(answer, server, { ...tokenRequest, doing: 'log in through a browser', hints: [] });
    }
  }
  if (lost !== undefined) throw rephrased(lost, `unable to log in before the code expired: ${lost.message}`);
  throw new CliError(
    exitCodes.auth,
    'unable to log in: the code expired before the login was confirmed in the browser',
    {
      code: 'EXPIRED_TOKEN',
      hints: ['start again with: weir cloud login'],
    },
  );
}

async function post(
  { http, authUrl }: OAuthServer,
  path: string,
  form: Readonly<Record<string, string>>,
): Promise<HttpAnswer> {
  return await http.request({
    method: 'POST',
    url: `${authUrl}${path}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams(form).toString(),
  });
}

function tokenIn({ body }: HttpAnswer, { authUrl }: OAuthServer): StoredToken {
  return readToken(parseJson(body), `${authUrl}${tokenRequest.path}`, Date.now());
}

/** Creates the error for an error response; `path` is that of the request. */
function refused(
  answer: HttpAnswer,
  { authUrl }: OAuthServer,
  { path, ...rest }: Omit<Refused, 'what'> & { readonly path: string },
): CliError {
  return refusal(answer, { ...rest, what: `POST ${authUrl}${path}` });
}

/** Reads seconds as milliseconds, between the limits. A server cannot make weir poll all the time, or never. */
function millisecondsOf(value: unknown, { least, most, fallback }: Bounds): number {
  const seconds = typeof value === 'number' && value > 0 ? value : fallback;
  return Math.min(Math.max(seconds, least), most) * 1000;
}
