import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { answers } from '../kafka/answers.ts';
import { localAddress } from '../kafka/layout.ts';
import { type KafkaState, kafkaState } from '../kafka/state.ts';
import type { Part, PartPlace, ProgramPlace } from '../part.ts';
import { listeningOf, programPart, startProgram } from '../program.ts';
import type { SimulatedOptions } from './options.ts';

/** Creates the part for simulated brokers as a stand-in for Kafka: one process for all, with only their logs on disk. */
export function createSimulatedPart(place: ProgramPlace, stored: KafkaState): Part {
  return programPart(place, {
    name: 'kafka',
    title: 'the simulated Kafka',
    // The program's own output, which is empty unless it fails.
    log: 'output.log',
    stored,
    ...kafkaState,
    processOf: ({ brokers }) => brokers[0]?.process ?? null,
    withProcess: (state, process) => ({ ...state, brokers: state.brokers.map((broker) => ({ ...broker, process })) }),
    ports: ({ brokers }) => brokers.map(({ port }) => port),
    members: ({ brokers }) =>
      brokers.map(({ id, port }) => ({
        id,
        address: `${localAddress}:${port}`,
        log: logOf(place, id),
        isReady: () => answers({ host: localAddress, port }),
      })),
    async start(state, service, run) {
      const options = optionsOf(place, state);
      for (const { log } of options.brokers) await mkdir(dirname(log), { recursive: true, mode: 0o700 });
      await startProgram(service, place.entry, options, run);
    },
    options: ({ brokers }) => ({ brokers: brokers.map(({ port }) => `${localAddress}:${port}`).join(',') }),
  });
}

function optionsOf(place: PartPlace, { brokers, flavour = 'kafka' }: KafkaState): SimulatedOptions {
  return {
    flavour,
    brokers: brokers.map(({ id, port }) => ({ id, host: localAddress, port, log: logOf(place, id) })),
    listening: listeningOf(place),
  };
}

function logOf({ directory }: PartPlace, id: number): string {
  return join(directory, `broker-${id}`, 'kafka.log');
}
