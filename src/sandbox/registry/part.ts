import { mkdir } from 'node:fs/promises';
import { isRunning, type ProcessId } from '../../files/process-id.ts';
import type { Machine } from '../machine.ts';
import type { Part, PartPlace } from '../part.ts';
import { stateFile } from '../part-state.ts';
import { freePorts } from '../ports.ts';
import { ownProcess, programPart, type Service, startService } from '../program.ts';
import { registryVersion } from './libraries.ts';
import { answers, apiOf, javaArguments, setDefaultLevel } from './process.ts';
import { findRegistryRuntime } from './runtime.ts';
import { trainRegistry } from './train.ts';

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
