import { createRequire } from 'node:module';
import { connect as connectTcp, isIP, type Socket, type TcpNetConnectOpts } from 'node:net';
import type { PeerCertificate } from 'node:tls';
import type { Clock } from '../clock.ts';
import type { Address } from './address.ts';
import type { TlsMaterial } from './tls.ts';

/** The current step of a dial, named in errors; `proxy` is the way to a proxy and signing in to it. */
export type DialStep = 'proxy' | 'DNS' | 'TCP' | 'TLS';

/** How to dial one address. */
export interface SocketOptions {
  readonly address: Address;
  /** The TLS options; undefined means plain TCP. */
  readonly tls: TlsMaterial | undefined;
  /** A connection to that address, for example a tunnel, which TLS begins on if there is TLS; undefined: dial. */
  readonly over?: Socket | undefined;
  /** The clock for the limit. */
  readonly clock: Pick<Clock, 'after'>;
  /** The limit for DNS, TCP and TLS together, in milliseconds. */
  readonly dialMs: number;
  /**
   * Buffers that Node.js fills directly, without one of its own; without them, the socket is an ordinary stream. They are
   * not used with `over`.
   */
  readonly onread?: { readonly target: () => Buffer; readonly filled: (length: number) => void };
  readonly onStep: (step: DialStep) => void;
  readonly onConnect: () => void;
  /** Creates the error that the socket is destroyed with after `dialMs`. */
  readonly timeoutError: () => Error;
}

/** Starts a limit; the returned function says how many milliseconds of it are left, at least 1. */
export function startLimit({ now }: Pick<Clock, 'now'>, limitMs: number): () => number {
  const until = now() + limitMs;
  return () => Math.max(1, until - now());
}

const keepAliveMs = 60_000;

// Loading node:tls takes 5 ms, which connections without TLS avoid.
const load = createRequire(import.meta.url);

/**
 * Why a certificate is not for a name; undefined if it is. Only its subject alternative names count: a common name, which
 * Node.js takes where there are none, does not say what it names (RFC 9525 §2).
 */
export function nameError(name: string, cert: PeerCertificate): Error | undefined {
  const { checkServerIdentity } = load('node:tls') as typeof import('node:tls');
  const { CN: _, ...subject } = cert.subject ?? {};
  return checkServerIdentity(name, { ...cert, subject: subject as PeerCertificate['subject'] });
}

/** TLS to a host, over a new connection or an open one. The certificate must be for the host, or for `serverName`. */
function connectTls(target: TcpNetConnectOpts, { serverName, ...tls }: TlsMaterial, over: Socket | undefined): Socket {
  const { connect } = load('node:tls') as typeof import('node:tls');
  const name = serverName ?? target.host ?? '';
  return connect({
    ...target,
    ...tls,
    ...(over && { socket: over }),
    // The name of a server in the handshake is never an IP address, and has no dot at its end (RFC 6066 §3).
    ...(isIP(name) === 0 ? { servername: name.replace(/\.$/, '') } : {}),
    checkServerIdentity: (_, cert) => nameError(name, cert),
  });
}

/**
 * Dials one address once. If a host name has several IP addresses, Node.js tries them in turn within the
 * same limit.
 */
export function openSocket(options: SocketOptions): Socket {
  const { address, tls, dialMs, onread, over } = options;
  const target: TcpNetConnectOpts = {
    host: address.host,
    port: address.port,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: keepAliveMs,
    // Node's default of 250 ms per address would give up on a distant host whose only working address responds late.
    autoSelectFamilyAttemptTimeout: Math.max(250, Math.floor(dialMs / 3)),
    ...(onread &&
      over === undefined && { onread: { buffer: onread.target, callback: (length) => filled(onread, length) } }),
  };
  options.onStep(firstStep(options));
  const socket = tls === undefined ? (over ?? connectTcp(target)) : connectTls(target, tls, over);
  const cancelLimit = options.clock.after(dialMs, () => socket.destroy(options.timeoutError()));
  socket.on('lookup', (error) => {
    if (!error) options.onStep('TCP');
  });
  socket.on('connect', () => {
    if (tls !== undefined) options.onStep('TLS');
  });
  const onUp = (): void => {
    cancelLimit();
    options.onConnect();
  };
  if (over !== undefined && tls === undefined) queueMicrotask(onUp);
  else socket.once(tls === undefined ? 'connect' : 'secureConnect', onUp);
  socket.once('close', () => {
    cancelLimit();
    over?.destroy();
  });
  return socket;
}

function firstStep({ over, tls, address }: SocketOptions): DialStep {
  if (over !== undefined) return tls === undefined ? 'TCP' : 'TLS';
  return isIP(address.host) === 0 ? 'DNS' : 'TCP';
}

function filled(onread: NonNullable<SocketOptions['onread']>, length: number): boolean {
  onread.filled(length);
  return true;
}
