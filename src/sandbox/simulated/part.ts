import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execPath } from 'node:process'; // simulated brokers are run by the Node that runs weir
import { setTimeout as delay } from 'node:timers/promises';
import { CliError, exitCodes, unreachableError } from '../../errors.ts';
import { isRunning, type ProcessId } from '../../files/process-id.ts';
import { answers } from '../kafka/answers.ts';
import { localAddress } from '../kafka/layout.ts';
import { checkPorts, portInUseError } from '../kafka/port-in-use.ts';
import { type BrokerState, type KafkaState, kafkaState } from '../kafka/state.ts';
import type { Machine } from '../machine.ts';
import type { Member, Part } from '../part.ts';
import { launch, stop } from '../process.ts';
import type { SimulatedOptions } from './options.ts';

const startLimitMs = 30_000;
const graceMs = 2_000;
const pollMs = 5;

/** What a part with simulated brokers is opened with. */
export interface SimulatedPlace {
  /** The part's own directory. */
  readonly directory: string;
  /** The program that runs the brokers: `entry.ts` or its bundle. */
  readonly entry: string;
  /** The sandbox's name, for messages. */
  readonly sandbox: string;
}

/** Opens simulated brokers as a stand-in for Kafka: one process for all, with only their logs on disk. */
export function openSimulatedPart(place: SimulatedPlace, kept: KafkaState): Part {
  let state = kept;
  const save = async (process: ProcessId | null): Promise<void> => {
    state = { ...state, brokers: state.brokers.map((broker) => ({ ...broker, process })) };
    await kafkaState.write(place.directory, state);
  };
  return {
    name: 'kafka',
    start: (machine) => start(place, state, machine, save),
    status: () => Promise.all(state.brokers.map((broker) => memberOf(place, broker))),
    async stop(how) {
      const running = processOf(state);
      if (running !== null) await stop(running, { graceMs: how === 'gently' ? graceMs : 0 });
      await save(null);
    },
    options: () => ({ brokers: state.brokers.map(({ port }) => `${localAddress}:${port}`).join(',') }),
  };
}

type Save = (process: ProcessId | null) => Promise<void>;

function processOf({ brokers }: KafkaState): ProcessId | null {
  return brokers[0]?.process ?? null;
}

async function start(place: SimulatedPlace, state: KafkaState, machine: Machine, save: Save): Promise<void> {
  const kept = processOf(state);
  if (kept !== null && (await isRunning(kept))) return untilReady(place, state, { running: kept, machine });
  const ports = state.brokers.map(({ port }) => port);
  await checkPorts(place.sandbox, ports);
  machine.progress(`starting simulated brokers at ${localAddress}:${ports.join(',')}`);
  const file = join(place.directory, 'options.json');
  await writeOptions(place, state, file);
  await rm(listeningOf(place), { force: true });
  const { directory, entry } = place;
  const output = outputOf(place);
  const launched = await launch({ file: execPath, args: [entry, file], cwd: directory, env: machine.env, log: output });
  try {
    await save(launched);
    await untilReady(place, state, { running: launched, machine, listening: listeningOf(place) });
  } catch (error) {
    await stop(launched, { graceMs: 0 });
    await save(null);
    throw error;
  }
}

async function writeOptions(place: SimulatedPlace, { brokers }: KafkaState, file: string): Promise<void> {
  const options: SimulatedOptions = {
    brokers: brokers.map(({ id, port }) => ({ id, host: localAddress, port, log: logOf(place, id) })),
    listening: listeningOf(place),
  };
  for (const { log } of options.brokers) await mkdir(dirname(log), { recursive: true, mode: 0o700 });
  await writeFile(file, JSON.stringify(options), { mode: 0o600 });
}

function logOf({ directory }: SimulatedPlace, id: number): string {
  return join(directory, `broker-${id}`, 'kafka.log');
}

/** The file with the output of the program itself, which is empty unless it fails. */
function outputOf({ directory }: SimulatedPlace): string {
  return join(directory, 'output.log');
}

/** The file that the program creates when it listens on all its ports. */
function listeningOf({ directory }: SimulatedPlace): string {
  return join(directory, 'listening');
}

/** A running program to wait for. */
interface Launched {
  readonly running: ProcessId;
  readonly machine: Machine;
  /** The file that tells its answers from those of another program on the same port; not for one that ran before. */
  readonly listening?: string;
}

async function untilReady(place: SimulatedPlace, { brokers }: KafkaState, launched: Launched): Promise<void> {
  const { running, machine, listening } = launched;
  const giveUpAt = performance.now() + startLimitMs;
  const isReady = async (port: number): Promise<boolean> =>
    (listening === undefined || existsSync(listening)) && (await answers({ host: localAddress, port }));
  for (const { port } of brokers) {
    while (!(await isReady(port))) {
      machine.signal.throwIfAborted();
      if (!(await isRunning(running))) throw await exited(place);
      if (performance.now() > giveUpAt) {
        const message = `the simulated brokers were started but did not answer within ${startLimitMs / 1000}s`;
        throw unreachableError(message, { hints: hintsOf(place) });
      }
      await delay(pollMs, undefined, { signal: machine.signal });
    }
  }
}

async function exited(place: SimulatedPlace): Promise<CliError> {
  const lines = (await readFile(outputOf(place), 'utf8').catch(() => '')).trim().split('\n');
  const telling = lines.findLast((line) => /Error\b.*:/.test(line)) ?? lines.at(-1) ?? '';
  const taken = /EADDRINUSE.*:(\d+)$/.exec(telling)?.[1];
  if (taken !== undefined) return portInUseError(place.sandbox, Number(taken));
  const message = `unable to start the simulated brokers: they exited: ${telling.trim()}`;
  return new CliError(exitCodes.failure, message, { hints: hintsOf(place) });
}

function hintsOf(place: SimulatedPlace): readonly string[] {
  return [`read its log: ${outputOf(place)}`];
}

async function memberOf(place: SimulatedPlace, { id, port, process: kept }: BrokerState): Promise<Member> {
  const runs = kept !== null && (await isRunning(kept));
  return {
    part: 'kafka',
    id,
    address: `${localAddress}:${port}`,
    state: runs ? ((await answers({ host: localAddress, port })) ? 'running' : 'starting') : 'stopped',
    pid: runs ? kept.pid : undefined,
    container: undefined,
    log: logOf(place, id),
  };
}
