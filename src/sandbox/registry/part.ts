import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isRunning, type ProcessId } from '../../files/process-id.ts';
import type { Machine } from '../machine.ts';
import type { Part } from '../part.ts';
import { memberOf, type Service, startService, stopProgram } from '../program.ts';
import { type RegistryState, registryState } from './part-state.ts';
import { answers, apiOf, javaArguments, setDefaultLevel } from './process.ts';
import { findRegistryRuntime } from './runtime.ts';
import { trainRegistry } from './train.ts';

/** How long a registry may take to answer on a busy machine, in milliseconds. */
const startLimitMs = 120_000;

/** What a registry part is opened with. */
interface RegistryPlace {
  /** The part's own directory. */
  readonly directory: string;
  /** The sandbox's name, for messages. */
  readonly sandbox: string;
}

/** Creates the registry part of a sandbox from its stored state. */
export function createRegistryPart(place: RegistryPlace, stored: RegistryState): Part {
  let state = stored;
  const save = async (process: ProcessId | null): Promise<void> => {
    state = { ...state, process };
    await registryState.write(place.directory, state);
  };
  const runOf = () => ({ kept: state.process, save });
  return {
    name: 'registry',
    start: (machine) =>
      startService(serviceOf(place, state), { ...runOf(), machine }, () => commandOf(place, state, machine)),
    async status() {
      const { port, process } = state;
      const shown = { part: 'registry', id: 1, address: `127.0.0.1:${port}`, log: logOf(place) };
      return [await memberOf(process, shown, () => answers({ port, name: nameOf(place) }))];
    },
    stop: (how) => stopProgram(runOf(), how),
    options: () => ({ 'registry.hosts': apiOf(state.port) }),
  };
}

async function commandOf(place: RegistryPlace, { version, port }: RegistryState, machine: Machine) {
  const runtime = await findRegistryRuntime(machine, version);
  await trainRegistry(machine, runtime, version);
  await mkdir(place.directory, { recursive: true, mode: 0o700 });
  return { file: runtime.java, args: await javaArguments(runtime, { version, port, name: nameOf(place) }) };
}

function serviceOf(place: RegistryPlace, { port, process: kept }: RegistryState): Service {
  const own = { port, name: nameOf(place) };
  // The level of a registry that was running before belongs to its user.
  const isNew = async (): Promise<boolean> => kept === null || !(await isRunning(kept));
  let fresh: Promise<boolean> | undefined;
  return {
    ...place,
    name: 'the schema registry',
    ports: [port],
    log: logOf(place),
    startLimitMs,
    pollMs: 50,
    async isReady() {
      fresh ??= isNew();
      return (await answers(own)) && (!(await fresh) || (await setDefaultLevel(port)));
    },
  };
}

/** The name that the registry reports, which no other registry on this machine has. */
function nameOf({ directory }: RegistryPlace): string {
  return `weir ${directory}/`;
}

function logOf({ directory }: RegistryPlace): string {
  return join(directory, 'registry.log');
}
