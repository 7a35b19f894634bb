import type { Deadline } from '../deadline.ts';
import type { Hosts } from '../net/hosts.ts';
import type { Http, HttpRequest } from '../net/http.ts';
import { basicAuth, type Credentials, onceSent, type Query, queryText } from '../net/http-call.ts';
import { parseJson } from '../net/json.ts';
import type { Retry, RetryWorld } from '../net/retry.ts';
import { AdminError, answerError, notAdmin } from './answer-error.ts';
import { createNodes, type Nodes } from './nodes.ts';
import { sendFollowing } from './redirects.ts';

/** Which node a request goes to: any configured one, the leader of the controller, or the one with an id. */
export type Target = 'any' | 'leader' | { readonly node: number };

/** One request to the Admin API. */
export interface Call<T> {
  /** The action for error messages, for example `read the brokers`. */
  readonly doing: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The path with its version, made with `pathOf`. */
  readonly path: string;
  readonly query?: Query;
  /** A body, sent as JSON; text is sent as it is. */
  readonly body?: unknown;
  /** Default: `any`. A node that may not answer itself forwards the request or redirects to the one that may. */
  readonly to?: Target;
  /** Whether the request can be repeated although an earlier one may have arrived (default: whether it is a GET). */
  readonly repeats?: boolean;
  /**
   * Reads what the call is about from the answer; undefined for an empty one.
   * @param what the request, for errors
   */
  read(body: unknown, what: string): T;
}

/** Requests to the Admin API, with its limits and retries. */
export interface Api {
  call<T>(call: Call<T>): Promise<T>;
  readonly nodes: Nodes;
}

/** The parts that requests need. */
export interface ApiParts {
  readonly http: Http;
  readonly hosts: Hosts;
  /** The base URLs of the configured addresses. */
  readonly urls: readonly string[];
  readonly retry: Retry;
  readonly world: RetryWorld;
  readonly deadline: Deadline;
  readonly credentials: Credentials | undefined;
}

/** Opens the API without sending a request. */
export function openApi(parts: ApiParts): Api {
  const nodes = createNodes(parts.urls, {
    any: (doing, path) => parts.hosts.attempt((url) => send(url, readOf(doing, path))),
    at: (url, doing, path) => send(url, readOf(doing, path)),
  });

  async function send<T>(baseUrl: string, call: Call<T>): Promise<T> {
    const { method, doing } = call;
    try {
      const { answer, url } = await sendFollowing(requestOf(parts, call, baseUrl), { ...parts, nodes, doing });
      const what = `${method} ${url}`;
      if (answer.status < 200 || answer.status > 299) throw answerError(doing, what, answer);
      if (answer.body.length === 0) return call.read(undefined, what);
      const parsed = parseJson(answer.body);
      if (parsed === undefined) throw notAdmin(doing, what, answer);
      return call.read(parsed, what);
    } catch (error) {
      throw method === 'GET' || call.repeats === true ? error : onceSent(error, 'cluster');
    }
  }

  async function attempt<T>(call: Call<T>): Promise<T> {
    const { to = 'any' } = call;
    const url = to === 'any' ? undefined : to === 'leader' ? await nodes.leader() : await nodes.urlOf(to.node);
    if (url === undefined) return parts.hosts.attempt((baseUrl) => send(baseUrl, call));
    try {
      return await send(url, call);
    } catch (error) {
      // The leadership may have moved on.
      if (!(error instanceof AdminError) || error.retryable) nodes.forgetLeader();
      throw error;
    }
  }

  return { call: (call) => parts.retry(call.doing, () => attempt(call)), nodes };
}

function readOf(doing: string, path: string): Call<unknown> {
  return { doing, method: 'GET', path, read: (body) => body };
}

function requestOf({ credentials }: ApiParts, call: Call<unknown>, baseUrl: string): HttpRequest {
  const { method, path, query, body } = call;
  const isText = typeof body === 'string';
  return {
    method,
    url: baseUrl + path + queryText(query),
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': isText ? 'text/plain' : 'application/json' }),
      ...(credentials === undefined ? {} : { authorization: basicAuth(credentials) }),
    },
    ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
  };
}
