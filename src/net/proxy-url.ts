/** A proxy and how to sign in to it. */
export interface ProxyUrl {
  /** With `socks5`, names are looked up on this machine; with the others, by the proxy. */
  readonly scheme: 'http' | 'https' | 'socks5' | 'socks5h';
  /** The host name or IP address; IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  /** Undefined: it needs no user. */
  readonly user: string | undefined;
  readonly password: string;
}

const defaultPorts: Readonly<Record<ProxyUrl['scheme'], number>> = {
  http: 80,
  https: 443,
  socks5: 1080,
  socks5h: 1080,
};

function isProxyScheme(text: string): text is ProxyUrl['scheme'] {
  return Object.hasOwn(defaultPorts, text);
}

/** The most bytes that SOCKS5 has room for in a user name, a password and a host name (RFC 1928, RFC 1929). */
const mostBytes = 255;

/**
 * Parses the URL of a proxy.
 * @throws Error that says what is wrong without repeating the URL, which may contain a password
 */
export function parseProxyUrl(text: string): ProxyUrl {
  const [, named = ''] = /^([a-z][a-z\d+.-]*):\/\//i.exec(text) ?? [];
  const scheme = named.toLowerCase();
  if (scheme === '') throw new Error('it must begin with socks5h://, socks5://, http:// or https://');
  if (!isProxyScheme(scheme))
    throw new Error(`weir cannot use a ${scheme} proxy, only socks5h, socks5, http and https`);
  // A scheme that URL does not know has no default port, which URL would leave out, and needs no path.
  const asUnknown = `proxy${text.slice(named.length)}`;
  if (/\s/.test(text) || !URL.canParse(asUnknown)) throw new Error('it is not a valid URL');
  const { hostname, port, username, password, pathname, search, hash } = new URL(asUnknown);
  if (hostname === '') throw new Error('the host is missing');
  if (!['', '/'].includes(pathname) || search + hash !== '') throw new Error('a proxy has no path, query or fragment');
  if (username === '' && password !== '') throw new Error('it has a password, but no user');
  const proxy = {
    scheme,
    host: decoded(hostname.replace(/^\[(.+)\]$/, '$1')),
    port: port === '' ? defaultPorts[scheme] : Number(port),
    user: username === '' ? undefined : decoded(username),
    password: decoded(password),
  };
  if (proxy.port === 0) throw new Error('a port must be a number from 1 to 65535');
  if (scheme.startsWith('socks')) checkLengths(proxy);
  return proxy;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('it is not a valid URL (write % as %25)');
  }
}

function checkLengths({ user = '', password }: ProxyUrl): void {
  for (const [what, text] of [
    ['user', user],
    ['password', password],
  ] as const) {
    if (Buffer.byteLength(text) > mostBytes) throw new Error(`the ${what} is longer than ${mostBytes} bytes`);
  }
}

/** The URL with other text in place of user and password; undefined if it has neither. */
export function withoutUserinfo(text: string, instead: string): string | undefined {
  const shown = text.replace(/^([a-z][a-z\d+.-]*:\/\/)[^/?#]*@/i, (_, scheme: string) => `${scheme}${instead}@`);
  return shown === text ? undefined : shown;
}
