import { join } from 'node:path';
import type { ProcessId } from '../../files/process-id.ts';
import type { Part } from '../part.ts';
import { isListening, listeningOf, memberOf, type Program, startProgram, stopProgram } from '../program.ts';
import { type ControlPlaneOptions, defaultAudience } from './options.ts';
import { type ControlPlaneState, controlPlaneState } from './part-state.ts';
import type { DataPlane } from './world.ts';

const local = '127.0.0.1';

/** What a control plane part is opened with. */
interface ControlPlanePlace {
  /** The part's own directory. */
  readonly directory: string;
  /** The program that runs the simulator: `entry.ts` or its bundle. */
  readonly entry: string;
  /** The sandbox's name, for messages. */
  readonly sandbox: string;
  /** The addresses that its clusters report: the Kafka of the same sandbox. */
  readonly dataPlane: DataPlane;
}

/** Creates the control plane part of a sandbox from its stored state. */
export function createControlPlanePart(place: ControlPlanePlace, stored: ControlPlaneState): Part {
  let state = stored;
  const save = async (process: ProcessId | null): Promise<void> => {
    state = { ...state, process };
    await controlPlaneState.write(place.directory, state);
  };
  const runOf = () => ({ kept: state.process, save });
  return {
    name: 'control-plane',
    start: (machine) => startProgram(programOf(place, state), optionsOf(place, state), { ...runOf(), machine }),
    async status() {
      const address = `${local}:${state.port}`;
      const shown = { part: 'control-plane', id: 1, address, log: logOf(place) };
      return [await memberOf(state.process, shown, () => isListening(address))];
    },
    stop: (how) => stopProgram(runOf(), how),
    options: () => profileOptions(state),
  };
}

function programOf(place: ControlPlanePlace, { port }: ControlPlaneState): Program {
  return {
    ...place,
    name: 'the control plane',
    ports: [port],
    log: logOf(place),
    isReady: () => isListening(`${local}:${port}`),
  };
}

function optionsOf(place: ControlPlanePlace, { port, clientId, clientSecret }: ControlPlaneState): ControlPlaneOptions {
  return {
    host: local,
    port,
    listening: listeningOf(place),
    stateFile: join(place.directory, 'state.json'),
    clients: [{ clientId, clientSecret }],
    // In a user's sandbox the clock runs in real time.
    clockRate: 1,
    dataPlane: place.dataPlane,
  };
}

function logOf({ directory }: ControlPlanePlace): string {
  return join(directory, 'control-plane.log');
}

function profileOptions({ port, clientId, clientSecret }: ControlPlaneState): Readonly<Record<string, string>> {
  const url = `http://${local}:${port}`;
  return {
    'cloud.api_url': url,
    'cloud.auth_url': url,
    'cloud.legacy_url': url,
    'cloud.audience': defaultAudience,
    'cloud.client_id': clientId,
    'cloud.client_secret': clientSecret,
  };
}
