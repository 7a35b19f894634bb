import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { isRunning, type ProcessId } from '../../src/files/process-id.ts';
import { type Certificate, issue, keystore, localHosts, makeAuthority } from '../../src/sandbox/certificates.ts';
import { launchBroker, logOf, untilReady, writeConfigurations } from '../../src/sandbox/kafka/cluster.ts';
import {
  innerListeners,
  type Listener,
  mechanisms,
  type Node,
  type Property,
  type User,
} from '../../src/sandbox/kafka/properties.ts';
import { type Format, formatStorage, newClusterId, type Runtime } from '../../src/sandbox/kafka/storage.ts';
import { lastLines } from '../../src/sandbox/logs.ts';
import type { Machine } from '../../src/sandbox/machine.ts';
import { freePorts, isFree } from '../../src/sandbox/ports.ts';
import { stop } from '../../src/sandbox/process.ts';
import { newMachine } from '../sandbox/machine.ts';
import { deadAddress } from './dead-address.ts';
import { endAll } from './leftovers.ts';
import type { Cluster3, Services } from './services.ts';

const loopback = '127.0.0.1';
/** A name that only the proxies of `proxies.ts` know, as one of this machine. */
export const farHost = 'kafka.internal.example';
type Java = Pick<Runtime, 'java' | 'libraries'>;

/**
 * Properties of brokers that the controller does not give up, and whose leaders it does not change, while they are slow.
 * Logs are searched for records that are too old only once, half a minute after the start. Most of the time these brokers
 * wait, so they are quiet: a heartbeat is rare, and nothing is written only to show that the controller lives.
 */
const patience: readonly Property[] = [
  ['broker.session.timeout.ms', 60_000],
  ['broker.heartbeat.interval.ms', 2_000],
  ['metadata.max.idle.interval.ms', 0],
  ['log.retention.check.interval.ms', 86_400_000],
];

/** Creates a machine for the tests. */
export function testMachine(signal: AbortSignal): Machine {
  return newMachine({
    env: process.env,
    home: process.env.HOME,
    platform: process.platform,
    signal,
    progress: (line) => {
      if (!line.startsWith('downloaded')) process.stderr.write(`services: ${line}\n`);
    },
  });
}

/** Starts the single broker, which has a listener for every kind of connection. */
export async function startSingle(
  directory: string,
  java: Java,
  machine: Machine,
): Promise<Omit<Services, 'kafkaVersion'>> {
  const { paths, listener } = await certificateFiles(join(directory, 'certificates'));
  const users: readonly User[] = [
    { name: 'alice', password: 'alice-secret' },
    { name: 'bob', password: 'bob-secret', limited: true },
  ];
  // Superusers like alice: the ACLs that other tests make do not concern them.
  const ofTokens = ['reports', 'billing', 'signer', 'ana'].map((name) => ({ name, password: '' }));
  const ports = await freePorts(12);
  const next = ports.values();
  const at = (): Listener['bind'] => ({ host: loopback, port: next.next().value ?? 0 });
  const all = { mechanisms, users };
  // Held until the test run ends.
  const { address: nowhere } = await deadAddress();
  const behind = at();
  const listeners = {
    plaintext: { name: 'PLAINTEXT', bind: at() },
    tls: { name: 'TLS', bind: at(), tls: listener.good },
    mtls: { name: 'MTLS', bind: at(), tls: { ...listener.good, trusted: paths.ca } },
    sasl: { name: 'SASL', bind: at(), sasl: all },
    saslTls: { name: 'SASLTLS', bind: at(), tls: listener.good, sasl: all },
    saslPlainOnly: { name: 'SASLPLAIN', bind: at(), sasl: { mechanisms: ['PLAIN'], users } },
    tlsExpired: { name: 'EXPIRED', bind: at(), tls: listener.expired },
    tlsOtherHost: { name: 'OTHERHOST', bind: at(), tls: listener.otherHost },
    badlyAdvertised: { name: 'NOWHERE', bind: at(), advertised: nowhere },
    oauth: { name: 'OAUTH', bind: at(), sasl: { mechanisms: [], users: ofTokens } },
    brief: { name: 'BRIEF', bind: at(), sasl: all },
    proxied: { name: 'PROXIED', bind: behind, advertised: { ...behind, host: farHost }, tls: listener.good, sasl: all },
  } as const satisfies Record<string, Listener>;
  const ipv6 = await ipv6Listener();
  const issuer = await placeForIssuer();
  const node = {
    ...(await nodeAt(join(directory, 'broker'), 1, [...Object.values(listeners), ...ipv6])),
    more: [...patience, ...tokenListeners(issuer.url)],
  };
  // Kafka 4 reads keys only from addresses that a property of its Java allows.
  const options = `-Dorg.apache.kafka.sasl.oauthbearer.allowed.urls=${issuer.url}/jwks`;
  const allowing = { ...machine, env: { ...machine.env, JDK_JAVA_OPTIONS: options } };
  const [started] = await startNodes([node], { ...java, heapMb: 512 }, users, allowing);
  await issuer.end();
  const addresses = Object.fromEntries(Object.entries(listeners).map(([name, { bind }]) => [name, show(bind)]));
  return {
    ...(addresses as Record<keyof typeof listeners, string>),
    ipv6: ipv6[0] === undefined ? undefined : `[::1]:${ipv6[0].bind.port}`,
    badlyAdvertisedAs: show(nowhere),
    issuer: issuer.url,
    proxiedAs: show({ ...behind, host: farHost }),
    certificates: paths,
    user: { user: 'alice', pass: 'alice-secret' },
    otherUser: { user: 'bob', pass: 'bob-secret' },
    broker: { process: started as ProcessId, log: logOf(node.directory) },
    directory,
    runtime: java,
  };
}

/**
 * Starts three brokers in a directory below that of the services. They are stopped at the end of the test run. What a
 * worker that was killed has left there is stopped and removed.
 * @param more extra properties of a broker, by its id
 * @param users the users of a second listener, with SASL PLAIN; without users there is none
 */
export async function startThree(
  directory: string,
  java: Java,
  more: (id: number) => readonly Property[] = () => [],
  users: readonly User[] = [],
): Promise<Cluster3> {
  await endAll(directory);
  const ports = await freePorts(3);
  const saslPorts = users.length === 0 ? [] : await freePorts(3);
  const nodes = await Promise.all(
    ports.map(async (port, index) => ({
      ...(await nodeAt(join(directory, `broker-${index + 1}`), index + 1, [
        { name: 'PLAINTEXT', bind: { host: loopback, port } },
        ...saslPorts.slice(index, index + 1).map((own) => saslListener(own, users)),
      ])),
      more: [...patience, ...more(index + 1)],
    })),
  );
  const processes = await startNodes(nodes, { ...java, heapMb: 384 }, [], testMachine(new AbortController().signal));
  const cluster: Cluster3 = {
    brokers: ports.map((port) => `${loopback}:${port}`).join(','),
    sasl: saslPorts.map((port) => `${loopback}:${port}`).join(','),
    nodes: nodes.map((node, index) => ({
      id: node.id,
      address: `${loopback}:${ports[index]}`,
      process: processes[index] as ProcessId,
      log: logOf(node.directory),
    })),
  };
  await writeFile(join(directory, 'cluster.json'), JSON.stringify(cluster));
  return cluster;
}

/**
 * Starts one broker whose users may do nothing without an ACL, in a directory below that of the services. They sign in with
 * SCRAM-SHA-512 over TLS; whoever comes to the other listener may do everything.
 */
export async function startStrict(
  directory: string,
  { runtime, certificates }: Pick<Services, 'runtime' | 'certificates'>,
): Promise<Pick<Services, 'plaintext' | 'saslTls'>> {
  await endAll(directory);
  const [open = 0, secured = 0] = await freePorts(2);
  const tls = { keystore: join(dirname(certificates.ca), 'server.pem') };
  const listeners: readonly Listener[] = [
    { name: 'PLAINTEXT', bind: { host: loopback, port: open } },
    {
      name: 'SASLTLS',
      bind: { host: loopback, port: secured },
      tls,
      sasl: { mechanisms: ['SCRAM-SHA-512'], users: [] },
    },
  ];
  const node = await nodeAt(join(directory, 'broker'), 1, listeners);
  const more: readonly Property[] = [...patience, ['allow.everyone.if.no.acl.found', 'false']];
  await startNodes([{ ...node, more }], { ...runtime, heapMb: 384 }, [], testMachine(new AbortController().signal));
  return { plaintext: `${loopback}:${open}`, saslTls: `${loopback}:${secured}` };
}

function saslListener(port: number, users: readonly User[]): Listener {
  return { name: 'SASL', bind: { host: loopback, port }, sasl: { mechanisms: ['PLAIN'], users } };
}

/** Restarts a stopped broker of a cluster with its old ports and data. */
export async function restart(directory: string, java: Java, id: number): Promise<ProcessId> {
  const place = join(directory, `broker-${id}`);
  const machine = testMachine(new AbortController().signal);
  const process = await launchBroker(machine, { ...java, heapMb: 384 }, { directory: place });
  await writeFile(join(place, 'process.json'), JSON.stringify(process));
  return process;
}

async function startNodes(
  nodes: readonly Node[],
  runtime: Runtime,
  users: readonly User[],
  machine: Machine,
): Promise<readonly ProcessId[]> {
  const processes: ProcessId[] = [];
  try {
    await prepareAll(machine, runtime, nodes, { clusterId: newClusterId(), users });
    for (const node of nodes) {
      // Without its listeners, Java starts with the quick compiler only, also for TLS: little is encrypted in tests.
      const process = await launchBroker(machine, runtime, { directory: node.directory });
      processes.push(process);
      await writeFile(join(node.directory, 'process.json'), JSON.stringify(process));
    }
    const started = nodes.map((node, index) => ({
      node,
      sandbox: 'test',
      isAlive: () => isRunning(processes[index] as ProcessId),
    }));
    await untilReady(machine, started, ({ bind, tls }) =>
      tls === undefined ? bind : { ...bind, tls: tls.trusted === undefined ? {} : clientOf(tls.trusted) },
    );
    return processes;
  } catch (error) {
    await Promise.all(processes.map((process) => stop(process, { graceMs: 0 })));
    const logs = await Promise.all(nodes.map((node) => lastLines(logOf(node.directory), 40)));
    throw new Error(`Kafka did not start: ${String(error)}\n${logs.flat().join('\n')}`, { cause: error });
  }
}

/** Formats one data directory with Kafka's tool, a second of processor time; the others differ in two ids only. */
async function prepareAll(machine: Machine, runtime: Runtime, nodes: readonly Node[], format: Format): Promise<void> {
  await writeConfigurations(nodes);
  const [first, ...others] = nodes as readonly [Node, ...Node[]];
  await formatStorage(machine, runtime, first, format);
  for (const { id, directory } of others) {
    const data = join(directory, 'data');
    await cp(join(first.directory, 'data'), data, { recursive: true });
    const file = join(data, 'meta.properties');
    const text = (await readFile(file, 'utf8'))
      .replace(/^node\.id=.*$/m, `node.id=${id}`)
      .replace(/^directory\.id=.*$/m, `directory.id=${newClusterId()}`);
    await writeFile(file, text);
  }
}

/** The lifetime of a session of the listener `brief`, in milliseconds. */
export const briefSessionMs = 3_000;

/** The properties of the listeners that take tokens of the issuer; those of `brief` have short sessions besides. */
function tokenListeners(issuer: string): readonly Property[] {
  const security = 'org.apache.kafka.common.security.oauthbearer';
  return ['oauth', 'brief'].flatMap((name): readonly Property[] => {
    const listener = `listener.name.${name}`;
    const prefix = `${listener}.oauthbearer`;
    const passwords = name === 'brief' ? `${mechanisms.join(',')},` : '';
    return [
      [`${listener}.sasl.enabled.mechanisms`, `${passwords}OAUTHBEARER`],
      ...(name === 'brief' ? [[`${listener}.connections.max.reauth.ms`, briefSessionMs] as const] : []),
      [`${prefix}.sasl.jaas.config`, `${security}.OAuthBearerLoginModule required;`],
      [`${prefix}.sasl.server.callback.handler.class`, `${security}.OAuthBearerValidatorCallbackHandler`],
      // The default of Kafka 4.1 is the check of a client, which does not look at the signature.
      [`${listener}.sasl.oauthbearer.jwt.validator.class`, `${security}.BrokerJwtValidator`],
      [`${listener}.sasl.oauthbearer.jwks.endpoint.url`, `${issuer}/jwks`],
      [`${listener}.sasl.oauthbearer.expected.issuer`, issuer],
      [`${listener}.sasl.oauthbearer.expected.audience`, 'https://kafka.example'],
      [`${listener}.sasl.oauthbearer.clock.skew.seconds`, 0],
    ];
  });
}

/** Serves the keys of an issuer that has none, because Kafka reads them when it starts; a test starts the issuer itself there. */
async function placeForIssuer(): Promise<{ readonly url: string; end(): Promise<void> }> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"keys":[]}');
  });
  await new Promise<void>((resolve) => server.listen(0, loopback, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${loopback}:${port}`,
    async end() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const clients = new Map<string, { cert: string; key: string }>();

function clientOf(trusted: string): { cert: string; key: string } {
  return clients.get(trusted) ?? { cert: '', key: '' };
}

async function nodeAt(directory: string, id: number, listeners: readonly Listener[]): Promise<Node> {
  const [internal = 0, controller = 0] = await freePorts(2);
  return {
    id,
    directory,
    seenAs: directory,
    listeners,
    internal: { name: innerListeners.internal, bind: { host: loopback, port: internal } },
    controller: { name: innerListeners.controller, bind: { host: loopback, port: controller } },
  };
}

async function ipv6Listener(): Promise<readonly Listener[]> {
  const [port = 0] = await freePorts(1);
  return (await isFree(port, '::1')) ? [{ name: 'IPV6', bind: { host: '::1', port } }] : [];
}

function show({ host, port }: { host: string; port: number }): string {
  return `${host}:${port}`;
}

async function certificateFiles(directory: string): Promise<{
  paths: Services['certificates'];
  listener: Record<'good' | 'expired' | 'otherHost', { keystore: string }>;
}> {
  const now = Date.now();
  const [authority, stranger] = await Promise.all([makeAuthority('weir tests', now), makeAuthority('stranger', now)]);
  const server = { name: 'localhost', use: 'server', hosts: localHosts } as const;
  const [good, expired, otherHost, client, wrongClient] = await Promise.all([
    issue(authority, server, now),
    issue(authority, { ...server, expired: true }, now),
    issue(authority, { name: 'other.example', use: 'server', hosts: ['other.example'] }, now),
    issue(authority, { name: 'client', use: 'client' }, now),
    issue(stranger, { name: 'client', use: 'client' }, now),
  ]);
  await mkdir(directory, { recursive: true });
  const write = async (name: string, text: string): Promise<string> => {
    await writeFile(join(directory, name), text, { mode: 0o600 });
    return join(directory, name);
  };
  const pair = async (name: string, { cert, key }: Certificate) => ({
    cert: await write(`${name}.crt`, cert),
    key: await write(`${name}.key`, key),
  });
  const ca = await write('ca.crt', authority.cert);
  clients.set(ca, client);
  return {
    paths: {
      ca,
      wrongCa: await write('wrong-ca.crt', stranger.cert),
      client: await pair('client', client),
      wrongClient: await pair('wrong-client', wrongClient),
    },
    listener: {
      good: { keystore: await write('server.pem', keystore(good)) },
      expired: { keystore: await write('expired.pem', keystore(expired)) },
      otherHost: { keystore: await write('other-host.pem', keystore(otherHost)) },
    },
  };
}
