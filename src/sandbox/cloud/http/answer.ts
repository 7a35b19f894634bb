import { authenticate, demandAnywhere } from '../auth/authorize.ts';
import { oauthError } from '../auth/issue.ts';
import type { World } from '../world.ts';
import { ApiError, codes, errorBody } from './api-error.ts';
import type { Call, Principal, Reply, Route } from './call.ts';
import { codeOfStatus, type Effect } from './faults.ts';
import { spell } from './spelling.ts';

/** Finds out who calls, as far as the route asks for it. */
export function admit(world: World, route: Route, authorization: string | undefined): Principal | undefined {
  if (route.access === 'open') return undefined;
  const principal = authenticate(world, authorization);
  if (route.access !== 'token') demandAnywhere(world, principal.accountId, route.access);
  return principal;
}

/** Lets the route answer; a refusal becomes an error body. */
export function answer(world: World, route: Route, call: Call): Reply {
  const reply = route.handle(world, call);
  if (reply.body === undefined || !route.path.startsWith('/v1/')) return reply;
  return { ...reply, body: spell(reply.body, world.state.settings) };
}

/** The answer for an error: the API's own words for a refusal, 500 for a defect of the simulator. */
export function refusal(world: World, error: unknown): Reply {
  const { settings } = world.state;
  const known = error instanceof ApiError ? error : new ApiError('INTERNAL', `defect: ${String(error)}`);
  return { status: codes[known.code].status, body: spell(errorBody(known, settings.errorCodes), settings) };
}

/** The answer that a `status` fault gives instead of the route's. */
export function faultReply(world: World, route: Route, effect: Extract<Effect, { kind: 'status' }>): Reply {
  const { status, headers = {}, message = 'a fault of the simulator', reason } = effect;
  const code = effect.code ?? codeOfStatus(status);
  const details = reason === undefined ? {} : { reason };
  if (effect.body !== undefined) return { status, headers, body: effect.body };
  if (route.name.startsWith('oauth.')) return { ...oauthError(status, 'server_error', message), headers };
  return { status, headers, body: errorBody(new ApiError(code, message, details), world.state.settings.errorCodes) };
}
