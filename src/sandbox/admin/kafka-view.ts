import { startDeadline } from '../../deadline.ts';
import { CliError, exitCodes } from '../../errors.ts';
import { everyAcl } from '../../kafka/cluster/access/acl-rows.ts';
import { deleteAcls, listAcls } from '../../kafka/cluster/access/acls.ts';
import { deleteUsers, listUsers, planUserDeletion, setPassword } from '../../kafka/cluster/access/users.ts';
import { clusterInfo } from '../../kafka/cluster/brokers/cluster.ts';
import type { ClusterInfo } from '../../kafka/cluster/brokers/cluster-rows.ts';
import type { Client } from '../../kafka/protocol/client/client.ts';
import { openClient } from '../../kafka/protocol/client/open-client.ts';
import type { PasswordSasl } from '../../kafka/protocol/options.ts';
import { parseAddress } from '../../net/address.ts';
import { unavailable } from './admin-error.ts';
import type { ClusterSnapshot, ClusterView, SeenTopic } from './cluster-view.ts';

/** How to reach the Kafka that a simulator reflects. */
export interface KafkaAccess {
  /** Its profile options, as text by key: `brokers`, `tls.…`, `user` … */
  readonly options: Readonly<Record<string, string>>;
  /** All its brokers, running or not. */
  readonly brokers: readonly { readonly id: number; readonly host: string; readonly port: number }[];
}

const second = 1_000_000_000n;
const limits = { dial: second, requestOverhead: 2n * second, retry: 2n * second, fetchMaxWait: second };
const iterations = 4096;

/** The users of a Kafka: their names when they were last read, and whether it has SCRAM credentials at all. */
interface KnownUsers {
  names: readonly string[];
  isScram: boolean;
}

/**
 * Creates a view of a running Kafka. Brokers that its metadata does not list are down. Without SCRAM, as with simulated
 * brokers of Kafka, users are kept in memory.
 */
export function kafkaView(access: KafkaAccess): ClusterView {
  const users: KnownUsers = { names: [], isScram: false };
  const sasl = saslOf(access.options);
  const ask: Ask = (work) => withClient(access, sasl, work);
  async function changeUsers(names: readonly string[], work: (client: Client) => Promise<unknown>): Promise<void> {
    try {
      if (users.isScram) await ask(work);
    } catch (error) {
      throw unavailable((error as Error).message);
    }
    users.names = names;
  }
  return {
    read: shareReads(() => snapshotOf(access, ask, users)),
    setUser({ name: user, password, algorithm }) {
      const call = { user, password, mechanisms: [algorithm], iterations };
      return changeUsers([...new Set([...users.names, user])], (client) => setPassword(client, call));
    },
    deleteUser(name) {
      return changeUsers(
        users.names.filter((one) => one !== name),
        async (client) => deleteUsers(client, await planUserDeletion(client, [name], [])),
      );
    },
    async deleteAcls(principal) {
      try {
        await ask((client) => deleteAclsOf(client, principal));
      } catch (error) {
        if (error instanceof CliError && error.code === 'UNSUPPORTED_VERSION') return; // simulated brokers of Kafka have no ACLs
        throw unavailable((error as Error).message);
      }
    },
    async logsIn(username, password) {
      if (sasl === undefined) return false;
      const tries = withClient(access, { ...sasl, username, password }, (client) => clusterInfo(client, 'none'));
      return tries.then(
        () => true,
        // Without Kafka nobody else could log in, and the Admin API is what shows that its brokers are down.
        (error) => !isRefused(error) && username === sasl.username && password === sasl.password,
      );
    },
  };
}

function isRefused(error: unknown): boolean {
  return error instanceof CliError && error.exitCode === exitCodes.auth;
}

async function deleteAclsOf(client: Client, principal: string): Promise<void> {
  const { matches } = await listAcls(client, [{ ...everyAcl, principal }]);
  const failed = (await deleteAcls(client, matches)).find(({ error }) => error !== null);
  if (failed?.error) throw new Error(failed.error.message);
}

type Ask = <T>(work: (client: Client) => Promise<T>) => Promise<T>;

async function snapshotOf(access: KafkaAccess, ask: Ask, users: KnownUsers): Promise<ClusterSnapshot> {
  const all = { topics: [], regex: false, internal: true };
  const [info, rows] = await Promise.all([
    ask((client) => clusterInfo(client, all)).catch(() => undefined),
    ask((client) => listUsers(client, 'all')).catch(() => undefined),
  ]);
  if (rows !== undefined) {
    users.isScram = true;
    users.names = rows.map(({ user }) => user);
  }
  const mechanisms = (rows ?? []).flatMap(({ user, credentials: [first] }) =>
    first === undefined ? [] : [[user, first.mechanism] as const],
  );
  return {
    mechanisms: new Map(mechanisms),
    brokers: access.brokers.map(({ id, host, port }) => {
      const row = info?.brokers.find((broker) => broker.id === id);
      return { id, rack: row?.rack ?? null, alive: row !== undefined, listener: { host, port } };
    }),
    topics: info === undefined ? undefined : topicsOf(info),
    users: users.names,
  };
}

function topicsOf({ topics }: ClusterInfo): readonly SeenTopic[] {
  return topics.map(({ name, partition_list: partitions }) => ({
    ns: 'kafka',
    name,
    partitions: partitions.map(({ partition, leader, replicas }) => ({
      id: partition,
      leader: leader < 0 ? null : leader,
      replicas,
    })),
  }));
}

function saslOf({ 'sasl.mechanism': mechanism, user, pass }: KafkaAccess['options']): PasswordSasl | undefined {
  if (mechanism === undefined || user === undefined || pass === undefined) return undefined;
  return { mechanism: mechanism as PasswordSasl['mechanism'], username: user, password: pass };
}

async function withClient<T>(
  { options }: KafkaAccess,
  sasl: PasswordSasl | undefined,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const deadline = startDeadline({ ...limits, command: 5n * second });
  const client = openClient({
    brokers: (options.brokers ?? '')
      .split(',')
      .map((text) => parseAddress(text, { defaultPort: 9092, scheme: 'none' })),
    tls: options['tls.enabled'] === 'true' ? tlsOf(options) : undefined,
    sasl,
    clientId: 'weir-sandbox',
    deadline,
    firstContact: 'stop',
  });
  try {
    return await work(client);
  } finally {
    client.close();
    deadline.dispose();
  }
}

function tlsOf({ 'tls.ca': ca, 'tls.cert': cert, 'tls.key': key }: KafkaAccess['options']) {
  return { ca, cert, key, insecureSkipVerify: false, keyPrefix: 'tls' } as const;
}

/**
 * Wraps a read so that callers share it, and none gets an answer from before its call: while one read is under way, all
 * further callers share the next.
 */
function shareReads<T>(read: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | undefined;
  let next: Promise<T> | undefined;
  function start(): Promise<T> {
    const reading = read().finally(() => {
      current = undefined;
    });
    current = reading;
    return reading;
  }
  return () => {
    if (current === undefined) return start();
    next ??= current
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return start();
      });
    return next;
  };
}
