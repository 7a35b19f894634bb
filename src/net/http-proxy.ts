import { type CliError, usageError } from '../errors.ts';
import { once } from '../once.ts';
import { type Dialer, type DialerOptions, openDialer } from './http-dial.ts';
import type { Dispatched, ExchangeHandler, Sender } from './http-exchange.ts';
import { createTunnel, type HttpProxy, proxyHeaders, proxyRefusal } from './http-tunnel.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The proxies of an environment. A proxy that cannot be used is an error, which fails only the requests that need it. */
export interface Proxies {
  /** The proxy for each scheme; undefined: none. Without `https_proxy`, HTTPS uses `http_proxy` too. */
  readonly http: HttpProxy | CliError | undefined;
  readonly https: HttpProxy | CliError | undefined;
  /** Whether `no_proxy` names the target. */
  isExempt(target: URL): boolean;
}

/** The proxies in the environment, lower-case variables first; undefined if there are none. */
export function proxiesOf(env: Environment): Proxies | undefined {
  const proxy = (name: string): HttpProxy | CliError | undefined => {
    const variable = env[name] ? name : name.toUpperCase();
    const value = env[variable]?.trim() ?? '';
    if (value === '') return undefined;
    // As in other programs, a proxy without a scheme is an HTTP proxy.
    const text = /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`;
    return faultOfProxy(variable, text) ?? { variable, url: new URL(text) };
  };
  const [http, https] = [proxy('http_proxy'), proxy('https_proxy')];
  if (http === undefined && https === undefined) return undefined;
  return { http, https: https ?? http, isExempt: exemption(env.no_proxy || env.NO_PROXY || '') };
}

/** Adds hosts to `no_proxy`, for example those on this machine. */
export function withoutProxyFor(env: Environment, hosts: readonly string[]): Environment {
  if (hosts.length === 0) return env;
  const given = env.no_proxy || env.NO_PROXY;
  return { ...env, no_proxy: [...(given ? [given] : []), ...new Set(hosts)].join(',') };
}

/**
 * Reads `no_proxy`: names with or without a port, separated by commas or spaces. A name includes its subdomains,
 * `*.name` is its subdomains only, and `*` is every host.
 */
function exemption(text: string): Proxies['isExempt'] {
  const entries = text
    .toLowerCase()
    .split(/[,\s]+/)
    .flatMap((entry) => {
      const [, bracketed, plain = entry, port] = /^(?:\[(.+)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? [];
      const name = bracketed ?? plain;
      const suffix = name.replace(/^\*?\./, '').replace(/(.)\.$/, '$1');
      return name === '' ? [] : [{ suffix, isSubdomains: name.startsWith('*.'), port }];
    });
  return ({ protocol, hostname, port }) => {
    const host = hostname.replace(/^\[(.+)\]$/, '$1').replace(/(.)\.$/, '$1');
    const targetPort = port || (protocol === 'https:' ? '443' : '80');
    return entries.some(
      (entry) =>
        (entry.port === undefined || Number(entry.port) === Number(targetPort)) &&
        (entry.suffix === '*' || host.endsWith(`.${entry.suffix}`) || (host === entry.suffix && !entry.isSubdomains)),
    );
  };
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

/** The options of a sender that uses proxies. */
export interface ProxySenderOptions extends DialerOptions {
  /** Dials the targets that need no proxy. */
  readonly dialer: Dialer;
  /** Creates what sends requests over the connections of a dialer. */
  readonly agentOf: (dialer: Dialer) => Sender;
}

/**
 * Opens the sender that chooses the way of each request: directly, through an HTTP proxy that reads it (`http:`), or
 * through a tunnel that the proxy cannot read (`https:`).
 */
export function openProxySender(proxies: Proxies, options: ProxySenderOptions): Sender {
  const { deadline } = options;
  const dialers: Dialer[] = [];
  const agents: Sender[] = [];
  const dialerOf = (given: DialerOptions): Dialer => {
    const dialer = openDialer(given);
    dialers.push(dialer);
    return dialer;
  };
  const agentOf = (dialer: Dialer): Sender => {
    const agent = options.agentOf(dialer);
    agents.push(agent);
    return agent;
  };
  const closeDialers = (reason: Error): void => {
    for (const dialer of dialers) dialer.destroy(reason);
  };
  deadline.signal.addEventListener('abort', () => closeDialers(deadline.signal.reason), { once: true });
  // The TLS options are those of the API. A proxy's own certificate is verified with the system's CA certificates.
  const toProxy = { deadline, tls: undefined, server: 'proxy', addressHint: 'http_proxy, https_proxy' };
  const direct = once(() => agentOf(options.dialer));
  const forwarding = once(() => agentOf(dialerOf(toProxy)));
  const tunnelling = (proxy: HttpProxy) =>
    once(() => agentOf(dialerOf({ ...options, tunnel: createTunnel(proxy, dialerOf(toProxy), deadline) })));
  const https = proxies.https !== undefined && 'url' in proxies.https ? tunnelling(proxies.https) : direct;

  return {
    dispatch(request, handler) {
      const target = new URL(request.origin);
      const proxy = target.protocol === 'https:' ? proxies.https : proxies.http;
      if (proxy === undefined || proxies.isExempt(target)) direct().dispatch(request, handler);
      // It fails like a dial: the request was not sent.
      else if (!('url' in proxy)) handler.onResponseError(undefined, proxy);
      else if (target.protocol === 'https:') https().dispatch(request, handler);
      else forwarding().dispatch(forwarded(request, target, proxy), watched(handler, proxy));
    },
    async destroy() {
      closeDialers(new Error('closed'));
      await Promise.all(agents.map((agent) => agent.destroy()));
    },
  };
}

/** A request for a proxy that reads it: its path is the whole URL (RFC 9112 §3.2.2). */
function forwarded(request: Dispatched, target: URL, proxy: HttpProxy): Dispatched {
  const headers = { ...request.headers, host: target.host, ...proxyHeaders(proxy) };
  return { ...request, origin: proxy.url.origin, path: `${target.origin}${request.path}`, headers };
}

/** Keeps a proxy's demand for a password apart from the answers of the API. */
function watched(handler: ExchangeHandler, proxy: HttpProxy): ExchangeHandler {
  return {
    ...handler,
    onResponseStart(controller, status, headers) {
      if (status === 407) controller.abort(proxyRefusal(proxy, status));
      else handler.onResponseStart(controller, status, headers);
    },
  };
}
