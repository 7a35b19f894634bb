import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execPath } from 'node:process'; // such programs are run by the Node that runs weir
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CliError, exitCodes, unreachableError } from '../errors.ts';
import { isRunning, type ProcessId } from '../files/process-id.ts';
import { programFile } from '../host/program-file.ts';
import type { Machine } from './machine.ts';
import type { Member, Part, PartPlace } from './part.ts';
import { checkPorts, portInUseError } from './ports.ts';
import { launch, stop } from './process.ts';

const defaultLimitMs = 30_000;
const graceMs = 2_000;
const defaultPollMs = 5;

/** A program that runs a part of a sandbox in the background. */
export interface Service extends PartPlace {
  /** What it runs, for messages, for example `the control plane`. */
  readonly name: string;
  /** The ports that it listens on. */
  readonly ports: readonly number[];
  /** The file that its output is appended to. */
  readonly log: string;
  /** How long it may take until it answers, in milliseconds (default 30 s). */
  readonly startLimitMs?: number;
  /** How often to ask, in milliseconds (default 5). */
  readonly pollMs?: number;
  /** Whether it answers on all its ports. */
  isReady(): Promise<boolean>;
}

const bundles = { admin: 'admin-api.js', cloud: 'control-plane.js', simulated: 'simulated-brokers.js' } as const;

/** The path of the program that runs a part: `entry.ts` in the folder of the part, or its bundle. */
export function programOf(part: keyof typeof bundles, file = fileURLToPath(import.meta.url)): string {
  return programFile(file, { source: `${part}/entry.ts`, bundled: bundles[part] });
}

/** How to start a service. */
interface ServiceCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** The file that tells its answers from those of another program on the same port, if it creates one. */
  readonly listening?: string;
}

/** A start of a program. */
interface ProgramRun {
  /** Its process, if it has been started; it may have exited since. */
  readonly processId: ProcessId | null;
  readonly machine: Machine;
  /** Called with the process before it is ready, so that an interrupted start can be cleaned up; null: it is stopped. */
  save(process: ProcessId | null): Promise<void>;
}

/** A member of a part that is one program: an address that the program listens on. */
interface ProgramMember extends Pick<Member, 'id' | 'address'> {
  /** Its log file; absent for the log of the program. */
  readonly log?: string;
  /** Whether it answers. */
  isReady(): Promise<boolean>;
}

/** A part that is one program, which answers at one or more addresses. */
interface ProgramPart<State> {
  readonly name: string;
  /** What it runs, for messages, for example `the control plane`. */
  readonly title: string;
  /** The name of its log file in the directory of the part. */
  readonly log: string;
  readonly stored: State;
  write(directory: string, state: State): Promise<void>;
  processOf(state: State): ProcessId | null;
  withProcess(state: State, process: ProcessId | null): State;
  ports(state: State): readonly number[];
  members(state: State): readonly ProgramMember[];
  start(state: State, service: Service, run: ProgramRun): Promise<void>;
  options(state: State): Readonly<Record<string, string>>;
}

/** How a state keeps the process of its program in a field of its own. */
export const ownProcess = {
  processOf: ({ process }: { readonly process: ProcessId | null }) => process,
  withProcess: <State extends object>(state: State, process: ProcessId | null): State => ({ ...state, process }),
};

/** Creates a part that is one program. */
export function programPart<State>(place: PartPlace, part: ProgramPart<State>): Part {
  const { name, processOf, members } = part;
  const log = join(place.directory, part.log);
  let state = part.stored;
  const save = async (process: ProcessId | null): Promise<void> => {
    state = part.withProcess(state, process);
    await part.write(place.directory, state);
  };
  return {
    name,
    start(machine) {
      const service: Service = {
        ...place,
        name: part.title,
        ports: part.ports(state),
        log,
        isReady: async () => (await Promise.all(members(state).map((one) => one.isReady()))).every(Boolean),
      };
      return part.start(state, service, { processId: processOf(state), machine, save });
    },
    status: () => Promise.all(members(state).map((one) => memberNow(name, processOf(state), { log, ...one }))),
    async stop(how) {
      const processId = processOf(state);
      if (processId !== null) await stop(processId, { graceMs: how === 'gently' ? graceMs : 0 });
      await save(null);
    },
    options: () => part.options(state),
  };
}

async function memberNow(
  part: string,
  processId: ProcessId | null,
  { id, address, log, isReady }: Required<ProgramMember>,
): Promise<Member> {
  const runs = processId !== null && (await isRunning(processId));
  return {
    part,
    id,
    address,
    state: runs ? ((await isReady()) ? 'running' : 'starting') : 'stopped',
    log,
    pid: runs ? processId.pid : undefined,
    container: undefined,
  };
}

/** Returns the file that a program creates when it listens on all its ports. */
export function listeningOf({ directory }: PartPlace): string {
  return join(directory, 'listening');
}

/**
 * Starts one of weir's own programs with `options`, which it reads as JSON, unless it is running, and waits until it is
 * ready; `entry` is its file: `entry.ts` or its bundle.
 * @throws CliError when a port is in use (exit 6), when it exits, or when it is not ready in time (exit 5)
 */
export async function startProgram(
  service: Service,
  entry: string,
  options: { readonly listening?: string },
  run: ProgramRun,
): Promise<void> {
  const { listening = listeningOf(service) } = options;
  return startService(service, run, async () => {
    const file = join(service.directory, 'options.json');
    await writeFile(file, JSON.stringify(options), { mode: 0o600 });
    await rm(listening, { force: true });
    return { file: execPath, args: [entry, file], listening };
  });
}

/** Like `startProgram`, for any program; `prepare` is called only if it is not running. */
export async function startService(
  service: Service,
  { processId, machine, save }: ProgramRun,
  prepare: () => Promise<ServiceCommand>,
): Promise<void> {
  if (processId !== null && (await isRunning(processId))) return untilReady(service, { running: processId, machine });
  const { name, sandbox, directory, ports, log } = service;
  await checkPorts(sandbox, ports);
  const { file, args, listening } = await prepare();
  machine.progress(`starting ${name} at ${ports.map((port) => `127.0.0.1:${port}`).join(',')}`);
  const running = await launch({ file, args, cwd: directory, env: machine.env, log });
  try {
    await save(running);
    await untilReady(service, { running, machine, ...(listening === undefined ? {} : { listening }) });
  } catch (error) {
    await stop(running, { graceMs: 0 });
    await save(null);
    throw error;
  }
}

/** Whether a simulator of an HTTP service answers at `host:port`. */
export async function isListening(address: string): Promise<boolean> {
  const signal = AbortSignal.timeout(2_000);
  const response = await fetch(`http://${address}/sim/health`, { signal }).catch(() => undefined);
  await response?.body?.cancel().catch(() => undefined); // it may have been cut in the meantime
  return response?.ok === true;
}

/** A running program to wait for. */
interface Launched {
  readonly running: ProcessId;
  readonly machine: Machine;
  /** The file that tells its answers from those of another program on the same port; not for one that ran before. */
  readonly listening?: string;
}

async function untilReady(service: Service, { running, machine, listening }: Launched): Promise<void> {
  const limitMs = service.startLimitMs ?? defaultLimitMs;
  const giveUpAt = performance.now() + limitMs;
  while (!((listening === undefined || existsSync(listening)) && (await service.isReady()))) {
    machine.signal.throwIfAborted();
    if (!(await isRunning(running))) throw await exited(service);
    if (performance.now() > giveUpAt)
      throw unreachableError(`started ${service.name}, but it did not answer within ${limitMs / 1000}s`, {
        hints: hintsOf(service),
      });
    await delay(service.pollMs ?? defaultPollMs, undefined, { signal: machine.signal });
  }
}

async function exited(service: Service): Promise<CliError> {
  const lines = (await readFile(service.log, 'utf8').catch(() => '')).trim().split('\n');
  // " ERROR " is a level in the log of a Java program.
  const telling = lines.findLast((line) => /Error\b.*:| ERROR /.test(line)) ?? lines.at(-1) ?? '';
  const taken = /EADDRINUSE.*:(\d+)$| Port (\d+) seems to be in use/.exec(telling);
  if (taken !== null) return portInUseError(service.sandbox, Number(taken[1] ?? taken[2]));
  const message = `unable to start ${service.name}: the program exited: ${telling.trim()}`;
  return new CliError(exitCodes.failure, message, {
    hints: hintsOf(service),
    cause: new Error(lines.slice(-200).join('\n')),
  });
}

function hintsOf({ log }: Service): readonly string[] {
  return [`read its log: ${log}`];
}
