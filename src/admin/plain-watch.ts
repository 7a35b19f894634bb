import { parseAddress } from '../net/address.ts';
import { plainHttpWarning } from '../net/plain-http.ts';
import type { AdminOptions } from './admin.ts';

/**
 * Warns if the password goes unencrypted to a configured address on another machine, and returns a function that does so
 * for any URL, once for each host: the cluster can redirect to nodes that are not configured.
 */
export function createPlainWatch(options: AdminOptions): (url: string) => void {
  const { addresses, usesTls, credentials, warn } = options;
  if (credentials === undefined) return () => undefined;
  const warned = new Set<string>();
  const warnOf = (given: typeof addresses): void => {
    const fresh = given.filter(({ host }) => !warned.has(host.toLowerCase()));
    for (const { host } of fresh) warned.add(host.toLowerCase());
    const warning = plainHttpWarning({ addresses: fresh, usesTls, key: 'admin.hosts' });
    if (warning !== undefined) warn(warning);
  };
  warnOf(addresses);
  return (url) => warnOf([parseAddress(new URL(url).origin, { defaultPort: 9644, scheme: 'http' })]);
}
