import { CliError, exitCodes, rephrased } from '../../errors.ts';
import { type ApiCall, type ApiPath, callsOf, pathOf } from '../../net/json-api/call.ts';
import { hasStatus } from '../../net/json-api/error.ts';
import { at, inside, listOf, mapped, maybe, row, string, whole } from '../../shape/shape.ts';
import { atHost, hostnameOf, isReachableHost, isSamePlace, portOf } from './node-url.ts';

/** The id of a broker and one of its hosts. */
export interface BrokerHost {
  readonly id: number;
  readonly host: string;
}

/** What is known of the nodes of the cluster. */
export interface Nodes {
  /**
   * Returns the configured base URL of the leader of the controller; undefined if it is not known, so that the request
   * goes to any node, which forwards or redirects it.
   * @throws CliError (exit 5, can be repeated) if there is no leader
   */
  leader(): Promise<string | undefined>;
  /** Asks for the leader again the next time. */
  forgetLeader(): void;
  /**
   * Returns the base URL of the node with that id.
   * @throws CliError (exit 3) if the cluster has none, or (exit 1) if its address is not known
   */
  urlOf(id: number): Promise<string>;
  /** Whether a redirect leads to a configured address. */
  isConfigured(target: URL): boolean;
  /**
   * Whether a redirect leads to a machine of the cluster, at the port of a configured address or of the request.
   * @throws CliError (can be repeated) if the list of brokers cannot be read at the moment
   */
  isOfCluster(target: URL, from: string): Promise<boolean>;
}

/** Reads without retries, whose redirects lead at most to configured addresses. */
interface Reads {
  any<T>(read: ApiCall<T>): Promise<T>;
  /** Follows no redirect, so that the answer is that of the node at the address. */
  at<T>(url: string, read: ApiCall<T>): Promise<T>;
  /** What the cluster announces to Kafka clients. */
  announced(): Promise<readonly BrokerHost[]>;
}

/**
 * Creates the knowledge about nodes, without sending a request.
 * @param urls the base URLs of the configured addresses
 */
export function createNodes(urls: readonly string[], reads: Reads): Nodes {
  const configuredUrlOf = createIds(urls, reads);
  let leader: Promise<string | undefined> | undefined;

  const readBrokers = (): Promise<readonly BrokerHost[]> => reads.any(brokersRead).catch(asOwnFailure);

  const announced = (): Promise<readonly BrokerHost[]> => reads.announced().catch(() => []);

  /**
   * What the brokers announce, if the host of this URL is among it. The API names only the addresses that brokers have for
   * each other, which clients elsewhere may not reach. The server guesses the targets of its redirects in the same way.
   */
  async function announcedLike(url: string): Promise<readonly BrokerHost[]> {
    const all = await announced();
    const hosts = new Set(all.map(({ host }) => hostnameOf(host)));
    // Brokers behind one host differ only by their Kafka port.
    return hosts.size === all.length && hosts.has(new URL(url).hostname) ? all : [];
  }

  async function findLeader(): Promise<string | undefined> {
    try {
      return await configuredUrlOf(leading(await reads.any(leaderRead)));
    } catch (error) {
      // Older versions, and users without the right to ask: the server redirects by itself where it has to.
      return hasStatus(error, 403, 404) ? undefined : asOwnFailure(error);
    }
  }

  const isConfigured = (target: URL): boolean => urls.some((url) => isSamePlace(new URL(url), target));

  return {
    isConfigured,
    async urlOf(id) {
      const url = await configuredUrlOf(id);
      if (url !== undefined) return url;
      const from = urls[0] ?? '';
      const brokers = await readBrokers();
      const broker = brokers.find((one) => one.id === id);
      if (broker === undefined) throw noNode(id, brokers);
      const { host } = (await announcedLike(from)).find((one) => one.id === id) ?? broker;
      if (!isReachableHost(host, from)) throw noAddress({ id, host });
      return atHost(from, host);
    },
    async leader() {
      if (urls.length === 1) return undefined;
      const asked = leader ?? findLeader();
      leader = asked;
      asked.catch(() => {
        if (leader === asked) leader = undefined;
      });
      return await asked;
    },
    forgetLeader() {
      leader = undefined;
    },
    async isOfCluster(target, from) {
      if (isConfigured(target)) return true;
      if (portOf(target) !== portOf(new URL(from))) return false;
      // Not kept: a broker that joined later can be the leader.
      const brokers = await readBrokers().catch((error: unknown) => {
        if (error instanceof CliError && !error.retryable) return [];
        throw error;
      });
      const isNamed = (host: string) => hostnameOf(host) === target.hostname && isReachableHost(host, from);
      // A client that reaches a node by the name announced to Kafka clients is redirected to such a name of the leader.
      return [...brokers, ...(await announced())].some(({ host }) => isNamed(host));
    },
  };
}

/** Keeps a failed read from being taken for a failure of the request that it is made for, which was not sent. */
function asOwnFailure(error: unknown): never {
  throw error instanceof CliError ? rephrased(error, error.message) : error;
}

/**
 * Creates a function that returns the configured URL of the node with an id as soon as that node answers; undefined
 * after all have answered. The ids are kept, and those of nodes that did not answer are asked for again.
 */
function createIds(urls: readonly string[], reads: Reads): (id: number) => Promise<string | undefined> {
  const asked = new Map<string, Promise<number | undefined>>();
  function idAt(url: string): Promise<number | undefined> {
    const pending = asked.get(url);
    if (pending !== undefined) return pending;
    const id = readId(url, reads).catch(() => {
      asked.delete(url);
      return undefined;
    });
    asked.set(url, id);
    return id;
  }
  return (id) => {
    const matches = urls.map(async (url) => {
      if ((await idAt(url)) !== id) throw new Error('another node');
      return url;
    });
    return Promise.any(matches).catch(() => undefined);
  };
}

/** Only superusers may read the configuration of a node; newer versions show its id to every user as well. */
async function readId(url: string, reads: Reads): Promise<number> {
  const read = (path: ApiPath): Promise<number> =>
    reads.at(url, get('read the id of a node', path, inside('node_id', whole)));
  try {
    return await read(pathOf`/v1/node_config`);
  } catch (error) {
    if (hasStatus(error, 403)) return await read(pathOf`/v1/debug/broker_uuid`);
    throw error;
  }
}

const { get } = callsOf();

const brokerHost = row({ id: at('node_id', whole), host: at('internal_rpc_address', string) });

const brokersRead = get(
  'read the brokers',
  pathOf`/v1/brokers`,
  mapped(listOf(maybe(brokerHost)), (all) => all.filter((one) => one !== null)),
  { form: 'list of brokers' },
);

const leaderRead = get(
  'find the leader of the controller',
  pathOf`/v1/partitions/redpanda/controller/0`,
  inside('leader_id', whole),
);

function leading(id: number): number {
  if (id >= 0) return id;
  throw new CliError(exitCodes.unreachable, 'the controller has no leader at the moment', {
    code: 'NO_CONTROLLER',
    hints: ['see which brokers are down with: weir cluster health'],
    retryable: true,
  });
}

function noNode(id: number, brokers: readonly BrokerHost[]): CliError {
  const ids = brokers.map((one) => one.id).sort((a, b) => a - b);
  return new CliError(exitCodes.notFound, `the cluster has no broker ${id}, only ${ids.join(', ') || 'none'}`, {
    code: 'BROKER_NOT_FOUND',
    target: String(id),
  });
}

function noAddress({ id, host }: BrokerHost): CliError {
  return new CliError(
    exitCodes.failure,
    `the address of the Admin API of broker ${id} is not known (the cluster names "${host}", which leads elsewhere from here)`,
    { code: 'BROKER_ADDRESS_UNKNOWN', target: String(id), hints: [`add the address of broker ${id} to admin.hosts`] },
  );
}
