import type { Socket } from 'node:net';
import type { Deadline } from '../deadline.ts';
import { CliError } from '../errors.ts';
import { once } from '../once.ts';
import { type Address, showHostPort } from './address.ts';
import { dialError, dialTimeout, type Peer } from './dial-error.ts';
import { type HttpError, httpErrorOf } from './http-error.ts';
import { type DialStep, openSocket, startLimit } from './socket.ts';
import { readTls, systemRoots, type TlsMaterial, type TlsOptions } from './tls.ts';
import type { Tunnel, TunnelDial, TunnelTo } from './tunnel.ts';

/** The parameters that the HTTP library passes to a connector. */
export interface DialRequest {
  /** The host name without brackets. */
  readonly hostname: string;
  readonly protocol: string;
  /** The port; empty for the protocol's default port. */
  readonly port: string;
}

/** Called once, with the connected socket or with an error. */
export type Dialed = (...result: [error: null, socket: Socket] | [error: Error, socket: null]) => void;

/** How to dial the addresses of one HTTP API. */
export interface DialerOptions {
  readonly deadline: Deadline;
  /** The TLS options; undefined means the system's CA certificates and no client certificate. */
  readonly tls: TlsOptions | undefined;
  /** The name of the peer, for example `control plane`. */
  readonly server: string;
  readonly addressHint: string;
  /** How connections reach the server; undefined: directly. */
  readonly tunnelTo?: TunnelTo | undefined;
}

/** Dials for one client and can destroy all its sockets. */
export interface Dialer {
  dial(request: DialRequest, dialed: Dialed): void;
  destroy(reason: Error): void;
}

/**
 * Opens the dialer of one client. One limit covers DNS, TCP and TLS together, and the way through a proxy if there is
 * one. Errors name the failed step.
 */
export function openDialer(options: DialerOptions): Dialer {
  const sockets = new Set<Socket>();
  const closing = new AbortController();
  const tls = once(() => readTls(options.tls ?? systemRoots, options.deadline.signal));
  async function open(request: DialRequest): Promise<Socket> {
    const tlsOptions = request.protocol === 'https:' ? await tls() : undefined;
    return connect({ ...options, keyPrefix: options.tls?.keyPrefix, sockets, closing, tls: tlsOptions }, request);
  }
  return {
    dial(request, dialed) {
      open(request).then(
        (socket) => dialed(null, socket),
        (error: unknown) => dialed(error instanceof Error ? error : new Error(String(error)), null),
      );
    },
    destroy(reason) {
      closing.abort(reason);
      for (const socket of sockets) socket.destroy(reason);
    },
  };
}

interface Dial extends Omit<DialerOptions, 'tls'> {
  readonly sockets: Set<Socket>;
  /** Ends the tunnels that are being opened. */
  readonly closing: AbortController;
  readonly tls: TlsMaterial | undefined;
  readonly keyPrefix: string | undefined;
}

/** Describes the server of an API to the error functions that all APIs share. */
export function peerOf(
  { server, addressHint, keyPrefix }: Pick<Dial, 'server' | 'addressHint' | 'keyPrefix'>,
  address: Pick<Address, 'host' | 'port'>,
): Peer {
  return { name: `the ${server} at ${showHostPort(address)}`, host: address.host, server, keyPrefix, addressHint };
}

async function connect(dial: Dial, request: DialRequest): Promise<Socket> {
  const { deadline, tls, sockets, tunnelTo } = dial;
  const address = { host: request.hostname, port: Number(request.port) || (tls === undefined ? 80 : 443) };
  const peer = peerOf(dial, address);
  const { name } = peer;
  const leftMs = startLimit(deadline.clock, deadline.limits.dialMs);
  const over = await overTunnel(tunnelTo?.(address), { to: address, peer, leftMs }, dial);
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  if (deadline.signal.aborted) {
    over?.destroy();
    throw deadline.signal.reason;
  }
  const done = deadline.waitingFor(`a connection to ${name}`);
  let step: DialStep = 'DNS';
  const socket = openSocket({
    address,
    tls,
    over,
    clock: deadline.clock,
    dialMs: leftMs(),
    onStep: (next) => {
      step = next;
    },
    onConnect: () => {
      done();
      resolve(socket);
    },
    timeoutError: () => dialTimeout(step, peer, deadline.options.dial),
  });
  sockets.add(socket);
  socket.once('error', (error) => {
    done();
    // A TLS alert does not end the socket, and undici would then report its end instead.
    socket.destroy(error);
    reject(deadline.signal.aborted ? deadline.signal.reason : unsent(dialError(step, error, peer)));
  });
  socket.once('close', () => {
    done();
    sockets.delete(socket);
    reject(unsent(dialError(step, new Error('it closed the connection'), peer)));
  });
  return promise;
}

/** Opens a connection through the tunnel, if there is one. */
async function overTunnel(
  tunnel: Tunnel | undefined,
  to: Omit<TunnelDial, 'signal'>,
  { deadline, closing }: Dial,
): Promise<Socket | undefined> {
  const signal = AbortSignal.any([deadline.signal, closing.signal]);
  try {
    return await tunnel?.open({ ...to, signal });
  } catch (error) {
    throw error instanceof CliError && !signal.aborted ? unsent(error) : error;
  }
}

/** Marks an error as `sent: false`: nothing was sent, so the request can always be retried. */
export function unsent(error: CliError): HttpError {
  return httpErrorOf(error, false);
}
