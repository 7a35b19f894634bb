import { Invalid } from '../http/readers.ts';
import type { Reply } from '../http/reply.ts';
import { findRoute } from '../http/router.ts';
import type { Around, Asked, Outcome, Site } from '../http/server.ts';
import { authenticate, demandAnywhere } from './auth/authorize.ts';
import { ApiError, codes, errorBody, invalid } from './http/api-error.ts';
import type { Principal, Route } from './http/request.ts';
import { documentedRoutes, routes, stepTable } from './routes.ts';
import { settle } from './steps.ts';
import type { World } from './world.ts';

/** What a request led to. */
export interface CloudOutcome extends Outcome {
  /** The caller; undefined on open routes and for refused tokens. */
  readonly principal: Principal | undefined;
  /** The parsed body, if it was read. */
  readonly body: unknown;
}

/** The largest body, in bytes. */
const largestBody = 1 << 20;

/** Returns what the server needs to answer requests; `save` is called after each, before its response is sent. */
export function siteOf(
  world: World,
  save: () => void,
  around?: Around<Route, CloudOutcome>,
): Site<Route, CloudOutcome> {
  return {
    origin: world.url,
    largestBody,
    find(method, path) {
      if (!world.documentedOnly) return findRoute(routes, method, path);
      const route = findRoute(documentedRoutes, method, path);
      return route === 'other-method' ? undefined : route;
    },
    handle(exchange) {
      const outcome = handle(world, exchange);
      save();
      return outcome;
    },
    around,
  };
}

function handle(world: World, exchange: Asked<Route>): CloudOutcome {
  const { request, url, match } = exchange;
  let principal: Principal | undefined;
  let body: unknown;
  try {
    settle(world, stepTable);
    if (match === undefined) throw new ApiError('NOT_FOUND', 'Not Found');
    if (match === 'other-method') throw new ApiError('UNIMPLEMENTED', 'Method Not Allowed');
    const { route, params } = match;
    const { headers } = request;
    principal = admit(world, route, headers.authorization);
    body = bodyOf(exchange);
    const reply = route.handle(world, { params, query: url.searchParams, body, headers, principal });
    settle(world, stepTable);
    return { reply, principal, body };
  } catch (error) {
    return { reply: refusal(error), principal, body };
  }
}

/** Authenticates the caller as the route requires; undefined for open routes. */
function admit(world: World, { access }: Route, authorization: string | undefined): Principal | undefined {
  if (access === 'open') return undefined;
  const principal = authenticate(world, authorization);
  if (access !== 'token') demandAnywhere(world, principal.accountId, access);
  return principal;
}

/** Parses a body as a form or JSON, depending on its content type; undefined when it is empty. */
function bodyOf({ request, bytes, isTooLong }: Asked<Route>): unknown {
  if (isTooLong) throw new ApiError('INVALID_ARGUMENT', 'the body is longer than 1 MiB');
  if (bytes.length === 0) return undefined;
  const text = bytes.toString('utf8');
  if (request.headers['content-type']?.startsWith('application/x-www-form-urlencoded'))
    return Object.fromEntries(new URLSearchParams(text));
  try {
    return JSON.parse(text);
  } catch {
    throw invalid([{ field: 'body', description: 'must be JSON' }]);
  }
}

/** Converts an error to a response: the API's own error, or 500 for a bug in the simulator. */
function refusal(error: unknown): Reply {
  const failure = error instanceof Invalid ? invalid(error.violations) : error;
  const apiError =
    failure instanceof ApiError
      ? failure
      : new ApiError('INTERNAL', `internal error of the simulator: ${String(error)}`);
  return { status: codes[apiError.code], body: errorBody(apiError) };
}
