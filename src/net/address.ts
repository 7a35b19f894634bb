/** The address of one node of an API. */
export interface Address {
  /** The host name or IP address; IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  /** The scheme before `://`; undefined if none was given. */
  readonly scheme?: 'http' | 'https';
  /** The base path of the API, with a leading and without a trailing slash; undefined if there is none. */
  readonly path?: string;
}

/** An error in one part of a value: the part's name and its text, which may be shown unless the value is secret. */
export class PartError extends Error {
  readonly part: string;
  readonly text: string;

  constructor(part: string, text: string, message: string) {
    super(message);
    this.part = part;
    this.text = text;
  }
}

/** The form of the addresses of one API. */
export interface AddressForm {
  readonly defaultPort: number;
  readonly scheme: 'none' | 'http';
}

/**
 * Parses `host`, `host:port`, `[::1]:port`, and for HTTP APIs also `https://host:port/path`.
 * @throws Error with the reason and the expected form
 */
export function parseAddress(text: string, form: AddressForm): Address {
  if (text === '') throw new Error('an address is empty');
  const [scheme, afterScheme] = splitScheme(text, form);
  const slash = afterScheme.indexOf('/');
  const authority = slash < 0 ? afterScheme : afterScheme.slice(0, slash);
  const path = slash < 0 ? '' : afterScheme.slice(slash).replace(/\/+$/, '');
  if (slash >= 0 && form.scheme === 'none') throw new Error('a broker address cannot have a path');
  if (/[\s?#]/.test(path)) throw new Error('the path of an address cannot contain spaces, a query or a fragment');
  if (authority.includes('@'))
    throw new Error('credentials are not allowed in an address (use the options user and pass)');
  const schemePort = scheme === 'https' ? 443 : scheme === 'http' ? 80 : form.defaultPort;
  const { host, port } = splitPort(authority, schemePort);
  return { host, port, ...(scheme === undefined ? {} : { scheme }), ...(path === '' ? {} : { path }) };
}

function splitScheme(text: string, form: AddressForm): [Address['scheme'], string] {
  const at = text.indexOf('://');
  if (at < 0) return [undefined, text];
  if (form.scheme === 'none') throw new Error('a broker address cannot have a scheme (write host:port)');
  const scheme = text.slice(0, at).toLowerCase();
  if (scheme !== 'http' && scheme !== 'https') throw new Error('the scheme must be http:// or https://');
  return [scheme, text.slice(at + 3)];
}

const plainHostName = /^[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)*$/i;
const bracketed = /^\[([^\]]+)\](?::(.*))?$/;
// Created on first use: building the Unicode classes would add a millisecond to every start.
const anyHostName = () =>
  /^[\p{L}\p{N}_](?:[\p{L}\p{N}_-]*[\p{L}\p{N}_])?(?:\.[\p{L}\p{N}_](?:[\p{L}\p{N}_-]*[\p{L}\p{N}_])?)*\.?$/u;

/** No name of DNS is longer, with a dot at its end. */
const mostHostLength = 254;

/** Whether a text is a host name or an IP address, without brackets: one that a server announces may be anything. */
export function isHost(text: string): boolean {
  if (text.length > mostHostLength) return false;
  // What `canonicalIPv6` puts in brackets must not close them.
  if (text.includes(':')) return /^[\da-f:.]+(?:%[\w.-]+)?$/i.test(text) && canonicalIPv6(text) !== undefined;
  return plainHostName.test(text) || anyHostName().test(text);
}

function splitPort(authority: string, defaultPort: number): { host: string; port: number } {
  const inBrackets = bracketed.exec(authority);
  if (inBrackets) {
    const [, host = '', port] = inBrackets;
    if (canonicalIPv6(host) === undefined) throw new Error('the IPv6 address in brackets is not valid');
    return { host, port: readPort(host, port, defaultPort) };
  }
  if (/\s/.test(authority)) throw new Error('an address contains no spaces; separate several with commas');
  if (authority.split(':').length > 2) throw new Error('an IPv6 address must be in brackets, for example [::1]:9092');
  const colon = authority.indexOf(':');
  const host = colon < 0 ? authority : authority.slice(0, colon);
  if (!plainHostName.test(host) && !anyHostName().test(host))
    throw new Error(host === '' ? 'the host is missing' : 'the host name is not valid');
  return { host, port: readPort(host, colon < 0 ? undefined : authority.slice(colon + 1), defaultPort) };
}

function readPort(host: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port > 0 && port <= 65535) return port;
  // What is no number may be the password of a user, without a host.
  const [part, shown] = /^\d*$/.test(text) ? (['port', text] as const) : (['port of', host] as const);
  throw new PartError(part, shown, 'a port must be a number from 1 to 65535');
}

/** The host as URLs have it: IPv6 in brackets. */
export function hostInUrl({ host }: Pick<Address, 'host'>): string {
  return host.includes(':') ? `[${host}]` : host;
}

/** `host:port`, with brackets around IPv6. */
export function showHostPort(address: Pick<Address, 'host' | 'port'>): string {
  return `${hostInUrl(address)}:${address.port}`;
}

/** The address as text that `parseAddress` accepts. */
export function showAddress(address: Address): string {
  return `${address.scheme === undefined ? '' : `${address.scheme}://`}${showHostPort(address)}${address.path ?? ''}`;
}

/**
 * Whether the host is this machine: a loopback address or `localhost`. Not `x.localhost`, although RFC 6761 reserves it:
 * many systems ask a DNS server for it, which could name another machine.
 */
export function isLocal({ host: name }: Pick<Address, 'host'>): boolean {
  const host = name.toLowerCase();
  // Only what no name server is asked for: not 127.0.0.256 or 127.0.0.08, nor what ends with a dot.
  if (host === 'localhost') return true;
  if (/^127(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}$/.test(host)) return true;
  const address = host.includes(':') ? canonicalIPv6(host) : undefined;
  // An IPv4 address in IPv6: 127.0.0.1 is ::ffff:7f00:1.
  return address === '::1' || /^::ffff:7f[\da-f]{2}:[\da-f]+$/.test(address ?? '');
}

/** The shortest form of an IPv6 address, without its zone; undefined for other text. Avoids loading `node:net`. */
function canonicalIPv6(host: string): string | undefined {
  const url = `http://[${host.replace(/%[\w.-]+$/, '')}]`;
  return host.includes(':') && URL.canParse(url) ? new URL(url).hostname.slice(1, -1) : undefined;
}
