import { checkServerIdentity, type DetailedPeerCertificate, type PeerCertificate, type TLSSocket } from 'node:tls';
import type { ChainLink, Handshake } from './certificate.ts';

/** The most certificates of a chain that are read. */
const longestChain = 10;

/** Reads what a peer has presented, from a socket that was opened without verification. */
export function handshakeOf(socket: TLSSocket, host: string): Handshake {
  const own = socket.getPeerCertificate(true);
  const code = socket.authorizationError === null ? '' : String(socket.authorizationError ?? '');
  const isChain = code !== '' && code !== 'ERR_TLS_CERT_ALTNAME_INVALID';
  return {
    protocol: socket.getProtocol() ?? 'TLS',
    links: linksOf(own),
    chainError: isChain ? Object.assign(new Error(code), { code }) : undefined,
    nameError: checkServerIdentity(host, own),
  };
}

function linksOf(own: DetailedPeerCertificate): readonly ChainLink[] {
  const links: ChainLink[] = [];
  const seen = new Set<string>();
  let at: DetailedPeerCertificate | undefined = own;
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
