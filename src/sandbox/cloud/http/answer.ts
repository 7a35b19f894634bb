import { authenticate, demandAnywhere } from '../auth/authorize.ts';
import { oauthError } from '../auth/issue.ts';
import type { World } from '../world.ts';
import { ApiError, codes, errorBody } from './api-error.ts';
import type { Call, Principal, Reply, Route } from './call.ts';
import { codeOfStatus, type Effect } from './faults.ts';
import { spell } from './spelling.ts';

/** Authenticates the caller as the route requires; undefined for open routes. */
export function admit(world: World, route: Route, authorization: string | undefined): Principal | undefined {
  if (route.access === 'open') return undefined;
  const principal = authenticate(world, authorization);
  if (route.access !== 'token') demandAnywhere(world, principal.accountId, route.access);
  return principal;
}

/** Calls the route and spells its response body as the settings say. */
export function answer(world: World, route: Route, call: Call): Reply {
  const reply = route.handle(world, call);
  if (reply.body === undefined || !route.path.startsWith('/v1/')) return reply;
  return { ...reply, body: spell(reply.body, world.state.settings) };
}

/** Converts an error to a response: the API's own error, or 500 for a bug in the simulator. */
export function refusal(world: World, error: unknown): Reply {
  const { settings } = world.state;
  const known =
    error instanceof ApiError ? error : new ApiError('INTERNAL', `internal error of the simulator: ${String(error)}`);
  return { status: codes[known.code].status, body: spell(errorBody(known, settings.errorCodes), settings) };
}

/** The response of a `status` fault, which replaces the route's own. */
export function faultReply(world: World, route: Route, effect: Extract<Effect, { kind: 'status' }>): Reply {
  const { status, headers = {}, message = 'a simulated fault', reason } = effect;
  const code = effect.code ?? codeOfStatus(status);
  const details = reason === undefined ? {} : { reason };
  if (effect.body !== undefined) return { status, headers, body: effect.body };
  if (route.name.startsWith('oauth.')) return { ...oauthError(status, 'server_error', message), headers };
  return { status, headers, body: errorBody(new ApiError(code, message, details), world.state.settings.errorCodes) };
}
