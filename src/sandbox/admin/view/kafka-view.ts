import { startDeadline } from '../../../deadline.ts';
import { deleteUsers, listUsers, setPassword } from '../../../kafka/access/users.ts';
import type { Client } from '../../../kafka/client/client.ts';
import { createClient } from '../../../kafka/client/create-client.ts';
import { clusterInfo } from '../../../kafka/cluster/cluster.ts';
import type { ClusterInfo } from '../../../kafka/cluster/cluster-rows.ts';
import type { SaslOptions } from '../../../kafka/kafka.ts';
import { parseAddress } from '../../../net/address.ts';
import type { ClusterSnapshot, ClusterView, NewUser, SeenTopic } from './cluster-view.ts';

/** How to reach the Kafka that a simulator reflects. */
export interface KafkaAccess {
  /** Its profile options, as text by key: `brokers`, `tls.…`, `user` … */
  readonly options: Readonly<Record<string, string>>;
  /** All its brokers, running or not. */
  readonly brokers: readonly { readonly id: number; readonly host: string; readonly port: number }[];
}

/** How long an answer of Kafka is used again, in real milliseconds: a command asks several times in a row. */
const freshMs = 300;
const limitMs = 5_000;
const seconds = 1_000_000_000n;
const iterations = 4096;

/** Creates a view of a running Kafka. Brokers that cannot be reached are down; users stay in memory without SCRAM. */
export function kafkaView(access: KafkaAccess): ClusterView {
  let last: { readonly snapshot: Promise<ClusterSnapshot>; readonly at: number } | undefined;
  const own = new Set<string>();
  const forget = () => {
    last = undefined;
  };
  const ask = <T>(work: (client: Client) => Promise<T>, sasl = saslOf(access.options)) =>
    withClient(access, sasl, work);
  return {
    read() {
      if (last === undefined || performance.now() - last.at > freshMs)
        last = { snapshot: snapshotOf(access, ask, own), at: performance.now() };
      return last.snapshot;
    },
    async setUser({ name, password, algorithm }: NewUser) {
      own.add(name);
      const call = { user: name, password, mechanisms: [algorithm], iterations };
      await ask((client) => setPassword(client, call)).catch(() => undefined);
      forget();
    },
    async deleteUser(name) {
      own.delete(name);
      await ask((client) => deleteUsers(client, { users: [name], mechanisms: [], dryRun: false })).catch(
        () => undefined,
      );
      forget();
    },
    async logsIn(username, password) {
      const mechanism = saslOf(access.options)?.mechanism;
      if (mechanism === undefined) return false;
      const tries = ask((client) => clusterInfo(client, 'none'), { mechanism, username, password });
      return tries.then(
        () => true,
        () => false,
      );
    },
  };
}

type Ask = <T>(work: (client: Client) => Promise<T>) => Promise<T>;

async function snapshotOf(access: KafkaAccess, ask: Ask, own: ReadonlySet<string>): Promise<ClusterSnapshot> {
  const all = { topics: [], regex: false, internal: true };
  const info = await ask((client) => clusterInfo(client, all)).catch(() => undefined);
  // Simulated brokers have no SCRAM users.
  const users = await ask((client) => listUsers(client, 'all')).catch(() => undefined);
  const names = users?.map(({ user }) => user) ?? [...own];
  return {
    brokers: access.brokers.map(({ id, host, port }) => {
      const row = info?.brokers.find((broker) => broker.id === id);
      return { id, rack: row?.rack ?? null, alive: row !== undefined, listener: { host, port } };
    }),
    topics: info === undefined ? undefined : topicsOf(info),
    users: names,
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

function saslOf({ 'sasl.mechanism': mechanism, user, pass }: KafkaAccess['options']): SaslOptions | undefined {
  if (mechanism === undefined || user === undefined || pass === undefined) return undefined;
  return { mechanism: mechanism as SaslOptions['mechanism'], username: user, password: pass };
}

async function withClient<T>(
  { options }: KafkaAccess,
  sasl: SaslOptions | undefined,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const times = { dial: 1n * seconds, requestOverhead: 2n * seconds, retry: 2n * seconds, fetchMaxWait: seconds };
  const deadline = startDeadline({ ...times, command: BigInt(limitMs / 1000) * seconds });
  const client = createClient({
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
