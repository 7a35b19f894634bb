/** Where one node of an API is reached. */
export interface Address {
  /** Host name or IP address; IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  /** Given as `http://` or `https://`; undefined when no scheme was written. */
  readonly scheme?: 'http' | 'https';
  /** Path below which the API lives, with a leading and without a trailing slash; undefined when none. */
  readonly path?: string;
}

/** A fault in one part of a value: which part, and its text, which may be shown unless the value is secret. */
export class PartError extends Error {
  readonly part: string;
  readonly text: string;

  constructor(part: string, text: string, message: string) {
    super(message);
    this.part = part;
    this.text = text;
  }
}

/** What an address may look like for one API. */
export interface AddressForm {
  readonly defaultPort: number;
  readonly scheme: 'none' | 'http';
}

/**
 * Reads `host`, `host:port`, `[::1]:port`, and for HTTP APIs also `https://host:port/path`.
 * @throws Error that says what is wrong and how it should look
 */
export function parseAddress(text: string, form: AddressForm): Address {
  if (text === '') throw new Error('an address is empty');
  const [scheme, afterScheme] = splitScheme(text, form);
  const slash = afterScheme.indexOf('/');
  const authority = slash < 0 ? afterScheme : afterScheme.slice(0, slash);
  const path = slash < 0 ? '' : afterScheme.slice(slash).replace(/\/+$/, '');
  if (slash >= 0 && form.scheme === 'none') throw new Error('a broker address has no path');
  if (/[\s?#]/.test(path)) throw new Error('the path of an address has no spaces, no query and no fragment');
  if (authority.includes('@'))
    throw new Error('credentials do not belong into an address (use the options user and pass)');
  const schemePort = scheme === 'https' ? 443 : scheme === 'http' ? 80 : form.defaultPort;
  const { host, port } = splitPort(authority, schemePort);
  return { host, port, ...(scheme === undefined ? {} : { scheme }), ...(path === '' ? {} : { path }) };
}

function splitScheme(text: string, form: AddressForm): [Address['scheme'], string] {
  const at = text.indexOf('://');
  if (at < 0) return [undefined, text];
  if (form.scheme === 'none') throw new Error('a broker address has no scheme (write host:port)');
  const scheme = text.slice(0, at).toLowerCase();
  if (scheme !== 'http' && scheme !== 'https') throw new Error('the scheme is neither http:// nor https://');
  return [scheme, text.slice(at + 3)];
}

const plainHostName = /^[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)*$/i;
const bracketed = /^\[([^\]]+)\](?::(.*))?$/;
// Made when a name needs it: the classes of Unicode take a millisecond to build, at every start of weir.
const anyHostName = () =>
  /^[\p{L}\p{N}_](?:[\p{L}\p{N}_-]*[\p{L}\p{N}_])?(?:\.[\p{L}\p{N}_](?:[\p{L}\p{N}_-]*[\p{L}\p{N}_])?)*\.?$/u;

function splitPort(authority: string, defaultPort: number): { host: string; port: number } {
  const inBrackets = bracketed.exec(authority);
  if (inBrackets) {
    const [, host = '', port] = inBrackets;
    if (canonicalIPv6(host) === undefined) throw new Error('the IPv6 address in brackets is not valid');
    return { host, port: readPort(port, defaultPort) };
  }
  if (authority.split(':').length > 2) throw new Error('an IPv6 address stands in brackets, for example [::1]:9092');
  const colon = authority.indexOf(':');
  const host = colon < 0 ? authority : authority.slice(0, colon);
  if (!plainHostName.test(host) && !anyHostName().test(host))
    throw new Error(host === '' ? 'the host is missing' : 'the host name is not valid');
  return { host, port: readPort(colon < 0 ? undefined : authority.slice(colon + 1), defaultPort) };
}

function readPort(text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65535) throw new PartError('port', text, 'a port is a number from 1 to 65535');
  return port;
}

/** `host:port`, with brackets around IPv6. */
export function showHostPort(address: Pick<Address, 'host' | 'port'>): string {
  return `${address.host.includes(':') ? `[${address.host}]` : address.host}:${address.port}`;
}

/** The address as `parseAddress` reads it back. */
export function showAddress(address: Address): string {
  return `${address.scheme === undefined ? '' : `${address.scheme}://`}${showHostPort(address)}${address.path ?? ''}`;
}

/** Whether the host is this machine: a loopback address or `localhost`. */
export function isLocal({ host: name }: Pick<Address, 'host'>): boolean {
  const host = name.toLowerCase().replace(/\.$/, '');
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  if (/^127\.\d+\.\d+\.\d+$/.test(host)) return true;
  const address = host.includes(':') ? canonicalIPv6(host) : undefined;
  return address === '::1' || (address?.startsWith('::ffff:7f') ?? false);
}

/** The shortest form of an IPv6 address, without its zone; undefined for anything else. Spares loading `node:net`. */
function canonicalIPv6(host: string): string | undefined {
  const url = `http://[${host.replace(/%[\w.-]+$/, '')}]`;
  return host.includes(':') && URL.canParse(url) ? new URL(url).hostname.slice(1, -1) : undefined;
}
