import type { Reply } from '../../http/reply.ts';
import { AdminError } from '../http/admin-error.ts';
import { by, type Call, done, ok, type Route, route } from '../http/call.ts';
import { toSeconds, type World } from '../world.ts';

/** The routes of OpenID Connect. */
export const oidcRoutes: readonly Route[] = [
  route('oidc.whoami', 'GET /v1/security/oidc/whoami', by.user, whoami),
  route('oidc.keys.invalidate', 'POST /v1/security/oidc/keys/cache_invalidate', by.superuser, () => done),
  route('oidc.revoke', 'POST /v1/security/oidc/revoke', by.superuser, revoke),
];

function whoami({ state }: World, { headers, user }: Call): Reply {
  const [scheme, token = ''] = (headers.authorization ?? '').split(/ +/);
  const known = scheme?.toLowerCase() === 'bearer' ? state.tokens.get(token) : undefined;
  if (known === undefined || user === null) throw new AdminError(401, 'a valid token is required');
  return ok({ id: known.principal, expire: toSeconds(known.expiresAt) });
}

function revoke({ state }: World): Reply {
  state.tokens.clear();
  return done;
}
