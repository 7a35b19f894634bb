import { mkdir } from 'node:fs/promises';
import { isRunning, type ProcessId } from '../../files/process-id.ts';
import { writeClassArchive } from '../class-archive.ts';
import type { Machine } from '../machine.ts';
import type { Part, PartPlace } from '../part.ts';
import { stateFile } from '../part-state.ts';
import { freePorts } from '../ports.ts';
import { ownProcess, programPart, type Service, startService } from '../program.ts';
import { registryVersion } from './libraries.ts';
import { answers, apiOf, javaArguments, plainArguments, setDefaultLevel } from './process.ts';
import { findRegistryRuntime, type RegistryRuntime } from './runtime.ts';

/** How long a registry may take to answer on a busy machine, in milliseconds. */
const startLimitMs = 120_000;

/** The stored state of a sandbox's schema registry. */
export interface RegistryState {
  /** The version of Apicurio Registry. */
  readonly version: string;
  readonly port: number;
  /** Null when the registry is stopped. */
  readonly process: ProcessId | null;
}

/** Plans a new registry: a port that is free now. */
export async function planRegistry(): Promise<RegistryState> {
  return { version: registryVersion, port: (await freePorts(1))[0] ?? 0, process: null };
}

/** The file that stores the state of the schema registry. */
export const registryState = stateFile<RegistryState>({
  fileName: 'registry.json',
  what: 'a schema registry',
  isWhole: ({ version, port }) => typeof version === 'string' && typeof port === 'number',
});

/** Creates the registry part of a sandbox from its stored state. */
export function createRegistryPart(place: PartPlace, stored: RegistryState): Part {
  return programPart<RegistryState>(place, {
    name: 'registry',
    title: 'the schema registry',
    log: 'registry.log',
    stored,
    ...registryState,
    ...ownProcess,
    ports: ({ port }) => [port],
    members({ port }) {
      const isReady = () => answers({ port, name: nameOf(place) });
      return [{ id: 1, address: `127.0.0.1:${port}`, isReady }];
    },
    start: (state, service, run) =>
      startService(withLevel(service, state), run, () => commandOf(place, state, run.machine)),
    options: ({ port }) => ({ 'registry.hosts': apiOf(port) }),
  });
}

async function commandOf(place: PartPlace, { version, port }: RegistryState, machine: Machine) {
  const runtime = await findRegistryRuntime(machine, version);
  await trainRegistry(machine, runtime, version);
  await mkdir(place.directory, { recursive: true, mode: 0o700 });
  return { file: runtime.java, args: await javaArguments(runtime, { version, port, name: nameOf(place) }) };
}

/** Schemas that make the registry load what it needs for each type. */
const samples = [
  { schemaType: 'AVRO', schema: '{"type":"record","name":"A","fields":[{"name":"a","type":"int"}]}' },
  { schemaType: 'PROTOBUF', schema: 'syntax = "proto3"; message A { int32 a = 1; }' },
  { schemaType: 'JSON', schema: '{"type":"object","properties":{"a":{"type":"integer"}}}' },
];

/** Prepares faster starts of the registry, once for each Java. */
async function trainRegistry(machine: Machine, runtime: RegistryRuntime, version: string): Promise<void> {
  const [port = 0] = await freePorts(1);
  let name = '';
  await writeClassArchive(machine, runtime, {
    name: 'the schema registry',
    async begin(directory) {
      name = directory;
      return plainArguments(runtime.libraries, { version, port, name });
    },
    isReady: () => answers({ port, name }),
    async use() {
      for (const sample of samples) await register(port, sample);
    },
  });
}

async function register(port: number, { schemaType, schema }: (typeof samples)[number]): Promise<void> {
  const post = async (path: string): Promise<void> => {
    const response = await fetch(`${apiOf(port)}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/vnd.schemaregistry.v1+json' },
      body: JSON.stringify({ schema, schemaType }),
    }).catch(() => undefined);
    await response?.text().catch(() => undefined);
  };
  await post(`/subjects/${schemaType}/versions`);
  await post(`/subjects/${schemaType}`);
  await post(`/compatibility/subjects/${schemaType}/versions/latest`);
}

/** The registry is ready once it has its compatibility level; that of one that was running before is its user's. */
function withLevel(service: Service, { port, process: kept }: RegistryState): Service {
  const isNew = async (): Promise<boolean> => kept === null || !(await isRunning(kept));
  let fresh: Promise<boolean> | undefined;
  return {
    ...service,
    startLimitMs,
    pollMs: 50,
    async isReady() {
      fresh ??= isNew();
      return (await service.isReady()) && (!(await fresh) || (await setDefaultLevel(port)));
    },
  };
}

/** The name that the registry reports, which no other registry on this machine has. */
function nameOf({ directory }: PartPlace): string {
  return `weir ${directory}/`;
}
