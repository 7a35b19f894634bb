import { CliError, type ErrorDetails, exitCodes, unreachableError } from '../errors.ts';
import { showDuration } from '../format/duration.ts';
import type { DialStep } from './socket.ts';
import { handshakeCut, tlsReason } from './tls-reason.ts';

/** Who was dialled, for messages. */
export interface Peer {
  /** For example `broker 2 (b2.example:9092)`. */
  readonly name: string;
  readonly host: string;
  /** What it is: `broker`, `registry`, `server`. */
  readonly server: string;
  /** The prefix of the options of its TLS; undefined where there are none. */
  readonly keyPrefix: string | undefined;
  /** How its address is given, for example `-X brokers=HOST:PORT`. */
  readonly addressHint: string;
}

/** The code of the error of a connection that the peer ended in good order. */
export const closedByPeer = 'ECLOSED';

/** Why TCP failed, and what to do; `SERVER` and `ADDRESS` stand for the peer's words. */
const tcpReasons: ReadonlyMap<string, readonly [reason: string, hint: string]> = new Map([
  [closedByPeer, ['it closed the connection', '']],
  ['ECONNREFUSED', ['connection refused', 'is a SERVER running there? check the address (ADDRESS)']],
  ['ECONNRESET', ['connection reset', 'check the address (ADDRESS)']],
  ['EHOSTUNREACH', ['no route to the host', 'check the network and the address (ADDRESS)']],
  ['ENETUNREACH', ['the network is unreachable', 'check the network and the address (ADDRESS)']],
  ['ETIMEDOUT', ['the operating system gave up waiting', 'check the network and the address (ADDRESS)']],
]);

/** Why a TCP connection failed or ended, as a person says it; undefined for other errors. */
export function tcpReason(error: Error): string | undefined {
  return tcpReasons.get(codeOf(error))?.[0];
}

/** A dial that failed: which step, why, and what to do (exit 5). */
export function dialError(step: DialStep, error: Error, peer: Peer): CliError {
  if (error instanceof CliError) return error;
  if (step === 'DNS') return dnsError(error, peer);
  if (step === 'TLS') return tlsError(error, peer);
  // Several addresses of one name were tried: the last failure stands for all.
  const last = error instanceof AggregateError && error.errors.length > 0 ? (error.errors.at(-1) as Error) : error;
  const code = codeOf(last);
  const [reason, hint] = tcpReasons.get(code) ?? [last.message === '' ? code : last.message, ''];
  return failed(peer, `TCP: ${reason}`, {
    code: code === 'ECONNREFUSED' ? 'CONNECTION_REFUSED' : 'CONNECTION_FAILED',
    hints: hint === '' ? [] : [hint.replace('SERVER', peer.server).replace('ADDRESS', peer.addressHint)],
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
      hints: [`check the host name (${peer.addressHint})`],
      // A resolver that says "no" will say so again; one that does not answer may.
      retryable: !unknown,
      cause: error,
    },
  );
}

/** A TLS handshake that failed, or a TLS connection that ended with a reason. */
export function tlsError(error: Error, peer: Peer): CliError {
  const cut = [closedByPeer, 'ECONNRESET', 'EPIPE', 'ECONNABORTED'].includes(codeOf(error));
  const prefix = peer.keyPrefix ?? 'tls';
  const known = cut ? handshakeCut(prefix, peer.server) : tlsReason(error, prefix, peer.server);
  return failed(peer, `TLS: ${known?.reason ?? error.message}`, {
    code: 'TLS_FAILED',
    // Without options of its own, another CA is given to Node.js.
    hints: peer.keyPrefix === undefined ? caHints(known?.reason ?? '') : (known?.hints ?? []),
    // A port forward or a load balancer takes connections before its broker is up, and closes them.
    retryable: cut,
    cause: error,
  });
}

function caHints(reason: string): readonly string[] {
  return /signed/.test(reason) ? ['trust the CA that signed it: NODE_EXTRA_CA_CERTS=FILE'] : [];
}

const steps: Readonly<Record<DialStep, string>> = {
  DNS: 'the look-up of the host name (DNS)',
  TCP: 'the TCP connection',
  TLS: 'the TLS handshake',
};

/** A dial that took longer than `globals.dial_timeout`, given in nanoseconds. */
export function dialTimeout(step: DialStep, peer: Peer, dial: bigint): CliError {
  const limit = showDuration(dial);
  return unreachableError(
    `unable to connect to ${peer.name}: ${step}: ${steps[step]} was not there in ${limit} (globals.dial_timeout=${limit})`,
    {
      code: 'DIAL_TIMEOUT',
      hints: [
        ...(step === 'TLS' && peer.keyPrefix !== undefined
          ? [`the port may not be a TLS port: -X ${peer.keyPrefix}.enabled=false`]
          : []),
        'raise it with -X globals.dial_timeout=DURATION',
      ],
      target: peer.name,
    },
  );
}

function failed(peer: Peer, why: string, details: ErrorDetails): CliError {
  return new CliError(exitCodes.unreachable, `unable to connect to ${peer.name}: ${why}`, {
    retryable: true,
    target: peer.name,
    ...details,
  });
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : '';
}
