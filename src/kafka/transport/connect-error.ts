import { CliError, type ErrorDetails, exitCodes, unreachableError } from '../../errors.ts';
import { handshakeCut, tlsReason } from '../../net/tls-reason.ts';
import type { DialStep } from './socket.ts';
import { closedByPeer } from './wire.ts';

/** Who was dialled, for messages. */
export interface Peer {
  /** For example `broker 2 (b2.example:9092)`. */
  readonly broker: string;
  readonly host: string;
  readonly tls: boolean;
}

const tcpReasons: ReadonlyMap<string, readonly [reason: string, hint: string]> = new Map([
  [closedByPeer, ['it closed the connection', '']],
  ['ECONNREFUSED', ['connection refused', 'is a broker running there? check the address (-X brokers=HOST:PORT)']],
  ['ECONNRESET', ['connection reset', 'check the address (-X brokers=HOST:PORT)']],
  ['EHOSTUNREACH', ['no route to the host', 'check the network and the address (-X brokers=HOST:PORT)']],
  ['ENETUNREACH', ['the network is unreachable', 'check the network and the address (-X brokers=HOST:PORT)']],
  ['ETIMEDOUT', ['the operating system gave up waiting', 'check the network and the address (-X brokers=HOST:PORT)']],
]);

/** A dial that failed: which step, why, and what to do (exit 5). */
export function dialError(step: DialStep, error: Error, peer: Peer): CliError {
  if (error instanceof CliError) return error;
  if (step === 'DNS') return dnsError(error, peer);
  if (step === 'TLS') return tlsError(error, peer);
  const code = codeOf(error);
  const [reason, hint] = tcpReasons.get(code) ?? [error.message === '' ? code : error.message, ''];
  return failed(peer, `TCP: ${reason}`, {
    code: code === 'ECONNREFUSED' ? 'CONNECTION_REFUSED' : 'CONNECTION_FAILED',
    hints: hint === '' ? [] : [hint],
    cause: error,
  });
}

function dnsError(error: Error, peer: Peer): CliError {
  const code = codeOf(error);
  const unknown = code === 'ENOTFOUND' || code === 'ENODATA';
  return failed(
    peer,
    `DNS: ${unknown ? `there is no host "${peer.host}"` : `unable to look up "${peer.host}" (${code})`}`,
    {
      code: 'DNS_FAILED',
      hints: ['check the host name (-X brokers=HOST:PORT)'],
      // A resolver that says "no" will say so again; one that does not answer may.
      retryable: !unknown,
      cause: error,
    },
  );
}

function tlsError(error: Error, peer: Peer): CliError {
  const cut = [closedByPeer, 'ECONNRESET', 'EPIPE', 'ECONNABORTED'].includes(codeOf(error));
  const known = cut ? handshakeCut('tls', 'broker') : tlsReason(error, 'tls', 'broker');
  return failed(peer, `TLS: ${known?.reason ?? error.message}`, {
    code: 'TLS_FAILED',
    hints: known?.hints ?? [],
    retryable: false,
    cause: error,
  });
}

/** A connection that ended while something was awaited from it (exit 5). */
export function lostError(doing: string, error: Error, peer: Peer): CliError {
  if (error instanceof CliError) return error;
  const known = peer.tls ? tlsReason(error, 'tls', 'broker') : undefined;
  if (known !== undefined) return tlsError(error, peer);
  const reason = tcpReasons.get(codeOf(error))?.[0] ?? error.message;
  return unreachableError(`lost ${peer.broker} during ${doing}: ${reason}`, { code: 'CONNECTION_LOST', cause: error });
}

/** The same error with more advice, and perhaps not worth another try. */
export function withHints(error: CliError, hints: readonly string[], retryable = error.retryable): CliError {
  return new CliError(error.exitCode, error.message, {
    code: error.code,
    hints: [...error.hints, ...hints],
    retryable,
    cause: error.cause,
    ...(error.target === undefined ? {} : { target: error.target }),
  });
}

function failed(peer: Peer, why: string, details: ErrorDetails): CliError {
  return new CliError(exitCodes.unreachable, `unable to connect to ${peer.broker}: ${why}`, {
    retryable: true,
    target: peer.broker,
    ...details,
  });
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : '';
}
