import { isIP, type Socket } from 'node:net';
import { takeBytes, Unexpected } from './arrival.ts';

/** The proxy's refusal to let this client sign in. */
export class SignInRefused extends Error {
  /** Whether a user and a password were offered. */
  readonly withUser: boolean;

  constructor(message: string, withUser: boolean) {
    super(message);
    this.withUser = withUser;
  }
}

const version = 5;
const methods = { none: 0, password: 2, noneOfThese: 0xff } as const;

/** Signs in to a SOCKS5 proxy (RFC 1928 §3, RFC 1929). @throws SignInRefused, Unexpected */
export async function signIn(socket: Socket, user: string | undefined, password: string): Promise<void> {
  // A proxy that asks for no password gets none, as with other clients.
  const offered = user === undefined ? [methods.none] : [methods.none, methods.password];
  socket.write(Buffer.from([version, offered.length, ...offered]));
  const [first = 0, method = 0] = await takeBytes(socket, 2);
  if (first !== version) throw new Unexpected(otherThanSocks(first));
  if (method === methods.none) return;
  if (method === methods.password && user !== undefined) {
    socket.write(Buffer.concat([Buffer.from([1]), withLength(user), withLength(password)]));
    const [, status] = await takeBytes(socket, 2);
    if (status !== 0) throw new SignInRefused('it refused the user and password', true);
    return;
  }
  if (method !== methods.noneOfThese) throw new Unexpected('it chose a way of signing in that was not offered');
  throw new SignInRefused(
    user === undefined ? 'it requires a user and password' : 'it accepts neither a user and password nor none',
    user !== undefined,
  );
}

function otherThanSocks(first: number): string {
  if (first === 0x48) return 'it answered with HTTP';
  return first === 0 || first === 4 ? 'it answered with SOCKS4' : 'the response is not SOCKS5';
}

/** How the address types say where a connection goes to or comes from (RFC 1928 §5). */
const types = { ipv4: 1, name: 3, ipv6: 4 } as const;

/**
 * Asks a SOCKS5 proxy to connect to a host (RFC 1928 §4 to §6). The bytes that follow its reply are those of the host.
 * @returns the code of its reply; 0: it is connected
 * @throws Unexpected
 */
export async function askToConnect(socket: Socket, host: string, port: number): Promise<number> {
  const ends = Buffer.alloc(2);
  ends.writeUInt16BE(port);
  socket.write(Buffer.concat([Buffer.from([version, 1, 0]), addressOf(host), ends]));
  // Some proxies close the connection after these bytes of a refusal.
  const [first = 0, code = 0] = await takeBytes(socket, 2);
  if (first !== version) throw new Unexpected(otherThanSocks(first));
  if (code !== 0) return code;
  const [, type] = await takeBytes(socket, 2);
  // The address that the proxy connects from is of no use here, but the tunnel begins behind it.
  if (type === types.ipv4) await takeBytes(socket, 4 + 2);
  else if (type === types.ipv6) await takeBytes(socket, 16 + 2);
  else if (type === types.name) await takeBytes(socket, ((await takeBytes(socket, 1))[0] ?? 0) + 2);
  else throw new Unexpected('the response is not SOCKS5');
  return code;
}

function addressOf(host: string): Buffer {
  const kind = isIP(host);
  if (kind === 4) return Buffer.from([types.ipv4, ...host.split('.').map(Number)]);
  if (kind === 6) return Buffer.from([types.ipv6, ...bytesOfIPv6(host)]);
  return Buffer.concat([Buffer.from([types.name]), withLength(host)]);
}

/** The 16 bytes of an IPv6 address, whose zone means nothing to the proxy. */
function bytesOfIPv6(host: string): readonly number[] {
  const url = new URL(`http://[${host.replace(/%.*$/, '')}]`);
  const [left = '', right] = url.hostname.slice(1, -1).split('::');
  const groups = (text: string): readonly string[] => (text === '' ? [] : text.split(':'));
  const [before, after] = [groups(left), groups(right ?? '')];
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}

function withLength(text: string): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.length > 255) throw new Unexpected('the host name is longer than 255 bytes');
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}

/** The replies of a proxy that does not connect (RFC 1928 §6), and whether a repetition may help. */
const replies: ReadonlyMap<number, readonly [meaning: string, retryable: boolean]> = new Map([
  [1, ['general failure', true]],
  [2, ['its rules do not allow that', false]],
  [3, ['the network is unreachable', true]],
  [4, ['no route to host, or no such name', true]],
  [5, ['connection refused', true]],
  [6, ['it took too long', true]],
  [7, ['it does not support the command', false]],
  [8, ['it does not support addresses of this type', false]],
]);

/** What a reply other than 0 means. */
export function replyMeaning(code: number): { readonly text: string; readonly retryable: boolean } {
  const [meaning, retryable] = replies.get(code) ?? ['an unknown reply', false];
  return { text: `${meaning} (${code})`, retryable };
}
