import type { Deadline } from '../../deadline.ts';
import type { CliError } from '../../errors.ts';
import type { Hosts } from '../../net/hosts.ts';
import type { Http, HttpAnswer } from '../../net/http.ts';
import { parseJson } from '../../net/json.ts';
import type { Retry, RetryWorld } from '../../net/retry.ts';
import { fieldsOf } from '../../shape/object.ts';
import { confirmLogin, type LoginPrompt } from '../tokens/device-login.ts';
import type { StoredToken } from '../tokens/stored-tokens.ts';
import { type Refused, readToken, refusal } from '../tokens/token-answers.ts';

/** The parts that requests to the authorization server need. */
export interface OAuthServer {
  readonly http: Http;
  /** The address, and whether it was reached. */
  readonly hosts: Hosts;
  readonly retry: Retry;
  readonly deadline: Deadline;
  /** The clock for the pauses between polls. */
  readonly world: RetryWorld;
  readonly authUrl: string;
  readonly audience: string;
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
      secrets: [credentials.clientSecret],
      hints: [
        'check cloud.client_id, cloud.client_secret, cloud.auth_url and cloud.audience',
        'see where they come from with: weir config show cloud.client_id cloud.auth_url cloud.audience',
      ],
    });
  });
}

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

/**
 * Logs a user in through a browser (RFC 8628): shows the page and the code, and polls until the login is confirmed.
 * @throws CliError (exit 4) if the login is refused or the code expires
 */
export async function deviceLogin(
  server: OAuthServer,
  clientId: string,
  onPrompt: (prompt: LoginPrompt) => void,
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
  const { authUrl, deadline, world } = server;
  const login = {
    answer: begin,
    server: authUrl,
    setting: 'cloud.auth_url',
    deadline,
    world,
    command: 'weir cloud login',
  };
  const form = { grant_type: deviceGrant, device_code: String(begin.device_code ?? ''), client_id: clientId };
  return await confirmLogin(login, onPrompt, async () => {
    const answer = await post(server, tokenRequest.path, form);
    if (answer.status === 200) return tokenIn(answer, server);
    throw refused(answer, server, {
      ...tokenRequest,
      doing: 'log in through a browser',
      secrets: [form.device_code],
      hints: [],
    });
  });
}

async function post(
  { http, hosts }: OAuthServer,
  path: string,
  form: Readonly<Record<string, string>>,
): Promise<HttpAnswer> {
  const round = hosts.begin();
  const request = {
    method: 'POST',
    url: `${round.next()}${path}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams(form).toString(),
  } as const;
  try {
    const answer = await http.request(request);
    round.answered();
    return answer;
  } catch (error) {
    round.failed(error);
    throw error;
  }
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
