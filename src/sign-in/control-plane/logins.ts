import { CliError, exitCodes, notFoundError, usageError } from '../../errors.ts';
import { secretText } from '../../net/secret.ts';
import type { LoginPrompt } from '../tokens/device-login.ts';
import { type LoginFiles, loginId, type StoredLogin } from './login-files.ts';
import type { ControlPlaneLogin } from './login-rows.ts';
import type { CloudOptions } from './options.ts';
import { deviceLogin, type OAuthServer } from './token-requests.ts';
import type { Tokens } from './token-source.ts';

/** The organization that a token belongs to. */
interface Organization {
  readonly id: string;
  readonly name: string;
}

/** The parts that logins need. */
export interface LoginParts {
  readonly options: CloudOptions;
  readonly server: OAuthServer;
  readonly files: LoginFiles;
  readonly tokens: Tokens;
  /** Reads the organization that a token belongs to. */
  readonly organizationOf: (token: string) => Promise<Organization>;
}

/** How to log in. */
interface LoginRequest {
  /** Whether to store the client secret too, so that later commands need no configured credentials. */
  readonly save: boolean;
  /** The client secret that was typed or read from a file, instead of the configured one. */
  readonly clientSecret?: string | undefined;
  /** Called once if the user must open a page; not called for client credentials. */
  readonly onPrompt: (prompt: LoginPrompt) => void;
}

/** The calls about the logins stored on this machine, one file each in the state directory (mode 0600). */
export function createLoginCalls(parts: LoginParts) {
  const { files, options } = parts;
  async function rows(): Promise<readonly ControlPlaneLogin[]> {
    const current = await files.current();
    return (await files.list()).map((login) => rowOf(login, current));
  }
  async function loginCalled(name: string): Promise<StoredLogin> {
    const logins = await files.list();
    const matches = logins.filter((login) => login.name === name);
    const match =
      matches.length > 1
        ? matches.find(({ apiUrl }) => apiUrl === options.addresses.apiUrl)
        : (matches[0] ?? logins.find((login) => login.id === name));
    if (match !== undefined) return match;
    if (matches.length > 1) throw ambiguous(name, matches);
    const names = [...new Set(logins.map((login) => login.name))].join(', ');
    throw notFoundError(`there is no login "${name}"`, {
      target: name,
      hints: [names === '' ? 'log in with: weir cloud login' : `use one of: ${names}`],
    });
  }
  return {
    list: rows,
    /** Requests a new token with the configured credentials or through a browser, and selects the login. */
    async login(request: LoginRequest) {
      const login = await logIn(parts, request);
      options.onChange?.();
      await files.write(login);
      await files.setCurrent(login.id);
      return rowOf(login, login.id);
    },
    /** Removes the token of the current login or of `all`; with `clear`, the whole login. Returns the changed logins. */
    async logout({ all, clear }: { readonly all: boolean; readonly clear: boolean }) {
      const current = await files.current();
      const logins = (await files.list()).filter((login) => all || login.id === current);
      options.onChange?.();
      for (const { token: _, ...login } of logins) {
        if (clear) await files.remove(login.id);
        else await files.write(login);
      }
      if (clear && logins.some(({ id }) => id === current)) await files.setCurrent(undefined);
      return logins.map(({ token: _, ...login }) => {
        const row = rowOf(login, current);
        return clear ? { ...row, secret_kept: false } : row;
      });
    },
    /** @throws CliError (exit 3) if no login has this name, (exit 2) if several have, none at `cloud.api_url` */
    find: async (name: string) => rowOf(await loginCalled(name), await files.current()),
    /** Selects a login. @throws CliError (exit 3) if no login has this name */
    async use(name: string) {
      const login = await loginCalled(name);
      options.onChange?.();
      await files.setCurrent(login.id);
      return rowOf(login, login.id);
    },
    /** Deletes a login. @throws CliError (exit 3) if no login has this name */
    async delete(name: string) {
      const login = await loginCalled(name);
      const current = await files.current();
      options.onChange?.();
      await files.remove(login.id);
      if (current === login.id) await files.setCurrent(undefined);
      return rowOf(login, current);
    },
  };
}

function ambiguous(name: string, logins: readonly StoredLogin[]): CliError {
  const urls = [...new Set(logins.map(({ apiUrl }) => apiUrl))].join(', ');
  return usageError(`there are ${logins.length} logins "${name}"`, {
    target: name,
    hints: [`choose one by its control plane: -X cloud.api_url=URL, with one of ${urls}`],
  });
}

async function logIn(parts: LoginParts, request: LoginRequest): Promise<StoredLogin> {
  const { clientId } = parts.options.credentials;
  const secret = request.clientSecret ?? parts.options.credentials.clientSecret;
  if (clientId !== undefined && secret !== undefined) {
    const clientSecret = await secretText(secret);
    const from = request.clientSecret === undefined ? parts.options.credentials.secretFrom : undefined;
    const login = await parts.tokens.ask({ clientId, clientSecret }, from);
    const complete = await withOrganization(parts, login);
    return request.save ? { ...complete, clientSecret } : complete;
  }
  if (clientId !== undefined || secret !== undefined) {
    throw usageError('a client id and a client secret must be set together', {
      target: clientId === undefined ? 'cloud.client_id' : 'cloud.client_secret',
      hints: ['set both, or neither to log in with a browser'],
    });
  }
  return await throughBrowser(parts, request);
}

async function throughBrowser(parts: LoginParts, { onPrompt }: LoginRequest): Promise<StoredLogin> {
  const { options, server } = parts;
  const clientId = options.deviceClientId;
  if (clientId === undefined) {
    throw usageError('unable to log in with a browser: no public client is configured (cloud.device_client_id)', {
      code: 'CONFIG_INVALID',
      target: 'cloud.device_client_id',
      hints: [
        'log in as a service account with: weir cloud login -X cloud.client_id=ID (create one in Redpanda Cloud: Organization IAM, Service account)',
        "or in a browser, with your organization's public client: -X cloud.device_client_id=ID",
      ],
    });
  }
  const token = await deviceLogin(server, clientId, onPrompt);
  const key = { kind: 'sso', ...options.addresses, clientId } as const;
  const login: StoredLogin = {
    ...key,
    id: loginId(key),
    name: 'sso',
    organization: '',
    organizationId: '',
    token,
  };
  return await withOrganization(parts, login);
}

/** Adds the organization and a unique name to a login. */
async function withOrganization(parts: LoginParts, login: StoredLogin): Promise<StoredLogin> {
  const organization = await organizationOf(parts, login);
  const wanted = login.kind === 'sso' ? `sso-${organization.name || organization.id || 'login'}` : login.clientId;
  const taken = (await parts.files.list()).filter((other) => other.id !== login.id).map(({ name }) => name);
  const name = taken.includes(wanted) ? `${wanted}@${new URL(login.authUrl).host}` : wanted;
  return { ...login, name, organization: organization.name, organizationId: organization.id };
}

async function organizationOf(
  { options, organizationOf: ask }: LoginParts,
  { token }: StoredLogin,
): Promise<Organization> {
  try {
    return await ask(token?.text ?? '');
  } catch (error) {
    if (!(error instanceof CliError) || error.exitCode === exitCodes.auth || options.deadline.signal.aborted)
      throw error;
    // The older API only provides the name, so the login succeeds without it.
    options.warn(`logged in, but unable to read the organization: ${error.message}`);
    return { id: '', name: '' };
  }
}

function rowOf(login: StoredLogin, current: string | undefined): ControlPlaneLogin {
  const { name, kind, organization, organizationId, clientId, clientSecret, apiUrl, token, id } = login;
  return {
    name,
    kind,
    organization,
    organization_id: organizationId,
    client_id: clientId,
    api_url: apiUrl,
    secret_kept: clientSecret !== undefined,
    expires_at: token === undefined ? null : new Date(token.expiresAt).toISOString(),
    current: id === current,
  };
}
