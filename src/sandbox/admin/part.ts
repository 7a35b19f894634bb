import { join } from 'node:path';
import type { ProcessId } from '../../files/process-id.ts';
import type { Part } from '../part.ts';
import { isListening, listeningOf, memberOf, type Program, startProgram, stopProgram } from '../program.ts';
import { type AdminState, adminState } from './part-state.ts';
import { type ProgramOptions, sandboxSeeds } from './program-options.ts';
import type { KafkaAccess } from './view/kafka-view.ts';
import { loopback } from './view/reflect.ts';

/** What an Admin API part is opened with. */
interface AdminPlace {
  /** The part's own directory. */
  readonly directory: string;
  /** The program that runs the simulator: `entry.ts` or its bundle. */
  readonly entry: string;
  /** The sandbox's name, for messages. */
  readonly sandbox: string;
  /** The Kafka of the same sandbox, which it reflects. */
  readonly kafka: KafkaAccess;
}

/** Creates the Admin API part of a sandbox from its stored state: one process with one node per broker. */
export function createAdminPart(place: AdminPlace, stored: AdminState): Part {
  let state = stored;
  const save = async (process: ProcessId | null): Promise<void> => {
    state = { ...state, process };
    await adminState.write(place.directory, state);
  };
  const runOf = () => ({ kept: state.process, save });
  return {
    name: 'admin',
    start: (machine) => startProgram(programOf(place, state), optionsOf(place, state), { ...runOf(), machine }),
    status: () =>
      Promise.all(
        idsOf(place).map((id, index) => {
          const address = `${loopback(index)}:${state.port}`;
          const shown = { part: 'admin', id, address, log: logOf(place) };
          return memberOf(state.process, shown, () => isListening(address));
        }),
      ),
    stop: (how) => stopProgram(runOf(), how),
    options: () => ({
      'admin.hosts': idsOf(place)
        .map((_, index) => `${loopback(index)}:${state.port}`)
        .join(','),
    }),
  };
}

/** The ids of the nodes, which are those of the brokers. */
function idsOf({ kafka }: AdminPlace): readonly number[] {
  return kafka.brokers.map(({ id }) => id).sort((a, b) => a - b);
}

function programOf(place: AdminPlace, { port }: AdminState): Program {
  return {
    ...place,
    name: 'the Admin API',
    ports: [port],
    log: logOf(place),
    async isReady() {
      const ready = await Promise.all(idsOf(place).map((_, index) => isListening(`${loopback(index)}:${port}`)));
      return ready.every(Boolean);
    },
  };
}

function optionsOf(place: AdminPlace, { port }: AdminState): ProgramOptions {
  return {
    port,
    listening: listeningOf(place),
    // In a user's sandbox the clock runs in real time.
    clockRate: 1,
    seeds: sandboxSeeds(place.kafka, Date.now()),
    kafka: place.kafka,
  };
}

function logOf({ directory }: AdminPlace): string {
  return join(directory, 'admin.log');
}
