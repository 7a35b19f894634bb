import type { ClusterSnapshot, ClusterView, SeenTopic } from '../../../src/sandbox/admin/cluster-view.ts';

/** A view of made-up data, which a test can change. */
export interface FixedView extends ClusterView {
  change(next: Partial<ClusterSnapshot>): void;
}

/** Creates a view of fixed data; by default of `threeBrokers`. */
export function fixedView(initial: Partial<ClusterSnapshot> = {}): FixedView {
  let snapshot: ClusterSnapshot = { ...threeBrokers, ...initial };
  const passwords = new Map<string, string>();
  const withUsers = (users: Iterable<string>) => {
    snapshot = { ...snapshot, users: [...new Set(users)] };
  };
  return {
    read: async () => snapshot,
    async setUser({ name, password }) {
      passwords.set(name, password);
      withUsers([...snapshot.users, name]);
    },
    async deleteUser(name) {
      passwords.delete(name);
      withUsers(snapshot.users.filter((one) => one !== name));
    },
    deleteAcls: async () => undefined, // it has none
    logsIn: async (name, password) => passwords.get(name) === password,
    change(next) {
      snapshot = { ...snapshot, ...next };
    },
  };
}

function topic(ns: string, name: string, replicas: readonly (readonly number[])[]): SeenTopic {
  const partitions = replicas.map((ids, id) => ({ id, leader: ids[0] ?? null, replicas: ids, sizeBytes: 64 << 20 }));
  return { ns, name, partitions };
}

/** Three brokers with a few topics, one of them without a second replica. */
const threeBrokers: ClusterSnapshot = {
  brokers: [
    { id: 0, rack: 'rack-a', alive: true },
    { id: 1, rack: 'rack-b', alive: true },
    { id: 2, rack: 'rack-c', alive: true },
  ],
  topics: [
    topic('kafka', 'orders', [
      [0, 1, 2],
      [1, 2, 0],
      [2, 0, 1],
    ]),
    topic('kafka', 'payments', [
      [1, 0, 2],
      [0, 2, 1],
    ]),
    topic('kafka', 'single', [[2]]),
    topic('kafka', '__consumer_offsets', [[0, 1, 2]]),
    topic('kafka_internal', 'tx', [
      [0, 1, 2],
      [1, 2, 0],
    ]),
  ],
  users: [],
};
