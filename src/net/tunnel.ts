import { lookup } from 'node:dns/promises';
import { isIP, type Socket } from 'node:net';
import type { Deadline } from '../deadline.ts';
import { CliError, exitCodes, withHints } from '../errors.ts';
import { once } from '../once.ts';
import { type Address, isHost, showHostPort } from './address.ts';
import { takeHead, Unexpected } from './arrival.ts';
import { dialError, dialTimeout, type Peer } from './dial-error.ts';
import { type ProxyServer, type ProxySettings, proxyOfOption } from './proxies.ts';
import { type DialStep, openSocket } from './socket.ts';
import { askToConnect, replyMeaning, SignInRefused, signIn } from './socks.ts';
import { readTls, systemRoots, type TlsMaterial } from './tls.ts';

/** A connection to open through a tunnel. */
export interface TunnelDial {
  readonly to: Address;
  /** The peer at that address, for messages. */
  readonly peer: Peer;
  /** Returns how many milliseconds of the limit of the dial are left. */
  leftMs(): number;
  /** Ends the dial with its reason. */
  readonly signal: AbortSignal;
  /** Called when a step begins: `proxy`, then `DNS` if names are looked up here, then `TCP`. */
  onStep?(step: DialStep): void;
}

/** A way through a proxy to another host, which TLS or anything else begins on. */
export interface Tunnel {
  /** For example `socks5h proxy at 127.0.0.1:1080`. */
  readonly name: string;
  /** The user that signs in to the proxy; undefined: none. */
  readonly user: string | undefined;
  /** Whether names are looked up on this machine instead of by the proxy. */
  readonly looksUpHere: boolean;
  /** Opens a connection. @throws CliError (exit 5) with the step that failed */
  open(dial: TunnelDial): Promise<Socket>;
  /** Opens a connection to the proxy itself. @throws CliError (exit 5) */
  reach(dial: TunnelDial): Promise<Socket>;
}

/** Chooses the way to an address; undefined: no proxy. */
export type TunnelTo = (to: Address) => Tunnel | undefined;

/** The ways to brokers: through the proxy of `globals.proxy`, except for exempt hosts. */
export function brokerTunnels(settings: ProxySettings, deadline: Deadline): TunnelTo {
  const option = proxyOfOption(settings);
  if (option === undefined) return () => undefined;
  const tunnel = createTunnel(option.proxy, deadline);
  return (to) => (option.isExempt(to) ? undefined : tunnel);
}

/** Creates the tunnel through a proxy: SOCKS5 (RFC 1928), or CONNECT for HTTP proxies (RFC 9110 §9.3.6). */
export function createTunnel(proxy: ProxyServer, deadline: Deadline): Tunnel {
  // A proxy's own certificate is verified with the CA certificates of the system.
  const material = once(() => readTls(systemRoots, deadline.signal));
  const passageOf = async (dial: TunnelDial): Promise<Passage> => {
    const tls = proxy.scheme === 'https' ? await material() : undefined;
    dial.signal.throwIfAborted();
    return { proxy, deadline, dial, tls };
  };
  return {
    name: `${proxy.scheme} proxy at ${showHostPort(proxy)}`,
    user: proxy.user,
    looksUpHere: proxy.scheme === 'socks5',
    async open(dial) {
      dial.onStep?.('proxy');
      return await openThrough(await passageOf(dial));
    },
    reach: async (dial) => dialProxy(await passageOf(dial)),
  };
}

/** One connection through a proxy. */
interface Passage {
  readonly proxy: ProxyServer;
  readonly deadline: Deadline;
  readonly dial: TunnelDial;
  readonly tls: TlsMaterial | undefined;
}

async function openThrough(passage: Passage): Promise<Socket> {
  const { proxy, deadline, dial } = passage;
  const { signal } = dial;
  const socket = await dialProxy(passage);
  const { promise: broken, reject: fail } = Promise.withResolvers<never>();
  broken.catch(() => undefined);
  socket.on('error', fail);
  const onClose = (): void => fail(new Unexpected('it closed the connection'));
  socket.once('close', onClose);
  const protocol = proxy.scheme.startsWith('socks') ? 'SOCKS5' : 'CONNECT';
  const cancelLimit = deadline.clock.after(dial.leftMs(), () => socket.destroy(timeout(protocol, passage)));
  const done = deadline.waitingFor(`a tunnel through ${proxyText(proxy)}`);
  const onAbort = (): void => void socket.destroy(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    const work = protocol === 'SOCKS5' ? throughSocks(socket, passage) : throughHttp(socket, passage);
    await Promise.race([broken, work]);
    // The connection may end before its next owner listens.
    if (socket.destroyed) throw new Unexpected('it closed the connection');
    return socket;
  } catch (error) {
    socket.destroy();
    throw signal.aborted ? signal.reason : failure(error, passage);
  } finally {
    cancelLimit();
    done();
    socket.off('close', onClose);
    signal.removeEventListener('abort', onAbort);
  }
}

/** Connects to the proxy itself. */
async function dialProxy(passage: Passage): Promise<Socket> {
  const { proxy, deadline, dial, tls } = passage;
  const { signal } = dial;
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const done = deadline.waitingFor(`a connection to ${proxyText(proxy)}`);
  let step: DialStep = 'DNS';
  const socket = openSocket({
    address: { host: proxy.host, port: proxy.port },
    tls,
    clock: deadline.clock,
    dialMs: dial.leftMs(),
    onStep: (next) => {
      step = next;
    },
    onConnect: () => resolve(socket),
    timeoutError: () => timeout(step, passage),
  });
  const onAbort = (): void => void socket.destroy(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  const onError = (error: Error): void => {
    reject(signal.aborted ? signal.reason : ofProxy(dialError(step, error, peerOf(proxy)), passage));
  };
  const onClose = (): void => onError(new Error('it closed the connection'));
  socket.on('error', onError);
  socket.once('close', onClose);
  try {
    return await promise;
  } finally {
    done();
    signal.removeEventListener('abort', onAbort);
    socket.off('close', onClose);
  }
}

async function throughSocks(socket: Socket, { proxy, dial }: Passage): Promise<void> {
  const { to } = dial;
  await signIn(socket, proxy.user, proxy.password);
  let { host } = to;
  if (proxy.scheme === 'socks5' && isIP(host) === 0) {
    dial.onStep?.('DNS');
    host = await lookUp(host, dial.peer, proxy);
  }
  dial.onStep?.('TCP');
  const reply = await askToConnect(socket, host, to.port);
  if (reply !== 0) throw new Refused(replyMeaning(reply));
}

/** Looks a name up on this machine, as curl does for `socks5`. Fewer proxies can connect to IPv6 addresses. */
async function lookUp(host: string, peer: Peer, proxy: ProxyServer): Promise<string> {
  try {
    return (await lookup(host, { order: 'ipv4first' })).address;
  } catch (error) {
    const failure = dialError('DNS', error instanceof Error ? error : new Error(String(error)), peer);
    throw withHints(failure, [lookUpThere(proxy)]);
  }
}

function lookUpThere({ from }: ProxyServer): string {
  return `or let the proxy look the name up: socks5h:// instead of socks5:// in ${from}`;
}

/** What a proxy answers that does not connect, and whether a repetition may help. */
interface Reply {
  readonly text: string;
  readonly retryable: boolean;
}

/** A proxy that has signed us in, but does not connect. */
class Refused extends Error {
  readonly reply: Reply;

  constructor(reply: Reply) {
    super(reply.text);
    this.reply = reply;
  }
}

/** The reply of an HTTP proxy that does not connect. */
export function replyOf(status: number): Reply {
  return { text: `status ${status}`, retryable: status >= 500 };
}

/** The most bytes in the head of an answer to CONNECT, as in Node.js. */
const mostHeadBytes = 16 * 1024;

async function throughHttp(socket: Socket, { proxy, dial }: Passage): Promise<void> {
  // With a line break in it, the proxy would read further requests, to places of the choice of whoever announced the host.
  if (!isHost(dial.to.host)) throw new Unexpected('the host name is not valid');
  const target = showHostPort(dial.to);
  const headers = Object.entries({ host: target, ...proxyHeaders(proxy) }).map(([name, value]) => `${name}: ${value}`);
  socket.write(`CONNECT ${target} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
  dial.onStep?.('TCP');
  const { status, isPage } = await finalHead(socket);
  // Some proxies answer 401 if the password is wrong.
  if (status === 407 || status === 401) {
    const withUser = proxy.user !== undefined;
    throw new SignInRefused(`it ${withUser ? 'refused the' : 'requires a'} user and password (${status})`, withUser);
  }
  if (status < 200 || status > 299) {
    throw new Refused(replyOf(status));
  }
  if (isPage) throw new Unexpected('it answered CONNECT with a web page: it is a web server, not a proxy');
}

async function finalHead(socket: Socket): Promise<{ readonly status: number; readonly isPage: boolean }> {
  for (;;) {
    const [line = '', ...headers] = (await takeHead(socket, mostHeadBytes)).split('\r\n');
    const status = Number(/^HTTP\/1\.\d (\d{3})(?: |$)/.exec(line)?.[1] ?? Number.NaN);
    if (Number.isNaN(status)) throw new Unexpected('the response is not HTTP');
    const isPage = headers.some((header) => /^content-type: *text\/html\b/i.test(header));
    if (status >= 200) return { status, isPage };
  }
}

/** The header with the user and password of an HTTP proxy, if it has them. */
export function proxyHeaders({ user, password }: ProxyServer): Record<string, string> {
  if (user === undefined) return {};
  return { 'proxy-authorization': `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}

/** Reports an HTTP proxy that demands a user and a password for a request that it reads. */
export function unauthorized(proxy: ProxyServer): CliError {
  return new CliError(
    exitCodes.unreachable,
    `unable to connect through ${proxyText(proxy)}: it requires a user and password (407)`,
    { code: 'PROXY_FAILED', target: proxy.from, hints: [signInHint(proxy)] },
  );
}

function failure(error: unknown, passage: Passage): CliError {
  const { proxy, dial } = passage;
  const { onStep } = dial;
  if (error instanceof CliError) return error;
  if (error instanceof Refused) {
    return refusedBy(proxy, dial, error.reply, error.message === 'status 403' ? [portHint(dial.to)] : []);
  }
  onStep?.('proxy');
  const reason = error instanceof Unexpected || error instanceof SignInRefused ? error.message : reasonOf(error, proxy);
  const hints = error instanceof SignInRefused ? [signInHint(proxy)] : [schemeHint(reason, proxy)];
  return failed(passage, reason, { hints, retryable: /closed|reset/.test(reason) });
}

/** Reports a proxy that does not connect. @param hints those that come first */
export function refusedBy(
  proxy: ProxyServer,
  { to, peer }: { readonly to: Address; readonly peer: Pick<Peer, 'name' | 'addressHint'> },
  { text, retryable }: Reply,
  hints: readonly string[] = [],
): CliError {
  return new CliError(
    exitCodes.unreachable,
    `unable to connect to ${peer.name}: TCP: ${proxyText(proxy)} answered: ${text}`,
    {
      code: 'PROXY_REFUSED',
      target: peer.name,
      hints: [...hints, ...refusedHints(to, peer, proxy)],
      retryable,
    },
  );
}

function portHint({ port }: Address): string {
  return `ask whether the proxy allows port ${port}: many allow only 443`;
}

function refusedHints(to: Address, { addressHint }: Pick<Peer, 'addressHint'>, proxy: ProxyServer): readonly string[] {
  const reach = `check the address (${addressHint}), and that the proxy can reach it`;
  const without = 'or name the host in no_proxy if it needs no proxy';
  if (proxy.scheme !== 'socks5' || isIP(to.host) !== 0) return [reach, without];
  return [reach, lookUpThere(proxy)];
}

function signInHint({ from, scheme, user }: ProxyServer): string {
  return user === undefined
    ? `put them in the proxy's URL: ${from}=${scheme}://USER:PASSWORD@HOST:PORT`
    : `check the user and password in the proxy's URL (${from})`;
}

function schemeHint(reason: string, { from }: ProxyServer): string {
  if (reason.endsWith('with HTTP')) return `if it is an HTTP proxy, use http:// in ${from}`;
  if (reason.endsWith('with SOCKS5')) return `use socks5h:// in ${from}`;
  return `check ${from}, or name the host in no_proxy`;
}

/** Reports that the proxy itself cannot be connected to. */
function ofProxy(error: CliError, passage: Passage): CliError {
  if (error.code === 'DIAL_TIMEOUT') return error;
  const { hints, retryable } = error;
  return failed(passage, error.message.replace(`unable to connect to ${proxyText(passage.proxy)}: `, ''), {
    hints,
    retryable,
  });
}

function failed({ proxy, dial }: Passage, why: string, details: Pick<CliError, 'hints' | 'retryable'>): CliError {
  const message = `unable to connect to ${dial.peer.name}: ${proxyText(proxy)}: ${why}`;
  return new CliError(exitCodes.unreachable, message, { code: 'PROXY_FAILED', target: proxy.from, ...details });
}

/** Words for an error of the socket after it was connected. */
function reasonOf(error: unknown, proxy: ProxyServer): string {
  const failure = dialError('TCP', error instanceof Error ? error : new Error(String(error)), peerOf(proxy));
  return failure.message.replace(/^.*: TCP: /, '');
}

function timeout(step: DialStep | 'SOCKS5' | 'CONNECT', { proxy, dial, deadline }: Passage): CliError {
  return dialTimeout(step, dial.peer, deadline.options.dial, proxyText(proxy));
}

function peerOf(proxy: ProxyServer): Peer {
  return {
    name: proxyText(proxy),
    host: proxy.host,
    server: 'proxy',
    keyPrefix: undefined,
    addressHint: proxy.from,
  };
}

/** A proxy, for messages. */
export function proxyText(proxy: ProxyServer): string {
  return `the proxy at ${showHostPort(proxy)}`;
}
