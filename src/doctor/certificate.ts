import type { DetailedPeerCertificate, PeerCertificate, TLSSocket } from 'node:tls';
import { type CliError, rephrased } from '../errors.ts';
import { type Peer, tlsError } from '../net/dial-error.ts';
import { nameError } from '../net/socket.ts';
import type { StepResult } from './chain.ts';

/** One certificate of a chain. */
export interface ChainLink {
  readonly subject: string;
  readonly issuer: string;
  /** The names that it is for, for example `DNS:localhost, IP Address:127.0.0.1`. */
  readonly names: string;
  /** The last moment it is valid, in milliseconds since the epoch. */
  readonly validTo: number;
}

/** A finished TLS handshake, before anything is trusted. */
export interface Handshake {
  /** For example `TLSv1.3`. */
  readonly protocol: string;
  /** The certificates that were sent or found, the peer's own first. */
  readonly links: readonly ChainLink[];
  /** Why the chain is not trusted; undefined if it is. */
  readonly chainError: Error | undefined;
  /** Why the certificate is not for the host; undefined if it is. */
  readonly nameError: Error | undefined;
}

/** The most certificates of a chain that are read. */
const longestChain = 10;

/** Reads what a peer has presented, from a socket that was opened without verification. */
export function handshakeOf(socket: TLSSocket, host: string): Handshake {
  const certificate = socket.getPeerCertificate(true);
  const code = socket.authorizationError === null ? '' : String(socket.authorizationError ?? '');
  const isChain = code !== '' && code !== 'ERR_TLS_CERT_ALTNAME_INVALID';
  return {
    protocol: socket.getProtocol() ?? 'TLS',
    links: linksOf(certificate),
    chainError: isChain ? Object.assign(new Error(code), { code }) : undefined,
    nameError: nameError(host, certificate),
  };
}

function linksOf(certificate: DetailedPeerCertificate): readonly ChainLink[] {
  const links: ChainLink[] = [];
  const seen = new Set<string>();
  let at: DetailedPeerCertificate | undefined = certificate;
  // The root is its own issuer.
  while (at?.fingerprint256 !== undefined && !seen.has(at.fingerprint256) && links.length < longestChain) {
    seen.add(at.fingerprint256);
    links.push(linkOf(at));
    at = at.issuerCertificate;
  }
  return links;
}

function linkOf({ subject, issuer, subjectaltname, valid_to: until }: PeerCertificate): ChainLink {
  return {
    subject: nameOf(subject),
    issuer: nameOf(issuer),
    names: subjectaltname ?? '',
    validTo: Date.parse(until),
  };
}

function nameOf(name: Readonly<Record<string, string | string[] | undefined>> | undefined): string {
  const { CN, O } = name ?? {};
  return [CN ?? O ?? 'an unnamed issuer'].flat().join(', ');
}

/** How to judge a handshake. */
export interface Judgment {
  readonly peer: Peer;
  /** Whether weir verifies certificates; false with `insecure_skip_verify`. */
  readonly verifies: boolean;
  readonly nowMs: number;
}

const dayMs = 86_400_000;

/** How long before its expiry a certificate is a warning, in days. */
const soonDays = 30;

/**
 * Judges chain, names and expiry dates.
 * @throws CliError with all that is wrong, unless certificates are not verified: then it is a warning
 */
export function judgeHandshake(handshake: Handshake, { peer, verifies, nowMs }: Judgment): StepResult<undefined> {
  const detail = describe(handshake);
  const error = faultOf(handshake, peer);
  if (error !== undefined && verifies) throw error;
  const warnings = [
    ...(verifies ? [] : [notVerified(peer, error)]),
    ...handshake.links.flatMap((link) => expiryWarning(link, nowMs)),
  ];
  const notes = [...(error === undefined ? [] : [reasonOf(error)]), detail];
  return { value: undefined, detail: notes.join('; '), ...(warnings.length > 0 && { warning: warnings }) };
}

function describe({ protocol, links: [leaf] }: Handshake): string {
  if (leaf === undefined) return protocol;
  const names = leaf.names === '' ? leaf.subject : leaf.names;
  return `${protocol}, certificate for ${names}, issued by ${leaf.issuer}, valid until ${dateOf(leaf.validTo)}`;
}

/** The error of the connection layer for the chain, with the reason for the names if those are wrong as well. */
function faultOf({ chainError, nameError, links: [leaf] }: Handshake, peer: Peer): CliError | undefined {
  const nameFault = nameError && tlsError(nameError, peer);
  if (chainError === undefined) return nameFault;
  const chained = tlsError(chainError, peer);
  const until = leaf === undefined ? '' : ` (valid until ${dateOf(leaf.validTo)})`;
  const dated = /expired$/.test(chained.message) ? `${chained.message}${until}` : chained.message;
  if (nameFault === undefined) return rephrased(chained, dated);
  const hints = [...new Set([...chained.hints, ...nameFault.hints])];
  return rephrased(chained, `${dated}; ${reasonOf(nameFault)}`, { hints });
}

/** The reason at the end of `unable to connect to …: TLS: reason`. */
function reasonOf({ message }: CliError): string {
  return message.replace(/^.*?: TLS: /, '');
}

function notVerified({ keyPrefix = 'tls' }: Peer, error: CliError | undefined): string {
  const then = error === undefined ? '' : ' after solving the problem';
  return `certificates are not verified: turn that on${then} with -X ${keyPrefix}.insecure_skip_verify=false`;
}

function expiryWarning({ subject, validTo }: ChainLink, nowMs: number): readonly string[] {
  const days = Math.floor((validTo - nowMs) / dayMs);
  if (days < 0 || days > soonDays) return [];
  return [`renew the certificate of ${subject}: it expires on ${dateOf(validTo)}`];
}

function dateOf(epochMs: number): string {
  return Number.isNaN(epochMs) ? 'an unknown date' : new Date(epochMs).toISOString().slice(0, 10);
}
