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
