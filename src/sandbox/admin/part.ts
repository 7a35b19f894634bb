import type { ProcessId } from '../../files/process-id.ts';
import type { Part, ProgramPlace } from '../part.ts';
import { stateFile } from '../part-state.ts';
import { commonPort } from '../ports.ts';
import { isListening, listeningOf, ownProcess, programPart, startProgram } from '../program.ts';
import type { KafkaAccess } from './kafka-view.ts';
import { type ProgramOptions, sandboxSeeds } from './program-options.ts';
import { loopback } from './reflect.ts';

/** The stored state of a sandbox's Admin API. */
export interface AdminState {
  /** The port of every node. */
  readonly port: number;
  /** Null when it is stopped. */
  readonly process: ProcessId | null;
}

/** Plans a new Admin API with this many nodes: a port that is free now on all their addresses. */
export async function planAdmin(nodes: number): Promise<AdminState> {
  return { port: await commonPort(Array.from({ length: nodes }, (_, index) => loopback(index))), process: null };
}

/** The file that stores the state of the Admin API. */
export const adminState = stateFile<AdminState>({
  fileName: 'admin.json',
  what: 'an Admin API',
  isWhole: ({ port }) => typeof port === 'number',
});

/** What an Admin API part is opened with. */
interface AdminPlace extends ProgramPlace {
  /** The Kafka of the same sandbox, which it reflects. */
  readonly kafka: KafkaAccess;
}

/** Creates the Admin API part of a sandbox from its stored state: one process with one node per broker. */
export function createAdminPart(place: AdminPlace, stored: AdminState): Part {
  const ids = place.kafka.brokers.map(({ id }) => id).sort((a, b) => a - b);
  const addressesOf = ({ port }: AdminState) => ids.map((_, index) => `${loopback(index)}:${port}`);
  return programPart<AdminState>(place, {
    name: 'admin',
    title: 'the Admin API',
    log: 'admin.log',
    stored,
    ...adminState,
    ...ownProcess,
    ports: ({ port }) => [port],
    members: (state) =>
      addressesOf(state).map((address, index) => ({
        id: ids[index] as number,
        address,
        isReady: () => isListening(address),
      })),
    start: (state, service, run) => startProgram(service, place.entry, optionsOf(place, state), run),
    options: (state) => ({ 'admin.hosts': addressesOf(state).join(',') }),
  });
}

function optionsOf(place: AdminPlace, { port }: AdminState): ProgramOptions {
  return {
    port,
    listening: listeningOf(place),
    // In a user's sandbox the clock runs in real time.
    clockRate: 1,
    settings: { release: '26.2' },
    seeds: sandboxSeeds(place.kafka, Date.now()),
    kafka: place.kafka,
  };
}
