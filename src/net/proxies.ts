import { type CliError, invalidError } from '../errors.ts';
import { type Address, isLocal } from './address.ts';
import { type ProxyUrl, parseProxyUrl } from './proxy-url.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where proxies are configured. */
export interface ProxySettings {
  /** The value of `globals.proxy`; empty: it is not set, and HTTP requests use the proxies of the environment. */
  readonly option: string;
  readonly env: Environment;
}

/** A proxy, and the variable or the option that names it. */
export interface ProxyServer extends ProxyUrl {
  readonly from: string;
}

/** The configured proxies. A proxy that cannot be used is an error, which fails only the requests that need it. */
export interface Proxies {
  /** The proxy for each scheme; undefined: none. Without `https_proxy`, HTTPS uses `http_proxy` too. */
  readonly http: ProxyServer | CliError | undefined;
  readonly https: ProxyServer | CliError | undefined;
  /** Whether connections to the target need no proxy. */
  isExempt(target: Address): boolean;
}

/** The proxies for HTTP: that of the option, or else those in the environment; undefined if there are none. */
export function proxiesOf(settings: ProxySettings): Proxies | undefined {
  const option = proxyOfOption(settings);
  if (option !== undefined) return { http: option.proxy, https: option.proxy, isExempt: option.isExempt };
  const { env } = settings;
  const [http, https] = [proxyOfVariable(env, 'http_proxy'), proxyOfVariable(env, 'https_proxy')];
  if (http === undefined && https === undefined) return undefined;
  return { http, https: https ?? http, isExempt: exemption(env) };
}

/**
 * The proxy of `globals.proxy`, which connections of every kind use, except for those to this machine and to hosts that
 * `no_proxy` names. Undefined if it is not set.
 */
export function proxyOfOption({ option, env }: ProxySettings) {
  if (option === '') return undefined;
  const isNamed = exemption(env);
  const proxy: ProxyServer = { ...parseProxyUrl(option), from: 'globals.proxy' };
  return { proxy, isExempt: (target: Address): boolean => isLocal(target) || isNamed(target) };
}

/** Reads a variable, in lower case first. */
function proxyOfVariable(env: Environment, name: string): ProxyServer | CliError | undefined {
  const from = env[name] ? name : name.toUpperCase();
  const value = env[from]?.trim() ?? '';
  if (value === '') return undefined;
  try {
    // As in other programs, a proxy without a scheme is an HTTP proxy, and what follows the port is ignored.
    const text = /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`;
    return { ...parseProxyUrl(text.replace(/^([^/]*\/\/[^/?#]*).*$/s, '$1')), from };
  } catch (error) {
    // The error does not show the URL, which may contain a password.
    return invalidError(`invalid ${from}: ${error instanceof Error ? error.message : String(error)}`, {
      code: 'CONFIG_INVALID',
      target: from,
      hints: [`write it like this: ${from}=http://HOST:PORT`, 'name the hosts that need no proxy in no_proxy'],
    });
  }
}

/** Adds hosts to `no_proxy`, for example those on this machine. */
export function withoutProxyFor(settings: ProxySettings, hosts: readonly string[]): ProxySettings {
  if (hosts.length === 0) return settings;
  const { env } = settings;
  const noProxy = env.no_proxy || env.NO_PROXY;
  return { ...settings, env: { ...env, no_proxy: [...(noProxy ? [noProxy] : []), ...new Set(hosts)].join(',') } };
}

/**
 * Reads `no_proxy`: names with or without a port, separated by commas or spaces. A name includes its subdomains,
 * `*.name` is its subdomains only, and `*` is every host.
 */
function exemption(env: Environment): Proxies['isExempt'] {
  const entries = (env.no_proxy || env.NO_PROXY || '')
    .toLowerCase()
    .split(/[,\s]+/)
    .flatMap((entry) => {
      const [, bracketed, plain = entry, port] = /^(?:\[(.+)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? [];
      const name = withoutZone(bracketed ?? plain);
      const suffix = name.replace(/^\*?\./, '').replace(/(.)\.$/, '$1');
      return name === '' ? [] : [{ suffix, isSubdomains: name.startsWith('*.'), port }];
    });
  return (target) => {
    const host = withoutZone(target.host.toLowerCase()).replace(/(.)\.$/, '$1');
    return entries.some(
      (entry) =>
        (entry.port === undefined || Number(entry.port) === target.port) &&
        (entry.suffix === '*' || host.endsWith(`.${entry.suffix}`) || (host === entry.suffix && !entry.isSubdomains)),
    );
  };
}

/** An IPv6 address without its zone, which can look like the end of a name, and is ignored where it means nothing. */
function withoutZone(host: string): string {
  return host.replace(/%.*$/, '');
}
