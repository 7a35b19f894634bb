import { randomBytes } from 'node:crypto';
import { CliError, exitCodes, usageError } from '../../errors.ts';
import type { Claims } from '../claims.ts';
import type { Machine } from '../machine.ts';
import { firstFree, freePorts, isFree, lastPort, portInUse } from '../ports.ts';
import { chooseEngine } from './choose-engine.ts';
import { containerEngine, owner } from './container-engine.ts';
import type { Engine } from './engine.ts';
import { javaEngine } from './java-engine.ts';
import { checkKafkaVersion, defaultKafkaVersion } from './libraries.ts';
import type { BrokerState, EngineName, KafkaRequest, KafkaState, Security } from './state.ts';
import { newClusterId } from './storage.ts';

const defaultPort = 9092;

/** Chooses version, ports and engine of a new Kafka, without writing or starting anything. */
export async function planKafka(machine: Machine, request: KafkaRequest, claims: Claims): Promise<KafkaState> {
  const kafkaVersion = request.kafkaVersion ?? defaultKafkaVersion;
  checkKafkaVersion(kafkaVersion);
  const brokers = request.brokers ?? 1;
  const engine = await chooseEngine(machine, request);
  const port = await choosePort(machine, { requested: request.port, count: brokers, claims });
  const security: Security = { tls: request.tls || request.mtls, mtls: request.mtls, sasl: request.sasl ?? null };
  return {
    kafkaVersion,
    engine,
    clusterId: newClusterId(),
    security,
    user: request.sasl === undefined ? null : { name: 'weir', password: randomBytes(18).toString('base64url') },
    brokers: await newBrokers(port, brokers, engine),
    ...(request.flavour !== undefined && { flavour: request.flavour }),
  };
}

/** Moves a stopped Kafka to another port, without writing anything. @throws CliError (exit 6) when that is taken */
export async function movedKafka(
  machine: Machine,
  state: KafkaState,
  { port, claims }: { readonly port: number; readonly claims: Claims },
): Promise<KafkaState> {
  const first = await choosePort(machine, { requested: port, count: state.brokers.length, claims });
  return { ...state, brokers: state.brokers.map((broker, index) => ({ ...broker, port: first + index })) };
}

/** The engine of a stored Kafka; undefined for simulated brokers. */
export function engineOf(machine: Pick<Machine, 'env'>, sandbox: string, state: KafkaState): Engine | undefined {
  const { engine, kafkaVersion } = state;
  if (engine === 'simulated') return undefined;
  if (engine === 'java') return javaEngine(kafkaVersion, state.brokers.length);
  return containerEngine({ program: engine, sandbox, kafkaVersion, ...owner() }, machine.env);
}

/** Compares an existing Kafka with a request. @throws CliError (exit 6) when they differ */
export function checkUnchanged(sandbox: string, state: KafkaState, request: KafkaRequest): void {
  const { security, brokers, engine, kafkaVersion, flavour = 'kafka' } = state;
  const differs = <T>(asked: T | undefined, kept: T): boolean => asked !== undefined && asked !== kept;
  const port = brokers[0]?.port ?? 0;
  const differences = [
    differs(request.brokers, brokers.length) &&
      (brokers.length === 1 ? 'it has one broker' : `it has ${brokers.length} brokers`),
    differs(request.engine, engine) && `its engine is ${engine}`,
    differs(request.flavour, flavour) && `its flavour is ${flavour}`,
    request.tls && !security.tls && 'it has no TLS',
    request.mtls && !security.mtls && 'it does not ask for client certificates',
    differs<string | null>(request.sasl, security.sasl) &&
      (security.sasl === null ? 'it has no SASL' : `its SASL mechanism is ${security.sasl}`),
    differs(request.kafkaVersion, kafkaVersion) && `it is Kafka ${kafkaVersion}`,
    differs(request.port, port) && `it is running on port ${port}`,
  ].filter((one) => one !== false);
  if (differences.length === 0) return;
  const moves = differs(request.port, port);
  const message = `sandbox "${sandbox}" already exists with other settings: ${differences.join(', ')}`;
  throw new CliError(exitCodes.conflict, message, {
    target: sandbox,
    hints: [
      ...(moves ? [`before it can have another port, stop it: weir sandbox stop --name ${sandbox}`] : []),
      `start it unchanged: weir sandbox start --name ${sandbox}`,
      `remove it and its data: weir sandbox purge --name ${sandbox}`,
      'or start another sandbox with --name',
    ],
  });
}

async function newBrokers(port: number, count: number, engine: EngineName): Promise<readonly BrokerState[]> {
  // Simulated brokers share one process and need no ports for one another.
  const inner = engine === 'simulated' ? [] : await freePorts(count * 2);
  return Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    port: port + index,
    internalPort: inner[index * 2] ?? 0,
    controllerPort: inner[index * 2 + 1] ?? 0,
    process: null,
    container: null,
  }));
}

interface PortChoice {
  readonly requested: number | undefined;
  readonly count: number;
  readonly claims: Claims;
}

async function choosePort(machine: Machine, choice: PortChoice): Promise<number> {
  const { requested: asked, count, claims } = choice;
  if (asked !== undefined && asked + count - 1 > lastPort) {
    throw usageError(`unable to start ${count} brokers from port ${asked}: the highest port is ${lastPort}`);
  }
  const wanted = asked ?? defaultPort;
  const free = await firstFree(wanted, count, claims);
  if (free === wanted) return free;
  const reason = await whyTaken(wanted, choice);
  if (asked === undefined && free !== undefined) {
    machine.notice(`${reason.message}: using ${free} (--port sets another)`);
    return free;
  }
  throw new CliError(exitCodes.conflict, `unable to start a sandbox: ${reason.message}`, {
    code: portInUse,
    target: String(reason.port),
    hints: [free === undefined ? 'choose another port with --port' : `choose another port: --port ${free}`],
  });
}

async function whyTaken(from: number, { count, claims }: PortChoice): Promise<{ port: number; message: string }> {
  for (let port = from; port < Math.min(from + count, lastPort + 1); port += 1) {
    const owner = claims.get(port);
    if (owner !== undefined) return { port, message: `port ${port} belongs to the sandbox "${owner}"` };
    if (!(await isFree(port))) return { port, message: `port ${port} is in use` };
  }
  return { port: from, message: `port ${from} is in use` };
}
