import { usageError } from '../../errors.ts';
import { isLocal } from '../../net/address.ts';

/** Returns the host of a broker as URLs show it; undefined for text that is no host. */
export function hostnameOf(host: string): string | undefined {
  // Anything else could end the host in a URL, so that the rest became a path, or the host a user.
  if (!/^[\w.:[\]-]+$/.test(host)) return undefined;
  const url = `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}/`;
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

/**
 * Whether a host that the cluster names means the same machine here: an address such as 127.0.0.1 leads to this machine,
 * so it belongs to the cluster only if the request that led there went to this machine too.
 */
export function isReachableHost(host: string, from: string): boolean {
  const [named, asked] = [hostnameOf(host), new URL(from).hostname];
  if (named === undefined) return false;
  return isHere(asked) || !isHere(named);
}

/** Returns the same base URL at another host: clusters serve the Admin API at the same port everywhere. */
export function atHost(url: string, host: string): string {
  const at = new URL(url);
  at.hostname = hostnameOf(host) ?? at.hostname;
  return at.href.replace(/\/+$/, '');
}

/** Whether two URLs lead to the same host and port. */
export function isSamePlace(one: URL, other: URL): boolean {
  return one.hostname === other.hostname && portOf(one) === portOf(other);
}

/** Whether a URL leads without encryption to a place that is configured with `https://` only. */
export function isDowngrade(target: URL, urls: readonly string[]): boolean {
  const same = urls.map((url) => new URL(url)).filter((url) => isSamePlace(url, target));
  return target.protocol === 'http:' && same.length > 0 && same.every(({ protocol }) => protocol === 'https:');
}

/** Returns the port of a URL, also if it is that of its scheme. */
export function portOf({ port, protocol }: URL): string {
  return port || (protocol === 'https:' ? '443' : '80');
}

function isHere(hostname: string): boolean {
  const host = bare(hostname);
  return host === '0.0.0.0' || host === '::' || isLocal({ host });
}

/**
 * Returns the configured base URL that a person means: a place in the list (from 0), a host name, `host:port` or a URL.
 * @throws CliError (exit 2) if there is none or more than one; requests go only to configured addresses
 */
export function chosenUrl(urls: readonly string[], choice: string): string {
  const index = /^\d{1,4}$/.test(choice) ? Number(choice) : undefined;
  const matches = urls.filter((url, at) => at === index || isNamed(new URL(url), choice));
  const [only] = matches;
  if (only !== undefined && new Set(matches).size === 1) return only;
  const why = only === undefined ? 'is not one of' : 'matches several of';
  const all = urls.map((url, at) => `${at} (${new URL(url).host})`).join(', ');
  throw usageError(`"${choice}" ${why} the addresses in admin.hosts: ${all}`, {
    target: choice,
    hints: [
      only === undefined ? 'add the address to admin.hosts, or use one of these' : 'add the port, or use a number',
    ],
  });
}

function isNamed(url: URL, choice: string): boolean {
  const lower = choice.toLowerCase().replace(/\/+$/, '');
  return [url.hostname, url.host, `${url.hostname}:${portOf(url)}`, url.origin, bare(url.hostname)].includes(lower);
}

/** An IPv6 address without its brackets. */
function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}
