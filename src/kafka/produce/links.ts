import type { BrokerConnection, Client } from '../client/client.ts';

/** A connection to one leader; a broken one is replaced by another link, never mended. */
export interface Link {
  readonly opened: Promise<BrokerConnection>;
  /** Why it was given up; undefined while it is in use. */
  reason: unknown;
}

/** A broker that leads lanes. */
export interface Node {
  readonly id: number;
  link: Link | undefined;
  /** Requests in flight. */
  inFlight: number;
  /** By its last answer. */
  isQuick: boolean;
}

/** A broker that is not connected to yet. */
export function createNode(id: number): Node {
  return { id, link: undefined, inFlight: 0, isQuick: true };
}

/** The broker's link; dials when there is none. */
export function linkTo(client: Client, node: Node): Link {
  node.link ??= { opened: client.dedicated(node.id), reason: undefined };
  return node.link;
}

/** Closes the broker's link for a reason; what is in flight over it fails for that reason too. */
export function cutLink(node: Node, reason: unknown): void {
  const { link } = node;
  if (link === undefined) return;
  node.link = undefined;
  link.reason = reason;
  link.opened.then(
    (connection) => connection.destroy(),
    () => undefined,
  );
}
