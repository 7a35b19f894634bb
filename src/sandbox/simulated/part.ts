import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ProcessId } from '../../files/process-id.ts';
import { answers } from '../kafka/answers.ts';
import { localAddress } from '../kafka/layout.ts';
import { type KafkaState, kafkaState } from '../kafka/state.ts';
import type { Part } from '../part.ts';
import { listeningOf, memberOf, type Program, startProgram, stopProgram } from '../program.ts';
import type { SimulatedOptions } from './options.ts';

/** What a part with simulated brokers is opened with. */
interface SimulatedPlace {
  /** The part's own directory. */
  readonly directory: string;
  /** The program that runs the brokers: `entry.ts` or its bundle. */
  readonly entry: string;
  /** The sandbox's name, for messages. */
  readonly sandbox: string;
}

/** Creates the part for simulated brokers as a stand-in for Kafka: one process for all, with only their logs on disk. */
export function createSimulatedPart(place: SimulatedPlace, kept: KafkaState): Part {
  let state = kept;
  const save = async (process: ProcessId | null): Promise<void> => {
    state = { ...state, brokers: state.brokers.map((broker) => ({ ...broker, process })) };
    await kafkaState.write(place.directory, state);
  };
  const runOf = () => ({ kept: state.brokers[0]?.process ?? null, save });
  return {
    name: 'kafka',
    async start(machine) {
      const options = optionsOf(place, state);
      for (const { log } of options.brokers) await mkdir(dirname(log), { recursive: true, mode: 0o700 });
      await startProgram(programOf(place, state), options, { ...runOf(), machine });
    },
    status: () =>
      Promise.all(
        state.brokers.map(({ id, port, process }) => {
          const shown = { part: 'kafka', id, address: `${localAddress}:${port}`, log: logOf(place, id) };
          return memberOf(process, shown, () => answers({ host: localAddress, port }));
        }),
      ),
    stop: (how) => stopProgram(runOf(), how),
    options: () => ({ brokers: state.brokers.map(({ port }) => `${localAddress}:${port}`).join(',') }),
  };
}

function programOf(place: SimulatedPlace, { brokers }: KafkaState): Program {
  const ports = brokers.map(({ port }) => port);
  return {
    ...place,
    name: 'the simulated Kafka',
    ports,
    // The program's own output, which is empty unless it fails.
    log: join(place.directory, 'output.log'),
    async isReady() {
      for (const port of ports) if (!(await answers({ host: localAddress, port }))) return false;
      return true;
    },
  };
}

function optionsOf(place: SimulatedPlace, { brokers }: KafkaState): SimulatedOptions {
  return {
    brokers: brokers.map(({ id, port }) => ({ id, host: localAddress, port, log: logOf(place, id) })),
    listening: listeningOf(place),
  };
}

function logOf({ directory }: SimulatedPlace, id: number): string {
  return join(directory, `broker-${id}`, 'kafka.log');
}
