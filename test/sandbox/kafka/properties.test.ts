import { expect, test } from 'vitest';
import { type Node, serverProperties } from '../../../src/sandbox/kafka/properties.ts';

function node(id: number, more: Partial<Node> = {}): Node {
  const at = (port: number) => ({ host: '127.0.0.1', port: port + id });
  return {
    id,
    directory: `/s/broker-${id}`,
    seenAs: `/s/broker-${id}`,
    listeners: [{ name: 'CLIENT', bind: at(9091) }],
    internal: { name: 'INTERNAL', bind: at(20_000) },
    controller: { name: 'CONTROLLER', bind: at(30_000) },
    ...more,
  };
}

function parse(text: string): Record<string, string> {
  return Object.fromEntries(
    text
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/=(.*)/s).slice(0, 2)),
  );
}

test('a single plaintext broker listens on three ports and does not replicate', () => {
  const only = node(1);
  expect(parse(serverProperties(only, [only]))).toMatchObject({
    'process.roles': 'broker,controller',
    'node.id': '1',
    'controller.quorum.voters': '1@127.0.0.1:30001',
    listeners: 'CLIENT://127.0.0.1:9092,INTERNAL://127.0.0.1:20001,CONTROLLER://127.0.0.1:30001',
    'advertised.listeners': 'CLIENT://127.0.0.1:9092,INTERNAL://127.0.0.1:20001',
    'listener.security.protocol.map': 'CLIENT:PLAINTEXT,INTERNAL:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'offsets.topic.replication.factor': '1',
    'transaction.state.log.min.isr': '1',
    'auto.create.topics.enable': 'false',
  });
});

test('three brokers form a quorum and keep three replicas', () => {
  const nodes = [node(1), node(2), node(3)];
  expect(parse(serverProperties(node(2), nodes))).toMatchObject({
    'node.id': '2',
    'controller.quorum.voters': '1@127.0.0.1:30001,2@127.0.0.1:30002,3@127.0.0.1:30003',
    'default.replication.factor': '3',
    'transaction.state.log.min.isr': '2',
  });
});

test('a listener with TLS, client certificates and SASL has the right files and users', () => {
  const secure = node(1, {
    listeners: [
      {
        name: 'CLIENT',
        bind: { host: '::1', port: 9092 },
        advertised: { host: 'localhost', port: 9092 },
        tls: { keystore: '/s/server.pem', trusted: '/s/ca.crt' },
        sasl: { mechanisms: ['PLAIN', 'SCRAM-SHA-256'], users: [{ name: 'alice', password: 'secret' }] },
      },
    ],
  });
  const prefix = 'listener.name.client';
  expect(parse(serverProperties(secure, [secure]))).toMatchObject({
    listeners: expect.stringContaining('CLIENT://[::1]:9092,'),
    'advertised.listeners': expect.stringContaining('CLIENT://localhost:9092,'),
    'listener.security.protocol.map': expect.stringContaining('CLIENT:SASL_SSL,'),
    'super.users': 'User:ANONYMOUS;User:alice',
    [`${prefix}.ssl.keystore.type`]: 'PEM',
    [`${prefix}.ssl.keystore.location`]: '/s/server.pem',
    [`${prefix}.ssl.client.auth`]: 'required',
    [`${prefix}.ssl.truststore.location`]: '/s/ca.crt',
    [`${prefix}.sasl.enabled.mechanisms`]: 'PLAIN,SCRAM-SHA-256',
    [`${prefix}.plain.sasl.jaas.config`]: expect.stringMatching(/PlainLoginModule required user_alice="secret";$/),
    [`${prefix}.scram-sha-256.sasl.jaas.config`]: expect.stringMatching(/ScramLoginModule required;$/),
  });
});

test.each([
  ['PLAINTEXT', {}],
  ['SSL', { tls: { keystore: '/k' } }],
  ['SASL_PLAINTEXT', { sasl: { mechanisms: ['PLAIN'], users: [] } }],
  ['SASL_SSL', { tls: { keystore: '/k' }, sasl: { mechanisms: ['PLAIN'], users: [] } }],
] as const)('a listener speaks %s with %j', (protocol, more) => {
  const own = node(1, { listeners: [{ name: 'CLIENT', bind: { host: '127.0.0.1', port: 9092 }, ...more }] });
  const properties = parse(serverProperties(own, [own]));
  expect(properties['listener.security.protocol.map']).toBe(
    `CLIENT:${protocol},INTERNAL:PLAINTEXT,CONTROLLER:PLAINTEXT`,
  );
  expect(properties['listener.name.client.ssl.client.auth']).toBe('tls' in more ? 'none' : undefined);
  expect(properties['listener.name.client.ssl.truststore.location']).toBeUndefined();
});

test('a broker is small, keeps its data in its own directory, and trusts everyone but limited users', () => {
  const users = [
    { name: 'a', password: 'x' },
    { name: 'b', password: 'y', limited: true },
    { name: 'a', password: 'x' },
  ] as const;
  const listener = { name: 'CLIENT', bind: { host: '::', port: 1 }, sasl: { mechanisms: ['PLAIN'] as const, users } };
  const nodes = [1, 2].map((id) => node(id, { listeners: [listener], more: [['num.io.threads', 9]] }));
  expect(parse(serverProperties(nodes[0] ?? node(1), nodes))).toMatchObject({
    'super.users': 'User:ANONYMOUS;User:a',
    'log.dirs': '/s/broker-1/data',
    'inter.broker.listener.name': 'INTERNAL',
    'controller.listener.names': 'CONTROLLER',
    'default.replication.factor': '2',
    'transaction.state.log.replication.factor': '2',
    'transaction.state.log.min.isr': '1',
    'share.coordinator.state.topic.replication.factor': '2',
    'share.coordinator.state.topic.min.isr': '1',
    'group.initial.rebalance.delay.ms': '0',
    'broker.session.timeout.ms': '4000',
    'broker.heartbeat.interval.ms': '500',
    'offsets.topic.num.partitions': '8',
    'transaction.state.log.num.partitions': '8',
    'num.network.threads': '1',
    'num.io.threads': '9',
    'log.cleaner.dedupe.buffer.size': '16777216',
    'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
    'allow.everyone.if.no.acl.found': 'true',
    'listener.name.client.plain.sasl.jaas.config': expect.stringMatching(/ user_a="x" user_b="y" user_a="x";$/),
  });
});
