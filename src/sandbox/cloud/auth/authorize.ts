import { ApiError, type ApiErrorDetails } from '../http/api-error.ts';
import type { CloudRequest, Principal } from '../http/request.ts';
import { type Claims, verifyToken } from '../jwt.ts';
import { type Cluster, type Network, type Role, roles } from '../state.ts';
import type { World } from '../world.ts';

/**
 * Identifies the caller from an Authorization header.
 * @throws ApiError UNAUTHENTICATED with REASON_NO_TOKEN, REASON_TOKEN_EXPIRED or REASON_TOKEN_INVALID
 */
export function authenticate(world: World, header: string | undefined): Principal {
  if (header === undefined || header.trim() === '') {
    const links = [{ description: 'create credentials', url: `${world.url}/clients` }];
    throw unauthenticated('no token was sent', { reason: 'REASON_NO_TOKEN', links });
  }
  const token = /^Bearer ([\w.~+/-]+=*)$/i.exec(header)?.[1];
  const claims = token === undefined ? undefined : verifyToken(world.key, token);
  if (claims === undefined || claims.iss !== `${world.url}/` || !isFor(claims, world.audience)) throw badToken();
  const now = world.clock.now();
  if (claims.exp * 1000 <= now || claims.iat * 1000 < world.state.tokensValidFrom)
    throw unauthenticated('the token has expired', { reason: 'REASON_TOKEN_EXPIRED' });
  const accountId = accountOf(world, claims);
  if (accountId === undefined) throw badToken();
  return { accountId, clientId: claims.azp, tokenId: claims.jti };
}

function isFor(claims: Claims, audience: string): boolean {
  return claims.aud === audience || (Array.isArray(claims.aud) && claims.aud.includes(audience));
}

function accountOf(world: World, claims: Claims): string | undefined {
  if (claims.sub === `${claims.azp}@clients`) return world.state.clients.get(claims.azp)?.accountId;
  return world.state.users.get(claims.sub.replace(/^auth0\|/, ''))?.id;
}

function badToken(): ApiError {
  return unauthenticated('the token is not valid', { reason: 'REASON_TOKEN_INVALID' });
}

function unauthenticated(message: string, details: ApiErrorDetails): ApiError {
  return new ApiError('UNAUTHENTICATED', message, details);
}

/** Returns the caller of a route that is not open. @throws ApiError UNAUTHENTICATED when there is none */
function callerOf(request: CloudRequest): Principal {
  if (request.principal === undefined) throw unauthenticated('no token was sent', { reason: 'REASON_NO_TOKEN' });
  return request.principal;
}

/** The ids of the scopes in which a binding covers a resource: the organization and the given ids. */
export function scopesOf(world: World, ...ids: readonly string[]): readonly string[] {
  return [world.state.organization.id, ...ids];
}

/** The scopes that cover a network. */
export function scopesOfNetwork(world: World, network: Network): readonly string[] {
  return scopesOf(world, network.resourceGroupId, network.id);
}

/** The scopes that cover a cluster. */
export function scopesOfCluster(world: World, cluster: Cluster): readonly string[] {
  return scopesOf(world, cluster.resourceGroupId, cluster.networkId, cluster.id);
}

/** Checks whether the caller holds this role, or a stronger one, in one of the scopes. */
export function may(world: World, request: CloudRequest, role: Role, scopes: readonly string[]): boolean {
  const { accountId } = callerOf(request);
  return bindingsOf(world, accountId, role).some((binding) => scopes.includes(binding.scopeId));
}

/** Requires a role in one of the scopes. @throws ApiError PERMISSION_DENIED when the caller does not hold it */
export function demand(world: World, request: CloudRequest, role: Role, scopes: readonly string[]): void {
  if (!may(world, request, role, scopes)) throw denied(role);
}

/** Requires a role in any scope. @throws ApiError PERMISSION_DENIED when the account does not hold it */
export function demandAnywhere(world: World, accountId: string, role: Role): void {
  if (bindingsOf(world, accountId, role).length === 0) throw denied(role);
}

function bindingsOf(world: World, accountId: string, role: Role) {
  const enough = roles.slice(roles.indexOf(role));
  return [...world.state.roleBindings.values()].filter(
    (binding) => binding.accountId === accountId && enough.includes(binding.roleName),
  );
}

function denied(role: Role): ApiError {
  return new ApiError('PERMISSION_DENIED', `this requires the role ${role}`);
}
