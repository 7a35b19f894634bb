import { AdminError, badRequest } from '../admin-error.ts';
import { effective } from '../config/effective.ts';
import { isPassword } from '../credentials.ts';
import type { Level } from '../request.ts';
import type { Node } from '../state.ts';
import type { World } from '../world.ts';

/** The caller of a request. */
interface Caller {
  /** The user that the credentials prove; null when they prove none. */
  readonly user: string | null;
  readonly isSuperuser: boolean;
}

/**
 * Identifies the caller. Wrong credentials are only an error when authentication is required; malformed ones always are.
 * @throws AdminError 400 for malformed credentials and schemes that are not enabled, 401 for wrong credentials
 */
export async function authenticate(world: World, node: Node, authorization: string | undefined): Promise<Caller> {
  const required = effective(node, 'admin_api_require_auth') === true;
  const user = authorization === undefined ? null : await userOf(world, node, authorization);
  if (user === null && authorization !== undefined && required) throw new AdminError(401, 'wrong user or password');
  const superusers = effective(node, 'superusers');
  const isNamed = user !== null && Array.isArray(superusers) && superusers.includes(user);
  return { user, isSuperuser: !required || isNamed };
}

/** Checks that a caller may call a route. @throws AdminError 401 or 403 */
export function authorize(caller: Caller, level: Level): void {
  if (level === 'open' || caller.isSuperuser) return;
  if (level === 'superuser') throw new AdminError(403, 'only a superuser may do this');
  if (caller.user === null) throw new AdminError(401, 'authentication is required');
}

async function userOf(world: World, node: Node, authorization: string): Promise<string | null> {
  const enabled = effective(node, 'http_authentication');
  const isEnabled = (scheme: string) => Array.isArray(enabled) && enabled.includes(scheme);
  const [, scheme = '', value = ''] = /^(\S+)(?: +(.*))?$/.exec(authorization) ?? [];
  if (scheme.toLowerCase() === 'basic' && isEnabled('BASIC')) return userOfBasic(world, value);
  throw badRequest('Unsupported Authorization method');
}

async function userOfBasic({ state, view }: World, value: string): Promise<string | null> {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(value) || value.length % 4 !== 0)
    throw badRequest('Malformed Authorization header');
  const decoded = Buffer.from(value, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  const [user, password] = [decoded.slice(0, colon), decoded.slice(colon + 1)];
  // The documented server does not accept an empty password, and says so with 400.
  if (colon < 0 || password === '') throw badRequest('Malformed Authorization header');
  const credential = state.users.get(user);
  if (credential !== undefined && isPassword(credential, password)) return user;
  return (await view.logsIn(user, password)) ? user : null;
}
