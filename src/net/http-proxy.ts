import type { Socket } from 'node:net';
import type { Dispatcher, Pool } from 'undici';
import type { Deadline } from '../deadline.ts';
import { dialTimeout } from './dial-error.ts';
import { createDialer, type Dialled, type Dialer, type DialRequest, unsent } from './http-dial.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type Undici = typeof import('undici');

/** The proxies of an environment. */
export interface Proxies {
  readonly httpProxy: string;
  readonly httpsProxy: string;
  readonly noProxy: string;
}

/** The options of undici that hold for every connection, also to a proxy. */
export interface AgentOptions {
  readonly headersTimeout: number;
  readonly bodyTimeout: number;
  readonly connect: never;
}

/** The proxies in the environment, lower-case variables first; undefined if there are none. */
export function proxiesOf(env: Environment): Proxies | undefined {
  const httpProxy = env.http_proxy || env.HTTP_PROXY || '';
  const httpsProxy = env.https_proxy || env.HTTPS_PROXY || '';
  const noProxy = env.no_proxy || env.NO_PROXY || '';
  return httpProxy === '' && httpsProxy === '' ? undefined : { httpProxy, httpsProxy, noProxy };
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
  const clientFactory = (origin: URL, given: object): Pool => {
    const tunnels = createTunnels(proxy, deadline);
    const pool = new undici.Pool(origin, { ...given, ...options, connect: tunnels.dial as never });
    // undici waits for the response to CONNECT without a limit.
    return Object.assign(pool, {
      async connect(request: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> {
        const answer = await connect.call(pool, request);
        tunnels.opened(answer.socket as Socket);
        return answer;
      },
    });
  };
  const given = { ...options, ...proxies, connectTimeout: deadline.limits.dialMs, clientFactory };
  return new undici.EnvHttpProxyAgent(given as ConstructorParameters<Undici['EnvHttpProxyAgent']>[0]);
}

/** The connections to a proxy. One limit covers the dial and the response to CONNECT together. */
function createTunnels(proxy: Dialer, deadline: Deadline) {
  const limits = new Map<Socket, () => void>();
  const opened = (socket: Socket): void => {
    limits.get(socket)?.();
    limits.delete(socket);
  };
  function dial(request: DialRequest, dialled: Dialled): void {
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
      dialled(error, socket);
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
