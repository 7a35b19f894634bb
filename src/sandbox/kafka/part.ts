import { readFile } from 'node:fs/promises';
import type { Machine } from '../machine.ts';
import type { Member, Part } from '../part.ts';
import { checkPorts, freePorts } from '../ports.ts';
import { answers, type Question } from './answers.ts';
import { logOf, type Started, untilReady } from './cluster.ts';
import type { Engine } from './engine.ts';
import { certificatePaths, localAddress, nodeOf } from './layout.ts';
import type { Listener, Node } from './properties.ts';
import { type BrokerState, type KafkaState, kafkaState } from './state.ts';

/** How long a broker may take to shut down by itself, in milliseconds. */
const graceMs = 5000;

/** What a Kafka part is opened with. */
interface KafkaPlace {
  /** The part's own directory. */
  readonly directory: string;
  readonly engine: Engine;
  /** The sandbox's name, for messages. */
  readonly sandbox: string;
}

/** Creates the Kafka part of a sandbox from its stored state. */
export function createKafkaPart(place: KafkaPlace, stored: KafkaState): Part {
  let state = stored;
  const save = async (brokers: readonly BrokerState[]): Promise<void> => {
    state = { ...state, brokers };
    await kafkaState.write(place.directory, state);
  };
  return {
    name: 'kafka',
    start: (machine) => start(place, state, machine, save),
    status: () => Promise.all(state.brokers.map((broker) => memberOf(place, state, broker))),
    async stop(how) {
      const waitMs = how === 'gently' ? graceMs : 0;
      await Promise.all(state.brokers.map((broker) => place.engine.stop(broker, waitMs)));
      await save(state.brokers.map(stopped));
    },
    options: () => profileOptions(place.directory, state),
  };
}

type Save = (brokers: readonly BrokerState[]) => Promise<void>;

async function start(place: KafkaPlace, stored: KafkaState, machine: Machine, save: Save): Promise<void> {
  const alive = await Promise.all(stored.brokers.map((broker) => place.engine.isRunning(broker)));
  const brokers = alive.includes(true) ? stored.brokers : await withFreshPorts(stored.brokers);
  const dead = brokers.filter((_, index) => !alive[index]);
  await checkPorts(
    place.sandbox,
    dead.map(({ port }) => port),
  );
  const state = { ...stored, brokers };
  const nodes = brokers.map((broker) => nodeFrom(place, state, broker));
  const current = [...brokers];
  const launched: BrokerState[] = [];
  try {
    const users = state.security.sasl === null || state.user === null ? [] : [state.user];
    // A container that has exited keeps its name until it is removed.
    for (const [index, broker] of brokers.entries()) if (!alive[index]) await place.engine.stop(broker, 0);
    if (dead.length > 0) await place.engine.prepare(machine, nodes, { clusterId: state.clusterId, users });
    for (const [index, broker] of brokers.entries()) {
      const node = nodes[index];
      if (alive[index] || node === undefined) continue;
      machine.progress(`starting broker ${broker.id} at ${localAddress}:${broker.port}`);
      const running = { ...broker, ...(await place.engine.launch(machine, node)) };
      launched.push(running);
      current[index] = running;
      await save(current);
    }
    await untilReady(
      machine,
      current.map((broker, index) => startedFrom(place, broker, nodes[index])),
      await askerOf(place, state),
    );
  } catch (error) {
    await Promise.all(launched.map((broker) => place.engine.stop(broker, 0)));
    if (launched.length > 0)
      await save(current.map((broker) => (launched.includes(broker) ? stopped(broker) : broker)));
    throw error;
  }
}

function stopped(broker: BrokerState): BrokerState {
  return { ...broker, process: null, container: null };
}

/** Picks new ports for internal listeners, because the old ones may have been taken since the last start. */
async function withFreshPorts(brokers: readonly BrokerState[]): Promise<readonly BrokerState[]> {
  const ports = await freePorts(brokers.length * 2);
  return brokers.map((broker, index) => ({
    ...broker,
    internalPort: ports[index * 2] ?? broker.internalPort,
    controllerPort: ports[index * 2 + 1] ?? broker.controllerPort,
  }));
}

function nodeFrom({ directory, engine }: KafkaPlace, state: KafkaState, broker: BrokerState): Node {
  return nodeOf(directory, state, broker, engine.layout(directory, state, broker));
}

function startedFrom({ engine, sandbox }: KafkaPlace, broker: BrokerState, node: Node | undefined): Started {
  if (node === undefined) throw new Error(`broker ${broker.id} has no node`);
  return { node, sandbox, isAlive: () => engine.isRunning(broker) };
}

async function askerOf({ directory }: KafkaPlace, { security }: KafkaState): Promise<(listener: Listener) => Question> {
  const { cert, key } = certificatePaths(directory);
  const client = security.mtls ? { cert: await readFile(cert, 'utf8'), key: await readFile(key, 'utf8') } : {};
  return ({ bind, tls }) => ({ host: localAddress, port: bind.port, ...(tls === undefined ? {} : { tls: client }) });
}

async function memberOf(place: KafkaPlace, state: KafkaState, broker: BrokerState): Promise<Member> {
  const node = nodeFrom(place, state, broker);
  const runs = await place.engine.isRunning(broker);
  const client = node.listeners[0];
  const ready = runs && client !== undefined && (await answers((await askerOf(place, state))(client)));
  return {
    part: 'kafka',
    id: broker.id,
    address: `${localAddress}:${broker.port}`,
    state: ready ? 'running' : runs ? 'starting' : 'stopped',
    pid: runs ? broker.process?.pid : undefined,
    container: runs ? (broker.container ?? undefined) : undefined,
    log: logOf(node.directory),
  };
}

function profileOptions(directory: string, { brokers, security, user }: KafkaState): Readonly<Record<string, string>> {
  const { ca, cert, key } = certificatePaths(directory);
  return {
    brokers: brokers.map(({ port }) => `${localAddress}:${port}`).join(','),
    ...(security.tls ? { 'tls.enabled': 'true', 'tls.ca': ca } : {}),
    ...(security.mtls ? { 'tls.cert': cert, 'tls.key': key } : {}),
    ...(security.sasl && user ? { 'sasl.mechanism': security.sasl, user: user.name, pass: user.password } : {}),
  };
}
