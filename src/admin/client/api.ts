import type { Deadline } from '../../deadline.ts';
import type { Hosts } from '../../net/hosts.ts';
import type { Http, HttpRequest } from '../../net/http.ts';
import { basicAuth, type Credentials, type Query, queryText, sayIfCut } from '../../net/http-call.ts';
import { parseJson } from '../../net/json.ts';
import type { Retry, RetryWorld } from '../../net/retry.ts';
import { briefUrl } from '../../net/shown-url.ts';
import type { BrokerHost } from '../admin.ts';
import { AdminError, answerError, notAdmin } from './answer-error.ts';
import { withDoubt } from './doubt.ts';
import { type Download, download } from './download.ts';
import { withoutText } from './hidden-text.ts';
import { chosenUrl } from './host-choice.ts';
import { createNodes } from './nodes.ts';
import { sendFollowing } from './redirects.ts';

/**
 * Which node a request goes to: any configured one, the leader of the controller, the one with an id, or the one at a
 * configured address.
 */
export type Target = 'any' | 'leader' | { readonly node: number } | { readonly host: string };

/** One request to the Admin API. */
export interface Call<T> {
  /** The action for error messages, for example `read the brokers`. */
  readonly doing: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The path with its version, made with `pathOf`. */
  readonly path: string;
  readonly query?: Query;
  /** A body, sent as JSON; text and bytes are sent as they are. */
  readonly body?: unknown;
  /** Whether the body has a password, so that a connection that does not protect it is warned of. */
  readonly holdsPassword?: boolean;
  /** Default: `any`. A node that may not answer itself forwards the request or redirects to the one that may. */
  readonly to?: Target;
  /**
   * Whether the request can be repeated although an earlier one may have arrived (default: whether it is a GET). One that
   * can not is only repeated if it was not sent, was throttled or was redirected too often.
   */
  readonly repeats?: boolean;
  /**
   * Sends the request once, whatever happens: for one of several nodes, whose failure is reported and must not hold up the
   * others until the limit of the command.
   */
  readonly once?: true;
  /** Asked if a repeated request is refused: whether that is because an earlier one has made the change. */
  isDone?(): Promise<boolean>;
  /** Parses the answer (default: `parseJson`); undefined if it is not JSON. */
  parse?(body: Buffer): unknown;
  /** A secret in the body: errors do not repeat it, even if the server does. */
  readonly hides?: string;
  /**
   * Reads what the call is about from the answer; undefined for an empty one.
   * @param what the request, for errors
   */
  read(body: unknown, what: string): T;
}

/** Requests to the Admin API, with its limits and retries. */
export interface Api {
  call<T>(call: Call<T>): Promise<T>;
  /** Sends a request once, to one node, and returns the body of its answer as a stream. */
  download(call: Download): Promise<AsyncIterable<Uint8Array>>;
}

/** The parts that requests need. */
export interface ApiParts {
  readonly http: Pick<Http, 'request' | 'stream'>;
  /** Called with the URL before a request with a password in its body is sent. */
  warnOfPassword(url: string): void;
  readonly hosts: Hosts;
  /** The base URLs of the configured addresses. */
  readonly urls: readonly string[];
  /** Limits the attempts at one node, whose base URL it is, like those at the configured addresses. */
  hostsAt(url: string): Hosts;
  /** What the cluster announces to Kafka clients. */
  announcedBrokers(): Promise<readonly BrokerHost[]>;
  readonly retry: Retry;
  readonly world: RetryWorld;
  readonly deadline: Deadline;
  readonly credentials: Credentials | undefined;
}

/** Opens the API without sending a request. */
export function openApi(parts: ApiParts): Api {
  const { hosts, retry } = parts;
  const nodes = createNodes(parts.urls, {
    any: (read) => hosts.attempt((url) => send(parts, url, { method: 'GET', ...read }, (to) => nodes.isConfigured(to))),
    at: (url, read) => send(parts, url, { method: 'GET', ...read }, () => false),
    announced: parts.announcedBrokers,
  });
  const follow: MayFollow = (target, from) => nodes.isOfCluster(target, from);

  const urlOf = async (to: Exclude<Target, string>): Promise<string> =>
    'host' in to ? chosenUrl(parts.urls, to.host) : await nodes.urlOf(to.node);

  async function attempt<T>(call: Call<T>, sending: ApiParts): Promise<T> {
    const { to = 'any' } = call;
    const sendTo = (url: string): Promise<T> => send(sending, url, call, follow);
    if (to === 'any') return await hosts.attempt(sendTo);
    if (to !== 'leader') return await parts.hostsAt(await urlOf(to)).attempt(sendTo);
    const url = await nodes.leader();
    if (url === undefined) return await hosts.attempt(sendTo);
    try {
      return await sendTo(url);
    } catch (error) {
      // The leadership may have moved on.
      if (!(error instanceof AdminError) || error.retryable) nodes.forgetLeader();
      throw error;
    }
  }

  return {
    async call(call) {
      const run = (http: Pick<Http, 'request'>) =>
        withDoubt(call, (inDoubt) => {
          const send = () => inDoubt(() => attempt(call, { ...parts, http: { ...parts.http, ...http } }));
          return call.once ? send() : retry(`the request to ${call.doing}`, send);
        });
      if (call.method === 'GET') return await run(parts.http);
      return await sayIfCut({ server: 'cluster', http: parts.http, signal: parts.deadline.signal }, run);
    },
    download: async (call) => download(parts, await urlOf(call.to), call),
  };
}

type MayFollow = (target: URL, from: string) => Promise<boolean> | boolean;

async function send<T>(parts: ApiParts, baseUrl: string, call: Call<T>, mayFollow: MayFollow): Promise<T> {
  const { method, doing } = call;
  const http = call.holdsPassword ? warning(parts) : parts.http;
  const { answer, url } = await sendFollowing(requestOf(parts, call, baseUrl), { ...parts, http, doing, mayFollow });
  const what = `${method} ${briefUrl(url)}`;
  if (answer.status < 200 || answer.status > 299) {
    const shown = call.hides === undefined ? answer : withoutText(answer, call.hides);
    throw answerError(doing, what, shown, parts.credentials === undefined);
  }
  if (answer.body.length === 0) return call.read(undefined, what);
  const parsed = (call.parse ?? parseJson)(answer.body);
  if (parsed === undefined) throw notAdmin(doing, what, answer);
  return call.read(parsed, what);
}

/** The same HTTP client, with a warning for every host that gets a password without encryption. */
function warning({ http, warnOfPassword }: ApiParts): Pick<Http, 'request'> {
  return {
    request(request) {
      warnOfPassword(request.url);
      return http.request(request);
    },
  };
}

function requestOf({ credentials }: ApiParts, call: Call<unknown>, baseUrl: string): HttpRequest {
  const { method, path, query, body } = call;
  return {
    method,
    url: baseUrl + path + queryText(query),
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': typeOf(body) }),
      ...(credentials === undefined ? {} : { authorization: basicAuth(credentials) }),
    },
    ...(body === undefined ? {} : { body: isWritten(body) ? body : JSON.stringify(body) }),
    maxBytes: mostBytes,
  };
}

/** The list of partitions has about 150 bytes for each, and a cluster can have hundreds of thousands. */
const mostBytes = 64 * 1024 * 1024;

function isWritten(body: unknown): body is string | Uint8Array {
  return typeof body === 'string' || body instanceof Uint8Array;
}

function typeOf(body: unknown): string {
  if (typeof body === 'string') return 'text/plain';
  return isWritten(body) ? 'application/octet-stream' : 'application/json';
}
