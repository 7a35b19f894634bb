import { CliError, exitCodes } from '../errors.ts';
import { fieldsOf } from '../net/json.ts';

/** What is known of the nodes of the cluster. */
export interface Nodes {
  /**
   * Returns the base URL of the leader of the controller; undefined if its address is not known, so that any node does.
   * @throws CliError (exit 5, can be repeated) if there is no leader
   */
  leader(): Promise<string | undefined>;
  /** Asks for the leader again the next time. */
  forgetLeader(): void;
  /**
   * Returns the base URL of the node with that id.
   * @throws CliError (exit 3) if the cluster has none
   */
  urlOf(id: number): Promise<string>;
  /** Whether a redirect leads to a machine of the cluster, at the port of a configured address or of the request. */
  isOfCluster(target: URL, from: string): Promise<boolean>;
  /** The ids of the configured addresses, as far as they answer. */
  configured(): Promise<ReadonlyMap<number, string>>;
}

/** Reads without retries. */
interface Reads {
  any(doing: string, path: string): Promise<unknown>;
  at(url: string, doing: string, path: string): Promise<unknown>;
}

/** A broker as far as its address matters. */
interface Broker {
  readonly id: number;
  readonly host: string;
}

/**
 * Creates the knowledge about nodes, without sending a request.
 * @param urls the base URLs of the configured addresses
 */
export function createNodes(urls: readonly string[], reads: Reads): Nodes {
  let ids: Promise<ReadonlyMap<number, string>> | undefined;
  let brokers: Promise<readonly Broker[]> | undefined;
  let leader: Promise<string | undefined> | undefined;

  function configured(): Promise<ReadonlyMap<number, string>> {
    ids ??= idsOf(urls, reads);
    return ids;
  }

  function knownBrokers(): Promise<readonly Broker[]> {
    brokers ??= readBrokers(reads);
    brokers.catch(() => {
      brokers = undefined;
    });
    return brokers;
  }

  async function urlOf(id: number): Promise<string> {
    const known = (await configured()).get(id);
    if (known !== undefined) return known;
    const all = await knownBrokers();
    const broker = all.find((one) => one.id === id);
    if (broker === undefined) throw noNode(id, all);
    return atHost(urls[0] ?? '', broker.host);
  }

  return {
    configured,
    urlOf,
    leader() {
      // The server redirects by itself where it has to.
      if (urls.length === 1) return Promise.resolve(undefined);
      leader ??= readLeader(reads).then((id) => urlOf(id).catch(() => undefined));
      leader.catch(() => {
        leader = undefined;
      });
      return leader;
    },
    forgetLeader() {
      leader = undefined;
    },
    async isOfCluster(target, from) {
      if (urls.some((url) => isSamePlace(new URL(url), target))) return true;
      if (portOf(target) !== portOf(new URL(from))) return false;
      const found = await knownBrokers().catch(() => []);
      return found.some(({ host }) => new URL(atHost(from, host)).hostname === target.hostname);
    },
  };
}

async function idsOf(urls: readonly string[], reads: Reads): Promise<ReadonlyMap<number, string>> {
  const found = new Map<number, string>();
  const ask = async (url: string): Promise<void> => {
    // A node that is down, or does not show its configuration to this user, has no known id.
    const body = await reads.at(url, 'read the id of a node', '/v1/node_config').catch(() => undefined);
    const { node_id: id } = fieldsOf(body);
    if (typeof id === 'number') found.set(id, url);
  };
  await Promise.all(urls.map(ask));
  return found;
}

async function readBrokers(reads: Reads): Promise<readonly Broker[]> {
  const body = await reads.any('read the brokers', '/v1/brokers');
  return (Array.isArray(body) ? body : []).map(fieldsOf).flatMap(({ node_id: id, internal_rpc_address: host }) => {
    return typeof id === 'number' && typeof host === 'string' ? [{ id, host }] : [];
  });
}

async function readLeader(reads: Reads): Promise<number> {
  const body = await reads.any('find the leader of the controller', '/v1/partitions/redpanda/controller/0');
  const { leader_id: id } = fieldsOf(body);
  if (typeof id === 'number' && id >= 0) return id;
  throw new CliError(exitCodes.unreachable, 'the controller has no leader at the moment', {
    code: 'NO_CONTROLLER',
    hints: ['see which brokers are down with: weir cluster health'],
    retryable: true,
  });
}

function noNode(id: number, brokers: readonly Broker[]): CliError {
  const ids = brokers.map((one) => one.id).sort((a, b) => a - b);
  return new CliError(exitCodes.notFound, `the cluster has no broker ${id}, only ${ids.join(', ') || 'none'}`, {
    code: 'BROKER_NOT_FOUND',
    target: String(id),
  });
}

/** The same base URL at another host; clusters serve the Admin API at the same port everywhere. */
function atHost(url: string, host: string): string {
  const at = new URL(url);
  at.hostname = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  return at.href.replace(/\/+$/, '');
}

function isSamePlace(one: URL, other: URL): boolean {
  return one.hostname === other.hostname && portOf(one) === portOf(other);
}

function portOf({ port, protocol }: URL): string {
  return port || (protocol === 'https:' ? '443' : '80');
}
