import { type CliError, usageError } from '../../errors.ts';
import { findJava, findProgram, oldestJava } from '../java.ts';
import type { Machine } from '../machine.ts';
import { hasEngine } from './container-engine.ts';
import { defaultKafkaVersion, hasLibraries } from './libraries.ts';
import type { EngineName, KafkaRequest } from './state.ts';

/** The hint for what only a real Kafka has. */
export const realEngines = 'use --engine java, docker or podman to run a real Kafka';

/**
 * Returns the requested engine, or the lightest that this machine can run. Without Java and containers that is the
 * simulated engine (with a notice), unless the request needs a real Kafka.
 * @throws CliError (exit 2) when the machine or the engine cannot satisfy the request
 */
export async function chooseEngine(machine: Machine, request: KafkaRequest): Promise<EngineName> {
  if (request.engine === 'simulated' || request.flavour !== undefined) {
    checkSimulated(request);
    return 'simulated';
  }
  const kafkaVersion = request.kafkaVersion ?? defaultKafkaVersion;
  const wanted = (name: EngineName): boolean => request.engine === undefined || request.engine === name;
  const missing: string[] = [];
  if (wanted('java')) {
    const lack = await lackOfJava(machine, kafkaVersion);
    if (lack === undefined) return 'java';
    missing.push(lack);
  }
  for (const program of ['docker', 'podman'] as const) {
    if (!wanted(program)) continue;
    if (await hasEngine(machine, program)) return program;
    missing.push(`no running ${program === 'docker' ? 'Docker' : 'Podman'}`);
  }
  const seen = joinWords(missing);
  if (request.engine !== undefined || realOnly(request).length > 0) throw nothingToRun(seen, request);
  machine.notice(`found ${seen}: starting simulated in-memory brokers instead of Kafka (--engine simulated)`);
  return 'simulated';
}

/** Describes what Kafka on Java lacks; undefined when it can run. */
async function lackOfJava(machine: Machine, kafkaVersion: string): Promise<string | undefined> {
  const java = await findJava(machine);
  if (java === undefined) return 'no Java';
  if (java.major < oldestJava) return `only Java ${java.major}`;
  // Maven is only needed to download Kafka.
  if ((await findProgram(machine, 'mvn')) || (await hasLibraries(machine, kafkaVersion))) return undefined;
  return 'no Maven';
}

function joinWords(words: readonly string[]): string {
  return words.length < 3 ? words.join(' and ') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** The requested flags that simulated brokers do not support. */
function realOnly({ tls, mtls, sasl, kafkaVersion, registry }: KafkaRequest): readonly string[] {
  return [
    ...(tls ? ['--tls'] : []),
    ...(mtls ? ['--mtls'] : []),
    ...(sasl === undefined ? [] : ['--sasl']),
    ...(kafkaVersion === undefined ? [] : ['--kafka-version']),
    ...(registry ? ['--registry'] : []),
  ];
}

function checkSimulated(request: KafkaRequest): void {
  if (request.engine !== undefined && request.engine !== 'simulated')
    throw usageError(`--engine ${request.engine} does not support --flavour`, { hints: ['use --engine simulated'] });
  const flags = realOnly(request);
  if (flags.length === 0) return;
  throw usageError(
    `${request.engine === undefined ? '--flavour' : '--engine simulated'} does not support ${joinWords(flags)}`,
    {
      hints: [realEngines],
    },
  );
}

function nothingToRun(seen: string, request: KafkaRequest): CliError {
  const flags = realOnly(request);
  const what = flags.length === 0 ? 'Kafka' : `Kafka with ${joinWords(flags)}`;
  return usageError(`unable to start ${what} on this machine: found ${seen}`, {
    code: 'NOTHING_TO_RUN_KAFKA',
    hints: [
      `install Java ${oldestJava} or newer and Maven, or Docker, or Podman, then run the command again`,
      ...(flags.length === 0 ? ['or start simulated in-memory brokers: weir sandbox start --engine simulated'] : []),
      'or point weir at a running broker: weir profile create NAME --set brokers=HOST:PORT',
    ],
  });
}
