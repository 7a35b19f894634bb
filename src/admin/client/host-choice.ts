import { usageError } from '../../errors.ts';
import { portOf } from './node-url.ts';

/**
 * Returns the configured base URL that a person means: a place in the list (from 0), a host name, `host:port` or a URL.
 * @throws CliError (exit 2) if there is none or more than one; requests go only to configured addresses
 */
export function chosenUrl(urls: readonly string[], choice: string): string {
  const index = /^\d{1,4}$/.test(choice) ? Number(choice) : undefined;
  const found = urls.filter((url, at) => at === index || isNamed(new URL(url), choice));
  const [only] = found;
  if (only !== undefined && new Set(found).size === 1) return only;
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
