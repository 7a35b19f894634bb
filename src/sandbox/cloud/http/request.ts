import type { IncomingHttpHeaders } from 'node:http';
import type { Reply } from '../../http/reply.ts';
import type { World } from '../world.ts';

/** The caller identified by a token. */
export interface Principal {
  readonly accountId: string;
  readonly clientId: string;
  /** The token's `jti`, the only part of it that a journal may show. */
  readonly tokenId: string;
}

/** One request after reading and routing. */
export interface CloudRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The parsed JSON or form; undefined for an empty body. */
  readonly body: unknown;
  readonly headers: IncomingHttpHeaders;
  /** The caller; undefined on open routes. */
  readonly principal: Principal | undefined;
}

/** Who may call a route: anyone, anyone with a token, or any holder of at least this role in some scope. */
type Access = 'open' | 'token' | 'Reader' | 'Writer' | 'Admin';

/** One route of the API. */
export interface Route {
  /** A stable name for faults and the journal, for example `clusters.get`. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path, whose `{name}` segments become `params`. */
  readonly path: string;
  readonly access: Access;
  handle(world: World, request: CloudRequest): Reply;
}

/** A 200 response with a body. */
export function ok(body: unknown): Reply {
  return { status: 200, body };
}

/** A 201 response with a body. */
export function created(body: unknown): Reply {
  return { status: 201, body };
}

/** A 202 response with a body: the work continues. */
export function accepted(body: unknown): Reply {
  return { status: 202, body };
}
