import type { Reader } from '../http/readers.ts';
import type { Reply } from '../http/reply.ts';
import { AdminError } from './admin-error.ts';
import { type AdminRequest, by, type Route, readJson, route, whole } from './request.ts';
import type { Release } from './settings.ts';
import type { World } from './world.ts';

/** The beginning of the paths of version 2 of the API. */
export const rpcPath = '/redpanda.core.admin.v2.';

/** The statuses of the codes of ConnectRPC (redpanda commit 1b95a07c: src/v/serde/protobuf/rpc.cc). */
const statuses = {
  invalid_argument: 400,
  failed_precondition: 400,
  unauthenticated: 401,
  permission_denied: 403,
  not_found: 404,
  already_exists: 409,
  resource_exhausted: 429,
  internal: 500,
  unavailable: 503,
} as const;

/** An error as version 2 of the API answers with it. */
export function rpcError(code: keyof typeof statuses, message: string): AdminError {
  return new AdminError(statuses[code], message, { code, message });
}

/** What the documented server makes of an error before or in a call of version 2 (its src/v/redpanda/admin/server.cc:400). */
export function asRpcError(error: unknown): unknown {
  if (!(error instanceof AdminError) || typeof (error.body as { code: unknown }).code === 'string') return error;
  if (error.status === 401) return rpcError('unauthenticated', error.message);
  if (error.status === 403) return rpcError('permission_denied', error.message);
  if (error.status === 503) return rpcError('unavailable', error.message);
  // The answer to a path that the server does not have is not that of a call.
  return error.status === 404 ? error : rpcError('internal', error.message);
}

/** What a call of version 2 is besides its name and method. */
interface Rpc<B> {
  readonly since: Release;
  readonly body: Reader<B>;
  /** Default: a superuser's read. */
  readonly who?: Pick<Route, 'level' | 'duty'>;
  /** Returns the message of the answer, with every field. */
  handle(world: World, body: B, request: AdminRequest): unknown;
}

/**
 * Declares a call of version 2, whose request may have the names of its fields in both forms.
 * @param method for example `ClusterService/ListKafkaConnections`
 */
export function rpc<B>(name: string, method: string, { since, body, who = by.superuser, handle }: Rpc<B>): Route {
  const answer = async (world: World, request: AdminRequest): Promise<Reply> => {
    if (!/^application\/json$/.test(request.headers['content-type'] ?? '')) {
      throw new AdminError(501, 'only JSON is simulated', { code: 'unimplemented', message: 'only JSON is simulated' });
    }
    return whole(await handle(world, readBody(request, body), request));
  };
  return { ...route(name, `POST ${rpcPath}${method}`, who, answer), since };
}

function readBody<B>(request: AdminRequest, body: Reader<B>): B {
  try {
    return readJson(request, (value, at) => body(inCamelCase(value), at));
  } catch (error) {
    throw error instanceof AdminError ? rpcError('invalid_argument', 'invalid request input') : error;
  }
}

function inCamelCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inCamelCase);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      inCamelCase(one),
    ]),
  );
}
