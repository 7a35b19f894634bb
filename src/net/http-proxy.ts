import { type Address, hostInUrl, showHostPort } from './address.ts';
import { type Dialer, type DialerOptions, openDialer, unsent } from './http-dial.ts';
import { type Dispatched, type ExchangeHandler, flat, type Sender } from './http-exchange.ts';
import type { Proxies, ProxyServer } from './proxies.ts';
import { createTunnel, proxyHeaders, proxyText, refusedBy, replyOf, unauthorized } from './tunnel.ts';

/** The options of a sender that uses proxies. */
export interface ProxySenderOptions extends DialerOptions {
  /** Dials the targets that need no proxy. */
  readonly dialer: Dialer;
  /** Creates what sends requests over the connections of a dialer. */
  readonly agentOf: (dialer: Dialer) => Sender;
}

/**
 * Opens the sender that chooses the way of each request: directly, through an HTTP proxy that reads it (`http:`), or
 * through a tunnel (`https:`, which the proxy cannot read, and everything through a SOCKS proxy).
 */
export function openProxySender(proxies: Proxies, options: ProxySenderOptions): Sender {
  const { deadline } = options;
  const dialers: Dialer[] = [];
  const agents: Sender[] = [];
  const agentOf = (dialer: Dialer): Sender => {
    const agent = options.agentOf(dialer);
    agents.push(agent);
    return agent;
  };
  const agentWith = (given: DialerOptions): Sender => {
    const dialer = openDialer(given);
    dialers.push(dialer);
    return agentOf(dialer);
  };
  const closeDialers = (reason: Error): void => {
    for (const dialer of dialers) dialer.destroy(reason);
  };
  deadline.signal.addEventListener('abort', () => closeDialers(deadline.signal.reason), { once: true });
  const ways = new Map<string, Sender>();
  const way = (name: string, make: () => Sender): Sender => {
    const existing = ways.get(name) ?? make();
    ways.set(name, existing);
    return existing;
  };
  const direct = (): Sender => way('direct', () => agentOf(options.dialer));
  // The TLS options are those of the API. A proxy's own certificate is verified with the system's CA certificates.
  const forwarding = ({ from }: ProxyServer): Sender =>
    way('forwarding', () => agentWith({ deadline, tls: undefined, server: 'proxy', addressHint: from }));
  const tunnelling = (proxy: ProxyServer): Sender =>
    way(`tunnel of ${proxy.from}`, () => {
      const tunnel = createTunnel(proxy, deadline);
      return agentWith({ ...options, tunnelTo: () => tunnel });
    });

  return {
    dispatch(request, handler) {
      const target = new URL(request.origin);
      const proxy = target.protocol === 'https:' ? proxies.https : proxies.http;
      if (proxy === undefined || proxies.isExempt(addressOf(target))) direct().dispatch(request, handler);
      // It fails like a dial: the request was not sent.
      else if (!('from' in proxy)) handler.onResponseError(undefined, proxy);
      else if (isForwarded(target, proxy)) {
        handler.onForwarded(`${proxyText(proxy)} (${proxy.from})`);
        forwarding(proxy).dispatch(
          forwarded(request, target, proxy),
          watched(handler, { proxy, to: addressOf(target), options }),
        );
      } else tunnelling(proxy).dispatch(request, handler);
    },
    async destroy() {
      closeDialers(new Error('closed'));
      await Promise.all(agents.map((agent) => agent.destroy()));
    },
  };
}

/** The host and the port of a URL. */
export function addressOf({ hostname, port, protocol }: URL): Address {
  return { host: hostname.replace(/^\[(.+)\]$/, '$1'), port: Number(port) || (protocol === 'https:' ? 443 : 80) };
}

/** Whether the proxy reads the requests for a target and sends them itself. */
export function isForwarded({ protocol }: Pick<URL, 'protocol'>, { scheme }: ProxyServer): boolean {
  return protocol === 'http:' && (scheme === 'http' || scheme === 'https');
}

/** A request for a proxy that reads it: its path is the whole URL (RFC 9112 §3.2.2). */
function forwarded(request: Dispatched, target: URL, proxy: ProxyServer): Dispatched {
  const headers = { ...request.headers, host: target.host, ...proxyHeaders(proxy) };
  return {
    ...request,
    origin: `${proxy.scheme}://${hostInUrl(proxy)}:${proxy.port}`,
    path: `${target.origin}${request.path}`,
    headers,
  };
}

/** A request that a proxy reads. */
interface Forwarded {
  readonly proxy: ProxyServer;
  readonly to: Address;
  readonly options: Pick<DialerOptions, 'server' | 'addressHint'>;
}

/** Keeps what a proxy says for itself apart from the answers of the API. */
function watched(handler: ExchangeHandler, { proxy, to, options }: Forwarded): ExchangeHandler {
  return {
    ...handler,
    onResponseStart(controller, status, headers) {
      if (status === 407) controller.abort(unsent(unauthorized(proxy)));
      else if (isUnconnected(status, flat(headers))) {
        const peer = { name: `the ${options.server} at ${showHostPort(to)}`, addressHint: options.addressHint };
        controller.abort(unsent(refusedBy(proxy, { to, peer }, replyOf(status))));
      } else handler.onResponseStart(controller, status, headers);
    },
  };
}

/** The errors of Squid before it has sent a request anywhere (`err_type`). */
const unconnected = /^ERR_(?:CONNECT_FAIL|DNS_FAIL|CANNOT_FORWARD|FORWARDING_DENIED|(?:CACHE_)?ACCESS_DENIED)\b/;

/**
 * Whether a proxy answers itself because it has not connected: Squid names its error, and tinyproxy itself, which passes on
 * the server's own name otherwise. Of other proxies nobody can tell.
 */
function isUnconnected(status: number, headers: Readonly<Record<string, string>>): boolean {
  if (unconnected.test(headers['x-squid-error'] ?? '')) return true;
  return (status === 500 || status === 403) && /^tinyproxy\b/.test(headers.server ?? '');
}
