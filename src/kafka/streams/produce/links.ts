import type { Client } from '../../protocol/client/client.ts';
import type { BrokerConnection } from '../../protocol/transport/connection.ts';

/** A connection to one leader; a broken link is replaced by a new one, never repaired. */
export interface Link {
  readonly opened: Promise<BrokerConnection>;
  /** Why it was closed; undefined while it is in use. */
  reason: unknown;
}

/** A broker that leads lanes. */
export interface Node {
  readonly id: number;
  link: Link | undefined;
  /** Requests in flight. */
  inFlight: number;
  /** Whether its last answer was quick. */
  isQuick: boolean;
  /** Whether requests to it name topics by their ids. */
  usesIds: boolean;
}

/** Creates a broker without a connection. */
export function createNode(id: number): Node {
  return { id, link: undefined, inFlight: 0, isQuick: true, usesIds: false };
}

/** Returns the broker's link; connects if there is none. */
export function linkTo(client: Client, node: Node): Link {
  node.link ??= { opened: client.dedicated(node.id), reason: undefined };
  return node.link;
}

/** Closes the broker's link; the requests in flight over it fail for the same reason. */
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
