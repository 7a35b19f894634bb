import { usageError } from '../errors.ts';
import { type AdminState, adminState, createAdminPart, planAdmin } from './admin/part.ts';
import type { Claims } from './claims.ts';
import { type ControlPlaneState, controlPlaneState, createControlPlanePart, planControlPlane } from './cloud/part.ts';
import { partOf } from './directories.ts';
import { realEngines } from './kafka/choose-engine.ts';
import { engineOf, movedKafka, planKafka } from './kafka/create.ts';
import { localAddress } from './kafka/layout.ts';
import { createKafkaPart } from './kafka/part.ts';
import { type KafkaRequest, type KafkaState, kafkaState } from './kafka/state.ts';
import type { Machine } from './machine.ts';
import type { Part } from './part.ts';
import { freePorts } from './ports.ts';
import { programOf } from './program.ts';
import { createRegistryPart, planRegistry, type RegistryState, registryState } from './registry/part.ts';
import { checkRegistryRuntime } from './registry/runtime.ts';
import { createSimulatedPart } from './simulated/part.ts';

/** The version of Redpanda that simulated brokers imitate. */
const redpandaVersion = '24.3';

/** What a sandbox should consist of. */
export interface SandboxRequest extends KafkaRequest {
  /** Whether to add a simulated control plane; an existing one is kept. */
  readonly cloud: boolean;
  /** Whether to add a simulated Admin API; an existing one is kept. */
  readonly admin: boolean;
}

/** The parts that a request may add to a sandbox. */
type Added = Pick<SandboxRequest, 'cloud' | 'registry' | 'admin'>;

/** The stored state of a sandbox's parts. */
export interface SandboxState {
  readonly kafka: KafkaState;
  /** Undefined when the sandbox has no control plane. */
  readonly cloud: ControlPlaneState | undefined;
  /** Undefined when the sandbox has no schema registry. */
  readonly registry: RegistryState | undefined;
  /** Undefined when the sandbox has no Admin API. */
  readonly admin: AdminState | undefined;
}

/** Reads the state of the parts in a sandbox's directory; undefined when there is no sandbox. */
export async function readSandboxState(directory: string): Promise<SandboxState | undefined> {
  const kafka = await kafkaState.read(partOf(directory, 'kafka'));
  if (kafka === undefined) return undefined;
  const cloud = await controlPlaneState.read(partOf(directory, 'cloud'));
  const registry = await registryState.read(partOf(directory, 'registry'));
  return { kafka, cloud, registry, admin: await adminState.read(partOf(directory, 'admin')) };
}

/** Writes the state of the parts. */
export async function writeSandboxState(
  directory: string,
  { kafka, cloud, registry, admin }: SandboxState,
): Promise<void> {
  await kafkaState.write(partOf(directory, 'kafka'), kafka);
  if (cloud !== undefined) await controlPlaneState.write(partOf(directory, 'cloud'), cloud);
  if (registry !== undefined) await registryState.write(partOf(directory, 'registry'), registry);
  if (admin !== undefined) await adminState.write(partOf(directory, 'admin'), admin);
}

/** Plans the parts of a new sandbox, without writing or starting anything. */
export async function planParts(machine: Machine, request: SandboxRequest, claims: Claims): Promise<SandboxState> {
  const planned = await planKafka(machine, request, claims);
  const isBesideAdmin = request.admin && planned.engine === 'simulated';
  const { flavour = isBesideAdmin ? 'redpanda' : undefined } = planned;
  const kafka = flavour === 'redpanda' ? { ...planned, flavour, kafkaVersion: redpandaVersion } : planned;
  return withAdded(machine, { kafka, cloud: undefined, registry: undefined, admin: undefined }, request);
}

/** Plans a stopped sandbox on another port, and its other parts on fresh ones, without writing anything. */
export async function movedParts(
  machine: Machine,
  { kafka, cloud, registry, admin }: SandboxState,
  to: { readonly port: number; readonly claims: Claims },
): Promise<SandboxState> {
  const [forCloud = 0, forRegistry = 0] = await freePorts(2);
  return {
    kafka: await movedKafka(machine, kafka, to),
    cloud: cloud && { ...cloud, port: forCloud },
    registry: registry && { ...registry, port: forRegistry },
    admin: admin && { ...admin, port: (await planAdmin(kafka.brokers.length)).port },
  };
}

/** Whether the request adds a part to a sandbox. */
export function addsParts(state: SandboxState, request: Added): boolean {
  return (['cloud', 'registry', 'admin'] as const).some((part) => request[part] && state[part] === undefined);
}

/**
 * Plans the parts that a request adds to a sandbox, without writing or starting anything.
 * @throws CliError (exit 2) when the sandbox or this machine cannot have one of them
 */
export async function withAdded(
  machine: Machine,
  state: SandboxState,
  { cloud, registry, admin }: Added,
): Promise<SandboxState> {
  return {
    kafka: state.kafka,
    cloud: state.cloud ?? (cloud ? await planControlPlane() : undefined),
    registry: state.registry ?? (registry ? await newRegistry(machine, state.kafka) : undefined),
    admin: state.admin ?? (admin ? await planAdmin(state.kafka.brokers.length) : undefined),
  };
}

async function newRegistry(machine: Machine, { engine }: KafkaState): Promise<RegistryState> {
  if (engine === 'simulated') {
    throw usageError('simulated brokers do not support --registry', { hints: [realEngines] });
  }
  const planned = await planRegistry();
  await checkRegistryRuntime(machine, planned.version);
  return planned;
}

/** Where the parts of a sandbox are opened. */
interface PartsPlace {
  readonly machine: Machine;
  /** The sandbox's name. */
  readonly sandbox: string;
  /** The sandbox's own directory. */
  readonly directory: string;
}

/** Creates the parts of a sandbox, in the order in which they start. */
export function createParts(place: PartsPlace, { kafka, cloud, registry, admin }: SandboxState): readonly Part[] {
  const { sandbox } = place;
  const brokers = brokersPart(place, kafka);
  return [
    brokers,
    ...(cloud === undefined ? [] : [controlPlanePart(place, brokers, cloud)]),
    ...(registry === undefined
      ? []
      : [createRegistryPart({ directory: partOf(place.directory, 'registry'), sandbox }, registry)]),
    ...(admin === undefined ? [] : [adminPart(place, { part: brokers, state: kafka }, admin)]),
  ];
}

function brokersPart({ machine, sandbox, directory }: PartsPlace, state: KafkaState): Part {
  const base = { directory: partOf(directory, 'kafka'), sandbox };
  const engine = engineOf(machine, sandbox, state);
  if (engine === undefined) return createSimulatedPart({ ...base, entry: programOf('simulated') }, state);
  return createKafkaPart({ ...base, engine }, state);
}

/** The control plane, whose clusters report the sandbox's own Kafka as their address. */
function controlPlanePart(place: PartsPlace, kafka: Part, state: ControlPlaneState): Part {
  const brokers = kafka.options().brokers?.split(',') ?? [];
  const [directory, entry] = [partOf(place.directory, 'cloud'), programOf('cloud')];
  return createControlPlanePart({ directory, entry, sandbox: place.sandbox, dataPlane: { brokers } }, state);
}

/** The Admin API, which reflects the sandbox's own Kafka. */
function adminPart(
  place: PartsPlace,
  { part, state }: { readonly part: Part; readonly state: KafkaState },
  kept: AdminState,
): Part {
  const brokers = state.brokers.map(({ id, port }) => ({ id, host: localAddress, port }));
  const kafka = { options: part.options(), brokers };
  return createAdminPart(
    { directory: partOf(place.directory, 'admin'), entry: programOf('admin'), sandbox: place.sandbox, kafka },
    kept,
  );
}
