import { usageError } from '../errors.ts';
import { isLocal } from '../net/address.ts';
import type { CloudPlace } from './cloud.ts';

/** The addresses that tokens and secrets are sent to, by the option that says each. */
export function addressesOf({ apiUrl, authUrl, legacyUrl }: CloudPlace): readonly (readonly [string, string])[] {
  return [
    ['cloud.api_url', apiUrl],
    ['cloud.auth_url', authUrl],
    ['cloud.legacy_url', legacyUrl],
  ];
}

/** Whether the URL is unencrypted and leads to another machine. */
export function isPlainElsewhere(url: string): boolean {
  return URL.canParse(url) && new URL(url).protocol === 'http:' && !isLoopback(url);
}

function isLoopback(url: string): boolean {
  return isLocal({ host: new URL(url).hostname.replace(/^\[|\]$/g, '') });
}

/**
 * Refuses `http:` to another machine: what is sent there can be read and changed on the way.
 * @throws CliError (exit 2) unless that is allowed
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
    hints: ['use https://', 'for tests only, allow it with: -X cloud.insecure_http=true'],
  });
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The environment with `no_proxy` for plain addresses of this machine: a proxy would read what is sent to them. */
export function withoutProxyHere(env: Environment, place: CloudPlace): Environment {
  const plain = addressesOf(place).filter(([, url]) => url.startsWith('http:') && isLoopback(url));
  if (plain.length === 0) return env;
  const given = env.no_proxy || env.NO_PROXY;
  const hosts = plain.map(([, url]) => new URL(url).hostname);
  return { ...env, no_proxy: [...(given ? [given] : []), ...new Set(hosts)].join(',') };
}
