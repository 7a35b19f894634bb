import { type Contender, isInstalled } from './measure.ts';

/** A program that weir is measured against. */
export interface Peer extends Contender {
  /** False if it cannot do this case or a part of it is missing; its program is looked for separately. */
  readonly there?: boolean;
}

/** The peers that can be measured here. */
export function present(peers: readonly Peer[]): readonly Peer[] {
  return peers.filter(({ file, there = true }) => there && isInstalled(file));
}

/** A line that names the peers missing on this machine; empty if there are none. */
export function missingPeers(peers: readonly Peer[]): string {
  const missing = peers.filter((peer) => !present([peer]).includes(peer)).map(({ name }) => name);
  return missing.length === 0 ? '' : `not found on this machine: ${missing.join(', ')}\n`;
}
