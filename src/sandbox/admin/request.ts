import type { IncomingHttpHeaders } from 'node:http';
import { Invalid, type Reader } from '../http/readers.ts';
import { param, type Reply } from '../http/reply.ts';
import { badRequest } from './admin-error.ts';
import type { Release } from './settings.ts';
import type { Node } from './state.ts';
import type { World } from './world.ts';

/** One request after reading, routing and authorization. */
export interface AdminRequest {
  /** The node that was asked. */
  readonly node: Node;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly bytes: Buffer;
  readonly headers: IncomingHttpHeaders;
  /** The authenticated user; null without valid credentials. */
  readonly user: string | null;
}

/** Who may call a route when authentication is required: anyone, any user, or superusers. */
export type Level = 'open' | 'user' | 'superuser';

/**
 * What a node does that is not the leader for a request: answer from its own state, forward the request internally, or
 * redirect the client to the leader of the controller or of the named partition.
 */
type Duty = 'local' | 'forward' | 'to-controller' | 'to-partition';

/** One route of the Admin API. */
export interface Route {
  /** A stable name for faults and the journal, for example `brokers.list`. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The path, whose `{name}` segments become `params`. */
  readonly path: string;
  readonly level: Level;
  readonly duty: Duty;
  /** The first release that has it (default: all have it). */
  readonly since?: Release;
  /** Whether a node answers this request itself, although its duty is to redirect it. */
  answersItself?(world: World, request: AdminRequest): boolean;
  handle(world: World, request: AdminRequest): Reply | Promise<Reply>;
}

/** The frequent combinations of level and duty. */
export const by = {
  open: { level: 'open', duty: 'local' },
  user: { level: 'user', duty: 'local' },
  superuser: { level: 'superuser', duty: 'local' },
  /** A superuser's write that every node forwards to the leader. */
  forwarded: { level: 'superuser', duty: 'forward' },
  /** A superuser's write that only the leader of the controller takes. */
  controller: { level: 'superuser', duty: 'to-controller' },
} as const satisfies Readonly<Record<string, Pick<Route, 'level' | 'duty'>>>;

/** Declares a route; `line` is its method and path. */
export function route(
  name: string,
  line: `${Route['method']} /${string}`,
  who: Pick<Route, 'level' | 'duty'>,
  handle: Route['handle'],
): Route {
  const space = line.indexOf(' ');
  return { name, method: line.slice(0, space) as Route['method'], path: line.slice(space + 1), ...who, handle };
}

/**
 * A 200 response with a JSON body. The real server's generated types leave out every list that is empty, unless the list is
 * the whole answer or its handler forces it out.
 * @param forced the names of the lists that are written even if they are empty
 */
export function ok(body: unknown, forced: readonly string[] = []): Reply {
  return whole(withoutEmptyLists(body, forced));
}

/** A 200 response with a JSON body that the real server does not write with its generated types. */
export function whole(body: unknown): Reply {
  return { status: 200, body };
}

function withoutEmptyLists(value: unknown, forced: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutEmptyLists(one, forced));
  if (typeof value !== 'object' || value === null) return value;
  const written = Object.entries(value).filter(
    ([name, one]) => !(Array.isArray(one) && one.length === 0) || forced.includes(name),
  );
  return Object.fromEntries(written.map(([name, one]) => [name, withoutEmptyLists(one, forced)]));
}

/** A 200 response without a body. */
export const done: Reply = { status: 200 };

/** Parses the body of a request as JSON of a certain form. @throws AdminError 400 */
export function readJson<T>({ bytes }: Pick<AdminRequest, 'bytes'>, reader: Reader<T>): T {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw badRequest(`unable to parse the body as JSON: ${(error as Error).message}`);
  }
  try {
    return reader(value, '');
  } catch (error) {
    throw error instanceof Invalid ? badRequest(error.message) : error;
  }
}

/** Reads a path parameter as a whole number from 0. @throws AdminError 400 */
export function numberParam(request: Pick<AdminRequest, 'params'>, name: string): number {
  return wholeNumber(param(request, name), name);
}

/** Reads a query parameter as a whole number from 0; undefined when it is absent. @throws AdminError 400 */
export function numberQuery({ query }: Pick<AdminRequest, 'query'>, name: string): number | undefined {
  const text = query.get(name);
  return text === null ? undefined : wholeNumber(text, name);
}

/** Reads a query parameter as a boolean; undefined when it is absent, and false for any text but `true` and `1`. */
export function booleanQuery({ query }: Pick<AdminRequest, 'query'>, name: string): boolean | undefined {
  const text = query.get(name)?.toLowerCase();
  return text === undefined ? undefined : text === 'true' || text === '1';
}

function wholeNumber(text: string, name: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw badRequest(`invalid value "${text}" of the parameter ${name}: expected a whole number`);
}
