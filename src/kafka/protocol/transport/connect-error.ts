import { CliError, unreachableError } from '../../../errors.ts';
import { type Peer as NetPeer, dialError as netDialError, tcpReason, tlsError } from '../../../net/dial-error.ts';
import type { DialStep } from '../../../net/socket.ts';
import { tlsReason } from '../../../net/tls-reason.ts';

/** The broker that was dialed, for messages. */
export interface Peer {
  /** For example `broker 2 (b2.example:9092)`. */
  readonly broker: string;
  readonly host: string;
  readonly tls: boolean;
}

/** Describes a broker to the error functions that all APIs share. */
export function netPeer({ broker, host }: Peer): NetPeer {
  return { name: broker, host, server: 'broker', keyPrefix: 'tls', addressHint: '-X brokers=HOST:PORT' };
}

/** Reports a failed dial: the step, the reason and what to do (exit 5). */
export function dialError(step: DialStep, error: Error, peer: Peer): CliError {
  return netDialError(step, error, netPeer(peer));
}

/** Reports a connection that was lost while an answer was pending (exit 5). */
export function lostError(doing: string, error: Error, peer: Peer): CliError {
  if (error instanceof CliError) return error;
  const fault = peer.tls ? tlsReason(error, 'tls', 'broker') : undefined;
  if (fault !== undefined) return tlsError(error, netPeer(peer));
  const reason = tcpReason(error) ?? error.message;
  return unreachableError(`lost ${peer.broker} during ${doing}: ${reason}`, { code: 'CONNECTION_LOST', cause: error });
}
