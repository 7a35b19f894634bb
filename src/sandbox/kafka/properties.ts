import { showHostPort } from '../../net/address.ts';

/** A SASL mechanism that both Kafka and weir support. */
export type Mechanism = 'PLAIN' | 'SCRAM-SHA-256' | 'SCRAM-SHA-512';

/** All mechanisms, in the order of the options table. */
export const mechanisms: readonly Mechanism[] = ['SCRAM-SHA-256', 'SCRAM-SHA-512', 'PLAIN'];

/** A user and the password that every mechanism of a listener accepts. */
export interface User {
  readonly name: string;
  readonly password: string;
  /** The user is subject to ACLs; other users are superusers. */
  readonly limited?: true;
}

/** A host and port. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** A listener of one broker. */
export interface Listener {
  /** Upper case, for example `CLIENT`. */
  readonly name: string;
  readonly bind: Endpoint;
  /** The address that the broker announces to clients; `bind` when absent. */
  readonly advertised?: Endpoint;
  /** PEM files: the broker's key and certificate, and the CA that client certificates must come from (`trusted`). */
  readonly tls?: { readonly keystore: string; readonly trusted?: string };
  readonly sasl?: { readonly mechanisms: readonly Mechanism[]; readonly users: readonly User[] };
}

/** One broker of a cluster, which is also a controller. */
export interface Node {
  readonly id: number;
  /** The directory on this machine with its configuration, data and log. */
  readonly directory: string;
  /** The path of that directory as the broker sees it, which differs inside a container. */
  readonly seenAs: string;
  /** The client listeners. */
  readonly listeners: readonly Listener[];
  /** The plaintext listener that brokers and weir's own probe use. */
  readonly internal: Listener;
  readonly controller: Listener;
  /** Extra properties of this broker, which override all others. */
  readonly more?: readonly Property[];
}

/** The listener names of a node that clients do not use. */
export const innerListeners = { internal: 'INTERNAL', controller: 'CONTROLLER' } as const;

/** Builds server.properties for one of `nodes` (Kafka documentation, "Broker Configs" and "KRaft"). */
export function serverProperties(node: Node, nodes: readonly Node[]): string {
  const lines = [
    ...clusterProperties(node, nodes),
    ...listenerProperties(node),
    ...replicationProperties(nodes.length),
    ...smallProperties,
    ...(node.more ?? []),
  ];
  return `${lines.map(([key, value]) => `${key}=${value}`).join('\n')}\n`;
}

/** A line of server.properties. */
export type Property = readonly [key: string, value: string | number];

/** Settings that keep a single-user broker small, fast and predictable. */
const smallProperties: readonly Property[] = [
  ['auto.create.topics.enable', 'false'],
  ['group.initial.rebalance.delay.ms', 0],
  // A killed broker can only register again after its old session has expired.
  ['broker.session.timeout.ms', 4000],
  ['broker.heartbeat.interval.ms', 500],
  ['offsets.topic.num.partitions', 8],
  ['transaction.state.log.num.partitions', 8],
  ['num.network.threads', 1],
  ['num.io.threads', 4],
  ['log.cleaner.dedupe.buffer.size', 16 * 1024 * 1024],
  ['authorizer.class.name', 'org.apache.kafka.metadata.authorizer.StandardAuthorizer'],
  ['allow.everyone.if.no.acl.found', 'true'],
];

function clusterProperties(node: Node, nodes: readonly Node[]): readonly Property[] {
  const voters = nodes.map(({ id, controller }) => `${id}@${showHostPort(controller.advertised ?? controller.bind)}`);
  const users = node.listeners.flatMap(({ sasl }) => sasl?.users ?? []).filter(({ limited }) => !limited);
  // On the internal listener nobody logs in, not even with SASL: brokers and weir's own probe are ANONYMOUS there.
  const superusers = new Set(['ANONYMOUS', ...users.map(({ name }) => name)]);
  return [
    ['process.roles', 'broker,controller'],
    ['node.id', node.id],
    ['controller.quorum.voters', voters.join(',')],
    ['log.dirs', `${node.seenAs}/data`],
    ['super.users', [...superusers].map((name) => `User:${name}`).join(';')],
  ];
}

function replicationProperties(brokers: number): readonly Property[] {
  const replicas = Math.min(3, brokers);
  const inSync = Math.max(1, replicas - 1);
  return [
    ['default.replication.factor', replicas],
    ['offsets.topic.replication.factor', replicas],
    ['transaction.state.log.replication.factor', replicas],
    ['transaction.state.log.min.isr', inSync],
    ['share.coordinator.state.topic.replication.factor', replicas],
    ['share.coordinator.state.topic.min.isr', inSync],
  ];
}

function listenerProperties(node: Node): readonly Property[] {
  const data = [...node.listeners, node.internal];
  const all = [...data, node.controller];
  return [
    ['listeners', all.map(({ name, bind }) => `${name}://${showHostPort(bind)}`).join(',')],
    ['advertised.listeners', data.map((one) => `${one.name}://${showHostPort(one.advertised ?? one.bind)}`).join(',')],
    ['listener.security.protocol.map', all.map((listener) => `${listener.name}:${protocolOf(listener)}`).join(',')],
    ['inter.broker.listener.name', node.internal.name],
    ['controller.listener.names', node.controller.name],
    ...node.listeners.flatMap(securityProperties),
  ];
}

function protocolOf({ tls, sasl }: Listener): string {
  if (sasl) return tls ? 'SASL_SSL' : 'SASL_PLAINTEXT';
  return tls ? 'SSL' : 'PLAINTEXT';
}

function securityProperties({ name, tls, sasl }: Listener): readonly Property[] {
  const prefix = `listener.name.${name.toLowerCase()}`;
  const lines: Property[] = [];
  if (tls) {
    lines.push([`${prefix}.ssl.keystore.type`, 'PEM'], [`${prefix}.ssl.keystore.location`, tls.keystore]);
    lines.push([`${prefix}.ssl.client.auth`, tls.trusted === undefined ? 'none' : 'required']);
  }
  if (tls?.trusted !== undefined) {
    lines.push([`${prefix}.ssl.truststore.type`, 'PEM'], [`${prefix}.ssl.truststore.location`, tls.trusted]);
  }
  if (sasl) {
    lines.push([`${prefix}.sasl.enabled.mechanisms`, sasl.mechanisms.join(',')]);
    for (const mechanism of sasl.mechanisms) {
      lines.push([`${prefix}.${mechanism.toLowerCase()}.sasl.jaas.config`, jaas(mechanism, sasl.users)]);
    }
  }
  return lines;
}

function jaas(mechanism: Mechanism, users: readonly User[]): string {
  if (mechanism !== 'PLAIN') return 'org.apache.kafka.common.security.scram.ScramLoginModule required;';
  const entries = users.map(({ name, password }) => ` user_${name}="${password}"`);
  return `org.apache.kafka.common.security.plain.PlainLoginModule required${entries.join('')};`;
}
