import { CliError, type ErrorDetails, exitCodes, unreachableError } from '../errors.ts';
import { showDuration } from '../format/duration.ts';
import type { DialStep } from './socket.ts';
import { codeOf, handshakeCut, tlsReason, withoutTls } from './tls-reason.ts';

/** The peer of a connection, for messages. */
export interface Peer {
  /** For example `broker 2 (b2.example:9092)`. */
  readonly name: string;
  readonly host: string;
  /** The type of the peer: `broker`, `registry`, `server`. */
  readonly server: string;
  /** The key prefix of its TLS options; undefined if it has none. */
  readonly keyPrefix: string | undefined;
  /** How to set its address, for example `-X brokers=HOST:PORT`. */
  readonly addressHint: string;
}

/** The error code for a connection that the peer closed cleanly. */
export const closedByPeer = 'ECLOSED';

/** The reasons and hints for TCP errors; `SERVER` and `ADDRESS` are replaced by the peer's values. */
const tcpReasons: ReadonlyMap<string, readonly [reason: string, hint: string]> = new Map([
  [closedByPeer, ['it closed the connection', '']],
  ['ECONNREFUSED', ['connection refused', 'check the address (ADDRESS) and that a SERVER is running there']],
  ['ECONNRESET', ['connection reset', 'check the address (ADDRESS)']],
  ['EHOSTUNREACH', ['no route to host', 'check the network and the address (ADDRESS)']],
  ['ENETUNREACH', ['the network is unreachable', 'check the network and the address (ADDRESS)']],
  ['ETIMEDOUT', ['the operating system timed out', 'check the network and the address (ADDRESS)']],
]);

/** Describes why a TCP connection failed or ended; undefined for other errors. */
export function tcpReason(error: Error): string | undefined {
  return tcpReasons.get(codeOf(error))?.[0];
}

/** Creates the error for a failed dial, with the step, the reason and hints (exit 5). */
export function dialError(step: DialStep, error: Error, peer: Peer): CliError {
  if (error instanceof CliError) return error;
  if (step === 'DNS') return dnsError(error, peer);
  if (step === 'TLS') return tlsError(error, peer);
  // If several addresses of one name were tried, the last failure is reported.
  const last = error instanceof AggregateError && error.errors.length > 0 ? (error.errors.at(-1) as Error) : error;
  const code = codeOf(last);
  const [reason, hint] = tcpReasons.get(code) ?? [last.message === '' ? code : last.message, ''];
  return failed(peer, `TCP: ${reason}`, {
    code: code === 'ECONNREFUSED' ? 'CONNECTION_REFUSED' : 'CONNECTION_FAILED',
    hints: hint === '' ? [] : [hint.replace('a SERVER', withArticle(peer.server)).replace('ADDRESS', peer.addressHint)],
    cause: error,
  });
}

function dnsError(error: Error, peer: Peer): CliError {
  const code = codeOf(error);
  const unknown = code === 'ENOTFOUND' || code === 'ENODATA';
  return failed(
    peer,
    `DNS: ${unknown ? `unknown host "${peer.host}"` : `unable to look up "${peer.host}" (${code})`}`,
    {
      code: 'DNS_FAILED',
      hints: [`check the host name (${peer.addressHint})`],
      // A name that does not exist will not exist on the next attempt either; other failures may be temporary.
      retryable: !unknown,
      cause: error,
    },
  );
}

/** Creates the error for a failed TLS handshake or a TLS connection that ended with an error (exit 5). */
export function tlsError(error: Error, peer: Peer): CliError {
  const cut = [closedByPeer, 'ECONNRESET', 'EPIPE', 'ECONNABORTED'].includes(codeOf(error));
  const prefix = peer.keyPrefix ?? 'tls';
  const fault = cut ? handshakeCut(prefix, peer.server) : tlsReason(error, prefix, peer.server);
  return failed(peer, `TLS: ${fault?.reason ?? error.message}`, {
    code: 'TLS_FAILED',
    // Without TLS options for this peer, a CA can only be passed to Node.js.
    hints: peer.keyPrefix === undefined ? caHints(fault?.reason ?? '') : (fault?.hints ?? []),
    // A port forward or a load balancer accepts and closes connections until its broker is up.
    retryable: cut,
    cause: error,
  });
}

function caHints(reason: string): readonly string[] {
  return /signed/.test(reason) ? ['trust the CA that signed it: NODE_EXTRA_CA_CERTS=FILE'] : [];
}

const steps: Readonly<Record<DialStep | 'CONNECT' | 'SOCKS5', string>> = {
  proxy: 'connection',
  DNS: 'host name lookup',
  TCP: 'connection',
  TLS: 'handshake',
  CONNECT: 'the response',
  SOCKS5: 'the response',
};

/** The steps in which a proxy of another kind answers nothing. */
const mute: ReadonlySet<string> = new Set(['TLS', 'CONNECT', 'SOCKS5']);

/**
 * Creates the error for a dial that exceeded `globals.dial_timeout` (exit 5).
 * @param dial the limit, in nanoseconds
 * @param proxy the proxy that was waited for; undefined: none
 */
export function dialTimeout(step: keyof typeof steps, peer: Peer, dial: bigint, proxy?: string): CliError {
  const limit = showDuration(dial);
  const where = proxy === undefined ? '' : `${proxy}: `;
  return unreachableError(
    `unable to connect to ${peer.name}: ${where}${step}: ${steps[step]} timed out after ${limit} (globals.dial_timeout=${limit})`,
    {
      code: 'DIAL_TIMEOUT',
      hints: [
        ...(step === 'TLS' && peer.keyPrefix !== undefined && proxy === undefined ? [withoutTls(peer.keyPrefix)] : []),
        ...(proxy !== undefined && mute.has(step)
          ? ['check the scheme and the port of the proxy: it does not answer']
          : []),
        'raise the limit with -X globals.dial_timeout=DURATION',
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

function withArticle(noun: string): string {
  return `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;
}
