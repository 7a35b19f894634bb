import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import type { Deadline } from '../deadline.ts';
import { CliError, exitCodes } from '../errors.ts';
import { type Address, showHostPort } from './address.ts';
import { dialTimeout } from './dial-error.ts';
import { type Dialer, type OpenTunnel, unsent } from './http-dial.ts';

/** A proxy and the environment variable that names it. Its URL may contain a password. */
export interface HttpProxy {
  readonly variable: string;
  readonly url: URL;
}

// Only requests through a proxy need node:http.
const load = createRequire(import.meta.url);

/** Creates what opens tunnels through a proxy with CONNECT (RFC 9110 §9.3.6). */
export function createTunnel(proxy: HttpProxy, dialer: Dialer, deadline: Deadline): OpenTunnel {
  const { hostname, protocol, port } = proxy.url;
  const request = { hostname: hostname.replace(/^\[(.+)\]$/, '$1'), protocol, port };
  return async (to, leftMs) => {
    const socket = await dialer.open(request, leftMs());
    const cancelLimit = deadline.clock.after(leftMs(), () => socket.destroy(silentProxy(proxy, deadline)));
    const done = deadline.waitingFor(`a tunnel through ${nameOf(proxy)}`);
    const onAbort = (): void => void socket.destroy(deadline.signal.reason);
    deadline.signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await connectThrough(socket, to, proxy);
    } catch (error) {
      socket.destroy();
      throw error;
    } finally {
      cancelLimit();
      deadline.signal.removeEventListener('abort', onAbort);
      done();
    }
  };
}

function connectThrough(socket: Socket, to: Address, proxy: HttpProxy): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const { request } = load('node:http') as typeof import('node:http');
  const target = showHostPort(to);
  const sent = request({
    method: 'CONNECT',
    path: target,
    headers: { host: target, ...proxyHeaders(proxy) },
    createConnection: () => socket,
  });
  sent.once('connect', ({ statusCode = 0 }, _, rest: Buffer) => {
    if (statusCode < 200 || statusCode > 299) return reject(proxyRefusal(proxy, statusCode));
    if (rest.length > 0) socket.unshift(rest);
    resolve(socket);
  });
  sent.once('error', (error) => {
    reject(error instanceof CliError ? error : failed(proxy, `CONNECT: ${reasonOf(error)}`, true));
  });
  sent.end();
  return promise;
}

/** The header with the user and password of a proxy, if its URL has them. */
export function proxyHeaders({ url }: HttpProxy): Record<string, string> {
  if (url.username === '') return {};
  const user = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(user).toString('base64')}` };
}

/** Reports a proxy that does not pass the request on. */
export function proxyRefusal(proxy: HttpProxy, status: number): CliError {
  const { variable } = proxy;
  if (status !== 407) return failed(proxy, `CONNECT: it answered with status ${status}`, status >= 500);
  return failed(proxy, 'it requires a user and password (407)', false, [
    `put them in the proxy's URL: ${variable}=http://USER:PASSWORD@HOST:PORT`,
  ]);
}

function nameOf({ url }: HttpProxy): string {
  return `the proxy at ${url.hostname}:${url.port || (url.protocol === 'https:' ? 443 : 80)}`;
}

function failed(proxy: HttpProxy, why: string, retryable: boolean, hints: readonly string[] = []): CliError {
  return unsent(
    new CliError(exitCodes.unreachable, `unable to connect through ${nameOf(proxy)}: ${why}`, {
      code: 'PROXY_FAILED',
      target: proxy.variable,
      hints: hints.length > 0 ? hints : [`check ${proxy.variable}, or name the host in no_proxy`],
      retryable,
    }),
  );
}

function reasonOf(error: Error): string {
  const code = 'code' in error ? String(error.code) : '';
  if (code.startsWith('HPE_')) return 'the response is not HTTP';
  return code === 'ECONNRESET' ? 'it closed the connection' : error.message;
}

function silentProxy(proxy: HttpProxy, { options }: Deadline): CliError {
  const { hostname } = proxy.url;
  const peer = { name: nameOf(proxy), host: hostname, server: 'proxy', keyPrefix: undefined, addressHint: '' };
  return unsent(dialTimeout('CONNECT', peer, options.dial));
}
