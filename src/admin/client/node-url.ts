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
  const host = hostname.replace(/^\[|\]$/g, '');
  return host === '0.0.0.0' || host === '::' || isLocal({ host });
}
