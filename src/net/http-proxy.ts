import type { Socket } from 'node:net';
import type { Dispatcher, Pool } from 'undici';
import type { Deadline } from '../deadline.ts';
import { type CliError, usageError } from '../errors.ts';
import { dialTimeout } from './dial-error.ts';
import { createDialer, type Dialed, type Dialer, type DialRequest, unsent } from './http-dial.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type Undici = typeof import('undici');

/** The proxies of an environment, as URLs. */
export interface Proxies {
  readonly httpProxy: string;
  readonly httpsProxy: string;
  readonly noProxy: string;
  /** What is wrong with a proxy, by its URL. Such a proxy fails only the requests that need it. */
  readonly faults: ReadonlyMap<string, CliError>;
}

/** The options of undici that hold for every connection, also to a proxy. */
export interface AgentOptions {
  readonly headersTimeout: number;
  readonly bodyTimeout: number;
  readonly connect: never;
}

/** The proxies in the environment, lower-case variables first; undefined if there are none. */
export function proxiesOf(env: Environment): Proxies | undefined {
  const faults = new Map<string, CliError>();
  const proxy = (name: string): string => {
    const variable = env[name] ? name : name.toUpperCase();
    const value = env[variable]?.trim() ?? '';
    if (value === '') return '';
    // As in other programs, a proxy without a scheme is an HTTP proxy.
    const url = /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`;
    const fault = faultOfProxy(variable, url);
    if (fault === undefined) return url;
    const never = `http://${name.replace('_', '-')}.invalid`;
    faults.set(never, fault);
    return never;
  };
  const [httpProxy, httpsProxy] = [proxy('http_proxy'), proxy('https_proxy')];
  const noProxy = env.no_proxy || env.NO_PROXY || '';
  return httpProxy === '' && httpsProxy === '' ? undefined : { httpProxy, httpsProxy, noProxy, faults };
}

/** Adds hosts to `no_proxy`, for example those on this machine. */
export function withoutProxyFor(env: Environment, hosts: readonly string[]): Environment {
  if (hosts.length === 0) return env;
  const given = env.no_proxy || env.NO_PROXY;
  return { ...env, no_proxy: [...(given ? [given] : []), ...new Set(hosts)].join(',') };
}

/** What is wrong with a proxy. The error does not show its URL, which may contain a password. */
function faultOfProxy(variable: string, text: string): CliError | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && isDecodable(url.username + url.password)) return undefined;
  const why =
    url === undefined || /^https?:$/.test(url.protocol)
      ? 'it is not a valid URL'
      : `weir cannot use a ${url.protocol.slice(0, -1)} proxy, only http and https`;
  return usageError(`invalid ${variable}: ${why}`, {
    code: 'CONFIG_INVALID',
    target: variable,
    hints: [`write it like this: ${variable}=http://HOST:PORT`, 'name the hosts that need no proxy in no_proxy'],
  });
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Creates the dispatcher that sends requests through proxies. */
export function createProxyAgent(
  undici: Undici,
  proxies: Proxies,
  options: AgentOptions,
  deadline: Deadline,
): Dispatcher {
  const proxy = createDialer({ deadline, tls: undefined, server: 'proxy', addressHint: 'http_proxy, https_proxy' });
  deadline.signal.addEventListener('abort', () => proxy.destroy(deadline.signal.reason), { once: true });
  const connect = undici.Pool.prototype.connect as (one: Dispatcher.ConnectOptions) => Promise<Dispatcher.ConnectData>;
  const check = (origin: string | URL): void => {
    const fault = proxies.faults.get(new URL(origin).origin);
    if (fault !== undefined) throw fault;
  };
  // undici makes no tunnel for http: and would dial the proxy itself.
  const factory = (origin: string | URL, given: Pool.Options): Pool => {
    check(origin);
    return new undici.Pool(origin, given);
  };
  const clientFactory = (origin: URL, given: object): Pool => {
    const tunnels = createTunnels(proxy, deadline);
    const pool = new undici.Pool(origin, { ...given, ...options, connect: tunnels.dial as never });
    // undici waits for the response to CONNECT without a limit.
    return Object.assign(pool, {
      async connect(request: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> {
        check(origin);
        const answer = await connect.call(pool, request);
        tunnels.opened(answer.socket as Socket);
        return answer;
      },
    });
  };
  const { httpProxy, httpsProxy, noProxy } = proxies;
  const connectTimeout = deadline.limits.dialMs;
  const given = { ...options, httpProxy, httpsProxy, noProxy, connectTimeout, factory, clientFactory };
  return new undici.EnvHttpProxyAgent(given as ConstructorParameters<Undici['EnvHttpProxyAgent']>[0]);
}

/** The connections to a proxy. One limit covers the dial and the response to CONNECT together. */
function createTunnels(proxy: Dialer, deadline: Deadline) {
  const limits = new Map<Socket, () => void>();
  const opened = (socket: Socket): void => {
    limits.get(socket)?.();
    limits.delete(socket);
  };
  function dial(request: DialRequest, dialed: Dialed): void {
    const { clock, limits: times } = deadline;
    const startedAt = clock.now();
    proxy.dial(request, (error, socket) => {
      if (socket !== null) {
        const leftMs = Math.max(1, times.dialMs - (clock.now() - startedAt));
        limits.set(
          socket,
          clock.after(leftMs, () => socket.destroy(silentProxy(request, deadline))),
        );
        socket.once('close', () => opened(socket));
      }
      dialed(error, socket);
    });
  }
  return { dial, opened };
}

function silentProxy({ hostname, port, protocol }: DialRequest, { options }: Deadline): Error {
  const address = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
  const peer = {
    name: `the proxy at ${address}`,
    host: hostname,
    server: 'proxy',
    keyPrefix: undefined,
    addressHint: '',
  };
  return unsent(dialTimeout('CONNECT', peer, options.dial));
}
