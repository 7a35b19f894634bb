import { checkPlainHttp as checkUrl, isLoopback } from '../net/plain-http.ts';
import { type ProxySettings, withoutProxyFor } from '../net/proxies.ts';
import type { CloudAddresses } from '../sign-in/control-plane/options.ts';

/** The addresses that tokens and secrets are sent to, each with its option. */
export function addressesOf({ apiUrl, authUrl, legacyUrl }: CloudAddresses): readonly (readonly [string, string])[] {
  return [
    ['cloud.api_url', apiUrl],
    ['cloud.auth_url', authUrl],
    ['cloud.legacy_url', legacyUrl],
  ];
}

/**
 * Rejects `http:` to another machine, because the data could be read and changed in transit.
 * @throws CliError (exit 2) unless `insecureHttp` allows it
 */
export function checkPlainHttp(
  url: string,
  { insecureHttp, key }: { readonly insecureHttp: boolean; readonly key?: string },
): void {
  checkUrl(url, { insecureHttp, allowedBy: 'cloud.insecure_http', what: key ?? 'the address of a download' });
}

/** Adds unencrypted addresses on this machine to `no_proxy`, because a proxy could read the requests. */
export function withoutProxyHere(settings: ProxySettings, addresses: CloudAddresses): ProxySettings {
  const plain = addressesOf(addresses).filter(([, url]) => url.startsWith('http:') && isLoopback(url));
  return withoutProxyFor(
    settings,
    plain.map(([, url]) => new URL(url).hostname),
  );
}
