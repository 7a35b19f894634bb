import { isIPv6 } from 'node:net';

/** An IPv6 address in its shortest form; any other text as it is. */
export function addressText(host: string): string {
  const url = `http://[${host}]`;
  return isIPv6(host) && URL.canParse(url) ? new URL(url).hostname : host;
}
