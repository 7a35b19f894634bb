import { createRequire } from 'node:module';
import { connect as connectTcp, isIP, type Socket, type TcpNetConnectOpts } from 'node:net';
import type { ConnectionOptions as TlsConnectionOptions } from 'node:tls';
import type { Clock } from '../clock.ts';
import type { Address } from './address.ts';

/** What a dial is busy with; named in errors. */
export type DialStep = 'DNS' | 'TCP' | 'TLS';

/** How to dial one address. */
export interface SocketOptions {
  readonly address: Address;
  /** Undefined: plain TCP. */
  readonly tls: TlsConnectionOptions | undefined;
  /** Measures the limit. */
  readonly clock: Pick<Clock, 'after'>;
  /** The limit for DNS, TCP and TLS together, in milliseconds. */
  readonly dialMs: number;
  /** Where the bytes go; Node fills these buffers without one of its own. Left out: an ordinary stream. */
  readonly onread?: { readonly target: () => Buffer; readonly filled: (length: number) => void };
  readonly onStep: (step: DialStep) => void;
  readonly onConnect: () => void;
  /** What the socket is destroyed with when `dialMs` has passed. */
  readonly timeoutError: () => Error;
}

const keepAliveMs = 60_000;

// Loading node:tls takes 5 ms, which a connection without TLS need not wait for.
const load = createRequire(import.meta.url);

function connectTls(options: TlsConnectionOptions): Socket {
  return (load('node:tls') as typeof import('node:tls')).connect(options);
}

/**
 * Dials one address, once. A host name with several IP addresses is one address: they are tried in
 * turn, as Node does it, within the same limit.
 */
export function openSocket(options: SocketOptions): Socket {
  const { address, tls, dialMs, onread } = options;
  const target: TcpNetConnectOpts = {
    host: address.host,
    port: address.port,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: keepAliveMs,
    // Node's 250 ms would give up on a far host of which only the IPv4 address works late.
    autoSelectFamilyAttemptTimeout: Math.max(250, Math.floor(dialMs / 3)),
    ...(onread && { onread: { buffer: onread.target, callback: (length) => filled(onread, length) } }),
  };
  options.onStep(isIP(address.host) === 0 ? 'DNS' : 'TCP');
  const socket =
    tls === undefined
      ? connectTcp(target)
      : connectTls({ ...target, ...tls, ...(isIP(address.host) === 0 ? { servername: address.host } : {}) });
  const cancelLimit = options.clock.after(dialMs, () => socket.destroy(options.timeoutError()));
  socket.on('lookup', (error) => {
    if (!error) options.onStep('TCP');
  });
  socket.on('connect', () => {
    if (tls !== undefined) options.onStep('TLS');
  });
  socket.once(tls === undefined ? 'connect' : 'secureConnect', () => {
    cancelLimit();
    options.onConnect();
  });
  socket.once('close', cancelLimit);
  return socket;
}

function filled(onread: NonNullable<SocketOptions['onread']>, length: number): boolean {
  onread.filled(length);
  return true;
}
