import type { CliError } from '../../errors.ts';
import { type Address, parseAddress } from '../../net/address.ts';
import { baseUrl, type Hosts, onlyHost } from '../../net/hosts.ts';
import { HttpError } from '../../net/http-error.ts';
import type { HttpStream } from '../../net/http-stream.ts';
import { type ApiCall, callsOf } from '../../net/json-api/call.ts';
import { createJsonApi } from '../../net/json-api/client.ts';
import { authorizationOf, sentSecret } from '../../net/json-api/credentials.ts';
import type { Dialect } from '../../net/json-api/dialect.ts';
import { ApiError, answerWithout } from '../../net/json-api/error.ts';
import { type ApiOptions, openParts } from '../../net/json-api/open.ts';
import { plainHttpWarning } from '../../net/plain-http.ts';
import type { RetryWorld } from '../../net/retry.ts';
import { secretsOfHeader } from '../../net/secret.ts';
import { answerError, asTooOld, checkAddress, type Needs, notAdmin, withoutText } from './answer-error.ts';
import { chosenUrl, isDowngrade } from './node-url.ts';
import { type BrokerHost, createNodes, type Nodes } from './nodes.ts';

/**
 * Which node a request goes to: any configured one, the leader of the controller, the one with an id, or the one at a
 * configured address.
 */
export type Target = 'any' | 'leader' | { readonly node: number } | { readonly host: string };

/** What a call to the Admin API may say besides. */
export interface AdminCallOptions {
  /** Default: `any`. A node that may not answer itself forwards the request or redirects to the one that may. */
  readonly to?: Target;
  /** Whether the body has a password, so that a connection that does not protect it is warned of. */
  readonly holdsPassword?: boolean;
  /** A secret in the body of which errors repeat no piece either, even if the server does. */
  readonly hides?: string;
  /** What the cluster must have, for a call that earlier releases do not know. */
  readonly needs?: Needs;
}

/** One request to the Admin API. */
export type AdminCall<T> = ApiCall<T> & AdminCallOptions;

/** The functions that declare calls to the Admin API. */
export const calls = callsOf<AdminCallOptions>();

/** A file of one node. */
export interface Download extends Pick<AdminCall<unknown>, 'doing' | 'path'> {
  readonly to: { readonly node: number };
}

/** Requests to the Admin API, with its limits and retries. */
export interface Api {
  /** Who the requests say that they come from: a user, or the owner of a token; undefined for nobody. */
  readonly login: { readonly user: string } | 'token' | undefined;
  call<T>(call: AdminCall<T>): Promise<T>;
  /**
   * Requests a file once, from one node, without redirects: only this node has it.
   * @returns the body of the answer
   * @throws CliError if the node does not answer with the file; later, from the stream, if it does not arrive whole
   */
  download(call: Download): Promise<AsyncIterable<Uint8Array>>;
}

/** The options of the client of the Admin API. */
export interface AdminOptions extends ApiOptions {
  /**
   * What the cluster announces to Kafka clients, read over a configured connection: redirects may lead to these hosts as
   * well. None if the brokers are not configured.
   */
  readonly announcedBrokers?: () => Promise<readonly BrokerHost[]>;
  /** Explains the error of a first request whose connection was refused, for example if there is no Admin API at all. */
  readonly whenRefused?: (error: CliError) => Promise<CliError>;
}

/** The API, until it is closed. */
interface OpenApi {
  readonly api: Api;
  /** Closes all connections. */
  close(): void;
}

/** Opens what the calls of the client are made of; the first of them connects. */
export function openApi(options: AdminOptions, world: RetryWorld): OpenApi {
  const { addresses, usesTls, deadline, credentials, announcedBrokers = async () => [] } = options;
  const peer = { api: 'admin', server: 'Admin API', addressHint: '-X admin.hosts=HOST:PORT' } as const;
  const { http, hosts, hostsAt, ...parts } = openParts(options, peer, world);
  const plain = createPlainWatch(options);
  const urls = addresses.map((address) => baseUrl(address, usesTls));
  const nodes: Nodes = createNodes(urls, {
    any: (read) => json.attempt(read, hosts, (target) => nodes.isConfigured(target)),
    at: (url, read) => json.attempt(read, onlyHost(url), () => false),
    announced: announcedBrokers,
  });

  const urlOf = async (to: Exclude<Target, string>): Promise<string> =>
    'host' in to ? chosenUrl(urls, to.host) : await nodes.urlOf(to.node);

  async function hostsOf({ to = 'any' }: AdminCallOptions): Promise<Hosts> {
    if (to === 'any') return hosts;
    if (to !== 'leader') return hostsAt(parseAddress(await urlOf(to), form));
    const url = await nodes.leader();
    if (url === undefined) return hosts;
    return onlyHost(url, (error) => {
      // The leadership may have moved on.
      if (!(error instanceof ApiError) || error.retryable) nodes.forgetLeader();
    });
  }

  const dialect: Dialect<AdminCallOptions> = {
    doubts: {
      // The server also answers 503 if it loses its leadership while it replicates the change.
      mayBeMade: ({ status, retryable }) => retryable && [502, 503, 504].includes(status),
      hint: () => 'the cluster may have made the change: check before you repeat the command',
    },
    credentials,
    hosts: hostsOf,
    redirects: {
      mayFollow: nodes.isOfCluster,
      isDowngrade: (target) => isDowngrade(target, urls),
      pause: (milliseconds) => world.sleep(milliseconds, deadline.signal),
      advice: {
        // The server cuts the port off at the first colon of the host (redpanda src/v/redpanda/admin/server.cc:780).
        invalid: ({ hostname }) =>
          hostname.startsWith('[')
            ? ['brokers do not redirect from IPv6 addresses: use host names in admin.hosts']
            : [],
        unencrypted: 'if a proxy ends TLS before the cluster, add the address of every broker to admin.hosts',
        foreign: ({ hostname, host }) => `if ${hostname} is a broker of this cluster, add ${host} to admin.hosts`,
        tooMany: 'the leader of the cluster may be moving: see its health with weir cluster health',
      },
    },
    sending({ holdsPassword }, url) {
      if (holdsPassword) plain.sendingNewPassword(url);
      plain.sending(url);
    },
    unanswered: (error, { method }, hasAnswered) =>
      hasAnswered ? error : beforeAnyAnswer(error, method === 'GET', options.whenRefused),
    // The list of partitions has about 150 bytes for each, and a cluster can have hundreds of thousands.
    maxBytes: 64 * 1024 * 1024,
    isEmpty: ({ body }) => body.length === 0,
    refusal: ({ doing, hides, needs }, what, answer) =>
      (needs && asTooOld(doing, what, answer, needs)) ??
      answerError(doing, what, hides === undefined ? answer : withoutText(answer, hides), credentials ?? 'none'),
    foreign: ({ doing }, what, answer) => notAdmin(doing, what, answer),
    // Where in a list it is says less than its name.
    placeName: (place, form) => place.split('.').findLast((name) => !/^\d+$/.test(name)) ?? form,
    addressHint: checkAddress,
  };
  const json = createJsonApi(dialect, { ...parts, http });

  return {
    api: {
      login: credentials && ('user' in credentials ? { user: credentials.user } : 'token'),
      call: json.call,
      async download({ doing, path, to }) {
        const url = (await urlOf(to)) + path;
        const authorization = credentials && (await authorizationOf(credentials));
        plain.sending(url);
        const answer = await http.stream({ method: 'GET', url, headers: authorization ? { authorization } : {} });
        const { status } = answer;
        if (status >= 200 && status <= 299) return answer.chunks;
        const redacted = answerWithout({ ...answer, body: await startOf(answer) }, secretsOfHeader(authorization));
        throw answerError(doing, `GET ${url}`, redacted);
      },
    },
    close: http.close,
  };
}

const form = { defaultPort: 9644, scheme: 'http' } as const;

/**
 * Until a server has answered, a refused connection is explained by `whenRefused`, and a connection that it closes during a
 * read gets a hint about the address: brokers do that on the ports of the Kafka API, which are easily taken for this one.
 */
async function beforeAnyAnswer(
  error: HttpError,
  isRead: boolean,
  whenRefused: AdminOptions['whenRefused'],
): Promise<CliError> {
  if (error.code === 'CONNECTION_REFUSED') return (await whenRefused?.(error)) ?? error;
  if (!isRead || !error.sent || error.code !== 'CONNECTION_LOST') return error;
  const { message, sent, hints, target, retryable, cause } = error;
  const details = { hints: [...hints, checkAddress], retryable, cause };
  return new HttpError(message, { sent, ...details, ...(target !== undefined && { target }) });
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

/** Warns of passwords that go unencrypted to other machines, once for each host. */
interface PlainWatch {
  /** Called with the URL of every request, which has the password of the option `pass` if there is one. */
  sending(url: string): void;
  /** Called with the URL of a request whose body has the password of a user. */
  sendingNewPassword(url: string): void;
}

/** Warns about the configured addresses, and watches those that the cluster redirects to. */
function createPlainWatch(options: AdminOptions): PlainWatch {
  const { addresses, usesTls, credentials, warn } = options;
  const watch = (what?: string): ((given: readonly Address[]) => void) => {
    const warned = new Set<string>();
    return (given) => {
      const fresh = given.filter(({ host }) => !warned.has(host.toLowerCase()));
      for (const { host } of fresh) warned.add(host.toLowerCase());
      const warning = plainHttpWarning({ addresses: fresh, usesTls, key: 'admin.hosts', what });
      if (warning !== undefined) warn(warning);
    };
  };
  const ofLogin = credentials === undefined ? () => undefined : watch(sentSecret(credentials));
  const ofUser = watch('the password of the user');
  ofLogin(addresses);
  return {
    sending: (url) => ofLogin(addressesOf(url)),
    sendingNewPassword: (url) => ofUser(addressesOf(url)),
  };
}

function addressesOf(url: string): readonly Address[] {
  return [parseAddress(new URL(url).origin, form)];
}
