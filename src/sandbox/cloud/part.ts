import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execPath } from 'node:process'; // the control plane is run by the Node that runs weir
import { setTimeout as delay } from 'node:timers/promises';
import { CliError, exitCodes, unreachableError } from '../../errors.ts';
import { isRunning, type ProcessId } from '../../files/process-id.ts';
import type { Machine } from '../machine.ts';
import type { Member, Part } from '../part.ts';
import { isFree } from '../ports.ts';
import { launch, stop } from '../process.ts';
import { type ControlPlaneOptions, defaultAudience } from './options.ts';
import { type ControlPlaneState, controlPlaneState } from './part-state.ts';
import type { DataPlane } from './world.ts';

const startLimitMs = 30_000;
const graceMs = 2_000;
const local = '127.0.0.1';

/** What a control plane part is opened with. */
export interface ControlPlanePlace {
  /** The part's own directory. */
  readonly directory: string;
  /** The program that runs the simulator: `entry.ts` or its bundle. */
  readonly entry: string;
  /** The sandbox's name, for messages. */
  readonly sandbox: string;
  /** The addresses that its clusters report: the Kafka of the same sandbox. */
  readonly dataPlane: DataPlane;
}

/** Opens the control plane of a sandbox from its stored state. */
export function openControlPlanePart(place: ControlPlanePlace, kept: ControlPlaneState): Part {
  let state = kept;
  const save = async (process: ProcessId | null): Promise<void> => {
    state = { ...state, process };
    await controlPlaneState.write(place.directory, state);
  };
  return {
    name: 'control-plane',
    start: (machine) => start(place, state, machine, save),
    status: async () => [await memberOf(place, state)],
    async stop(how) {
      if (state.process !== null) await stop(state.process, { graceMs: how === 'gently' ? graceMs : 0 });
      await save(null);
    },
    options: () => profileOptions(state),
  };
}

type Save = (process: ProcessId | null) => Promise<void>;

async function start(place: ControlPlanePlace, state: ControlPlaneState, machine: Machine, save: Save): Promise<void> {
  const running = state.process !== null && (await isRunning(state.process)) ? state.process : undefined;
  if (running !== undefined) return untilReady(place, state, running, machine);
  if (!(await isFree(state.port))) throw portInUse(place, state.port);
  machine.progress(`starting the control plane at ${local}:${state.port}`);
  const file = join(place.directory, 'options.json');
  await writeFile(file, JSON.stringify(optionsOf(place, state)), { mode: 0o600 });
  const args = [place.entry, file];
  const launched = await launch({
    file: execPath,
    args,
    cwd: place.directory,
    env: machine.env,
    log: logOf(place),
  });
  try {
    await save(launched);
    await untilReady(place, state, launched, machine);
  } catch (error) {
    await stop(launched, { graceMs: 0 });
    await save(null);
    throw error;
  }
}

function optionsOf(place: ControlPlanePlace, { port, clientId, clientSecret }: ControlPlaneState): ControlPlaneOptions {
  return {
    host: local,
    port,
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

async function untilReady(
  place: ControlPlanePlace,
  { port }: ControlPlaneState,
  process: ProcessId,
  machine: Machine,
): Promise<void> {
  const giveUpAt = performance.now() + startLimitMs;
  const hints = [`read its log: ${logOf(place)}`];
  while (!(await isReady(port))) {
    machine.signal.throwIfAborted();
    if (!(await isRunning(process))) {
      const lines = (await readFile(logOf(place), 'utf8').catch(() => '')).trim().split('\n');
      const telling = lines.findLast((line) => /Error:/.test(line)) ?? lines.at(-1) ?? '';
      throw new CliError(exitCodes.failure, `unable to start the control plane: it exited: ${telling.trim()}`, {
        hints,
      });
    }
    if (performance.now() > giveUpAt)
      throw unreachableError(`the control plane was started but did not answer within ${startLimitMs / 1000}s`, {
        hints,
      });
    await delay(50, undefined, { signal: machine.signal });
  }
}

async function isReady(port: number): Promise<boolean> {
  const signal = AbortSignal.timeout(2_000);
  const response = await fetch(`http://${local}:${port}/sim/health`, { signal }).catch(() => undefined);
  await response?.body?.cancel().catch(() => undefined); // it may have been cut meanwhile
  return response?.ok === true;
}

function portInUse({ sandbox }: ControlPlanePlace, port: number): CliError {
  return new CliError(exitCodes.conflict, `unable to start the sandbox "${sandbox}": port ${port} is in use`, {
    code: 'PORT_IN_USE',
    target: String(port),
    hints: [`stop the program that listens on port ${port}`],
  });
}

async function memberOf(place: ControlPlanePlace, { port, process: kept }: ControlPlaneState): Promise<Member> {
  const runs = kept !== null && (await isRunning(kept));
  return {
    part: 'control-plane',
    id: 1,
    address: `${local}:${port}`,
    state: runs ? ((await isReady(port)) ? 'running' : 'starting') : 'stopped',
    pid: runs ? kept.pid : undefined,
    container: undefined,
    log: logOf(place),
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
