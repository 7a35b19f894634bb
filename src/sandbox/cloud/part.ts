import { join } from 'node:path';
import type { ProcessId } from '../../files/process-id.ts';
import type { Part, ProgramPlace } from '../part.ts';
import { stateFile } from '../part-state.ts';
import { freePorts } from '../ports.ts';
import { isListening, listeningOf, ownProcess, programPart, startProgram } from '../program.ts';
import { newSecret } from './identifiers.ts';
import { type ControlPlaneOptions, defaultAudience } from './options.ts';
import type { DataPlane } from './world.ts';

const local = '127.0.0.1';

/** The stored state of a sandbox's control plane. */
export interface ControlPlaneState {
  readonly port: number;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Null when the control plane is stopped. */
  readonly process: ProcessId | null;
}

/** Plans a new control plane: a port that is free now (or `wanted`) and new credentials. */
export async function planControlPlane(wanted?: number): Promise<ControlPlaneState> {
  const port = wanted ?? (await freePorts(1))[0] ?? 0;
  return { port, clientId: 'sandbox', clientSecret: newSecret(), process: null };
}

/** The file that stores the state of the control plane. */
export const controlPlaneState = stateFile<ControlPlaneState>({
  fileName: 'control-plane.json',
  what: 'a control plane',
  isWhole: ({ port, clientSecret }) => typeof port === 'number' && typeof clientSecret === 'string',
});

/** What a control plane part is opened with. */
interface ControlPlanePlace extends ProgramPlace {
  /** The addresses that its clusters report: the Kafka of the same sandbox. */
  readonly dataPlane: DataPlane;
}

/** Creates the control plane part of a sandbox from its stored state. */
export function createControlPlanePart(place: ControlPlanePlace, stored: ControlPlaneState): Part {
  return programPart<ControlPlaneState>(place, {
    name: 'control-plane',
    title: 'the control plane',
    log: 'control-plane.log',
    stored,
    ...controlPlaneState,
    ...ownProcess,
    ports: ({ port }) => [port],
    members({ port }) {
      const address = `${local}:${port}`;
      return [{ id: 1, address, isReady: () => isListening(address) }];
    },
    start: (state, service, run) => startProgram(service, place.entry, optionsOf(place, state), run),
    options: profileOptions,
  });
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
