import type { Reply } from '../http/reply.ts';
import { findRoute } from '../http/router.ts';
import type { Around, Outcome, Site } from '../http/server.ts';
import { AdminError, notFound } from './admin-error.ts';
import { progressTo } from './progress.ts';
import { redirectOf } from './redirect.ts';
import type { Route } from './request.ts';
import { servedRoutes } from './routes.ts';
import { authenticate, authorize } from './security/authenticate.ts';
import type { Node } from './state.ts';
import type { World } from './world.ts';

/** What a request to a node led to. */
export interface AdminOutcome extends Outcome {
  /** The user that the credentials proved; null when they proved none. */
  readonly user: string | null;
}

/** The largest body, in bytes: room for a WebAssembly module. */
const largestBody = 16 << 20;

/** Returns what a node's listener needs to answer requests; `settle` brings the state up to the current time. */
export function siteOf(
  world: World,
  node: Node,
  settle: () => Promise<void>,
  around?: Around<Route, AdminOutcome>,
): Site<Route, AdminOutcome> {
  return {
    origin: `${world.scheme}://${node.host}`,
    largestBody,
    // Clients write list paths with or without a slash at the end.
    find: (method, path) => findRoute(servedRoutes, method, path.length > 1 ? path.replace(/\/$/, '') : path),
    async handle({ request, url, match, bytes }) {
      let user: string | null = null;
      try {
        await settle();
        if (typeof match !== 'object') throw notFound('Not found');
        const { headers } = request;
        const caller = await authenticate(world, node, headers.authorization);
        user = caller.user;
        authorize(caller, match.route.level);
        const redirect = redirectOf(world, node, { ...match, url }, request);
        if (redirect !== undefined) return { reply: redirect, user };
        const read = { node, params: match.params, query: url.searchParams, bytes, headers, user };
        const reply = await match.route.handle(world, read);
        progressTo(world, world.clock.now());
        return { reply, user };
      } catch (error) {
        return { reply: refusal(error), user };
      }
    },
    around,
  };
}

/** Converts an error to a response: the API's own error, or 500 for a bug in the simulator. */
function refusal(error: unknown): Reply {
  if (error instanceof AdminError) return { status: error.status, body: error.body };
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { status: 500, body: new AdminError(500, `internal error of the simulator: ${text}`).body };
}
