import { usageError } from '../errors.ts';
import { isLocal } from '../net/address.ts';
import { type ProxySettings, withoutProxyFor } from '../net/proxies.ts';
import type { CloudPlace } from './options.ts';

/** The addresses that tokens and secrets are sent to, each with its option. */
export function addressesOf({ apiUrl, authUrl, legacyUrl }: CloudPlace): readonly (readonly [string, string])[] {
  return [
    ['cloud.api_url', apiUrl],
    ['cloud.auth_url', authUrl],
    ['cloud.legacy_url', legacyUrl],
  ];
}

/** Whether the URL is unencrypted and refers to another machine. */
export function isPlainElsewhere(url: string): boolean {
  return URL.canParse(url) && new URL(url).protocol === 'http:' && !isLoopback(url);
}

function isLoopback(url: string): boolean {
  return isLocal({ host: new URL(url).hostname.replace(/^\[|\]$/g, '') });
}

/**
 * Rejects `http:` to another machine, because the data could be read and changed in transit.
 * @throws CliError (exit 2) unless `insecureHttp` allows it
 */
export function checkPlainHttp(
  url: string,
  { insecureHttp, key }: { readonly insecureHttp: boolean; readonly key?: string },
): void {
  if (insecureHttp || !isPlainElsewhere(url)) return;
  const { origin } = new URL(url);
  throw usageError(`${key === undefined ? 'the address of a download' : key} is ${origin}, which is not encrypted`, {
    code: 'CONFIG_INVALID',
    target: key ?? origin,
    hints: ['use https://', 'allow it, for tests only, with: -X cloud.insecure_http=true'],
  });
}

/** Adds unencrypted addresses on this machine to `no_proxy`, because a proxy could read the requests. */
export function withoutProxyHere(settings: ProxySettings, place: CloudPlace): ProxySettings {
  const plain = addressesOf(place).filter(([, url]) => url.startsWith('http:') && isLoopback(url));
  return withoutProxyFor(
    settings,
    plain.map(([, url]) => new URL(url).hostname),
  );
}
