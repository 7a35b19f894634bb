import { createRequire } from 'node:module';
import { connect as connectTcp, isIP, type Socket, type TcpNetConnectOpts } from 'node:net';
import type { ConnectionOptions as TlsConnectionOptions } from 'node:tls';
import type { Clock } from '../clock.ts';
import type { Address } from './address.ts';

/** The current step of a dial, named in errors. */
export type DialStep = 'DNS' | 'TCP' | 'TLS';

/** How to dial one address. */
export interface SocketOptions {
  readonly address: Address;
  /** The TLS options; undefined means plain TCP. */
  readonly tls: TlsConnectionOptions | undefined;
  /** A connection to that address which TLS begins on, for example a tunnel; undefined: dial. */
  readonly over?: Socket | undefined;
  /** The clock for the limit. */
  readonly clock: Pick<Clock, 'after'>;
  /** The limit for DNS, TCP and TLS together, in milliseconds. */
  readonly dialMs: number;
  /** Buffers that Node.js fills directly, without one of its own; without them, the socket is an ordinary stream. */
  readonly onread?: { readonly target: () => Buffer; readonly filled: (length: number) => void };
  readonly onStep: (step: DialStep) => void;
  readonly onConnect: () => void;
  /** Creates the error that the socket is destroyed with after `dialMs`. */
  readonly timeoutError: () => Error;
}

const keepAliveMs = 60_000;

// Loading node:tls takes 5 ms, which connections without TLS avoid.
const load = createRequire(import.meta.url);

function connectTls(options: TlsConnectionOptions): Socket {
  return (load('node:tls') as typeof import('node:tls')).connect(options);
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
    ...(onread && { onread: { buffer: onread.target, callback: (length) => filled(onread, length) } }),
  };
  options.onStep(over !== undefined ? 'TLS' : isIP(address.host) === 0 ? 'DNS' : 'TCP');
  const socket =
    tls === undefined
      ? connectTcp(target)
      : connectTls({
          ...target,
          ...tls,
          ...(over && { socket: over }),
          ...(isIP(address.host) === 0 ? { servername: address.host } : {}),
        });
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
