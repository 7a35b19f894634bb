import type { Deadline } from '../../deadline.ts';
import type { Hosts } from '../../net/hosts.ts';
import type { Http } from '../../net/http.ts';
import type { HttpStream } from '../../net/http-stream.ts';
import {
  authorizationOf,
  type Credentials,
  callsOf,
  type Call as JsonCall,
  renewedAuthorization,
} from '../../net/json-api/call.ts';
import { createJsonApi } from '../../net/json-api/client.ts';
import { ApiError, answerWithout } from '../../net/json-api/error.ts';
import type { Retry, RetryWorld } from '../../net/retry.ts';
import { secretsOfHeader } from '../../net/secret.ts';
import { answerError, checkAddress, notAdmin, withoutText } from './answer-error.ts';
import { chosenUrl, isDowngrade } from './node-url.ts';
import { type BrokerHost, createNodes } from './nodes.ts';

/**
 * Which node a request goes to: any configured one, the leader of the controller, the one with an id, or the one at a
 * configured address.
 */
export type Target = 'any' | 'leader' | { readonly node: number } | { readonly host: string };

/** What a call to the Admin API may say besides. */
interface AdminCall {
  /** Default: `any`. A node that may not answer itself forwards the request or redirects to the one that may. */
  readonly to?: Target;
  /** Whether the body has a password, so that a connection that does not protect it is warned of. */
  readonly holdsPassword?: boolean;
  /** A secret in the body of which errors repeat no piece either, even if the server does. */
  readonly hides?: string;
}

/** One request to the Admin API. */
export type Call<T> = JsonCall<T> & AdminCall;

/** The functions that declare calls to the Admin API. */
export const calls = callsOf<AdminCall>();

/** A file of one node. */
export interface Download extends Pick<Call<unknown>, 'doing' | 'path'> {
  readonly to: { readonly node: number };
}

/** Requests to the Admin API, with its limits and retries. */
export interface Api {
  call<T>(call: Call<T>): Promise<T>;
  /**
   * Requests a file once, from one node, without redirects: only this node has it.
   * @returns the body of the answer
   * @throws CliError if the node does not answer with the file; later, from the stream, if it does not arrive whole
   */
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

/** Creates the API without sending a request. */
export function createApi(parts: ApiParts): Api {
  const { hosts, http, urls, world, credentials, deadline } = parts;
  const { signal } = deadline;

  const api = createJsonApi<AdminCall>(
    {
      doubts: {
        // The server also answers 503 if it loses its leadership while it replicates the change.
        mayBeMade: (status) => [502, 503, 504].includes(status),
        hint: () => 'the cluster may have made the change: check before you repeat the command',
      },
      // The list of partitions has about 150 bytes for each, and a cluster can have hundreds of thousands.
      maxBytes: 64 * 1024 * 1024,
      addressHint: checkAddress,
      at,
      authorization: () => credentials && authorizationOf(credentials),
      renewed: (refused) => renewedAuthorization(credentials, refused),
      sending: ({ holdsPassword }, url) => holdsPassword && parts.warnOfPassword(url),
      isEmpty: ({ body }) => body.length === 0,
      refusal: ({ doing, hides }, what, answer) =>
        answerError(doing, what, hides === undefined ? answer : withoutText(answer, hides), credentials ?? 'none'),
      foreign: ({ doing }, what, answer) => notAdmin(doing, what, answer),
      // Where in a list it is says less than its name.
      placeName: (place, form) => place.split('.').findLast((name) => !/^\d+$/.test(name)) ?? form,
      redirects: {
        mayFollow: (target, from) => nodes.isOfCluster(target, from),
        isDowngrade: (target) => isDowngrade(target, urls),
        pause: (milliseconds) => world.sleep(milliseconds, signal),
        advice: {
          unencrypted: 'if a proxy ends TLS before the cluster, add the address of every broker to admin.hosts',
          foreign: ({ hostname, host }) => `if ${hostname} is a broker of this cluster, add ${host} to admin.hosts`,
          tooMany: 'the leader of the cluster may be moving: see its health with weir cluster health',
        },
      },
    },
    { http, retry: (doing, attempt) => parts.retry(`the request to ${doing}`, attempt), signal },
  );
  const nodes = createNodes(urls, {
    any: (read) => hosts.attempt((url) => api.send(read, url, (target) => nodes.isConfigured(target))),
    at: (url, read) => api.send(read, url, () => false),
    announced: parts.announcedBrokers,
  });

  const urlOf = async (to: Exclude<Target, string>): Promise<string> =>
    'host' in to ? chosenUrl(urls, to.host) : await nodes.urlOf(to.node);

  async function at<T>({ to = 'any' }: Call<T>, send: (baseUrl: string) => Promise<T>): Promise<T> {
    if (to === 'any') return await hosts.attempt(send);
    if (to !== 'leader') return await parts.hostsAt(await urlOf(to)).attempt(send);
    const url = await nodes.leader();
    if (url === undefined) return await hosts.attempt(send);
    try {
      return await send(url);
    } catch (error) {
      // The leadership may have moved on.
      if (!(error instanceof ApiError) || error.retryable) nodes.forgetLeader();
      throw error;
    }
  }

  return {
    call: api.call,
    async download({ doing, path, to }) {
      const url = (await urlOf(to)) + path;
      const authorization = credentials && (await authorizationOf(credentials));
      const answer = await http.stream({ method: 'GET', url, headers: authorization ? { authorization } : {} });
      const { status } = answer;
      if (status >= 200 && status <= 299) return answer.chunks;
      const told = answerWithout({ ...answer, body: await startOf(answer) }, secretsOfHeader(authorization));
      throw answerError(doing, `GET ${url}`, told);
    },
  };
}

/** The most bytes of an error answer to a download that are read. */
const mostErrorBytes = 64 * 1024;

async function startOf({ chunks }: HttpStream): Promise<Buffer> {
  const read: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    read.push(chunk);
    length += chunk.length;
    if (length > mostErrorBytes) break;
  }
  return Buffer.concat(read);
}
