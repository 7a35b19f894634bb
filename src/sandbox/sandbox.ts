import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError, invalidError, notFoundError } from '../errors.ts';
import { checkTrusted } from '../files/trust.ts';
import type { FlavourName } from './broker/settings.ts';
import { readClaims, whileChoosingPorts } from './claims.ts';
import { partOf, sandboxDirectory } from './directories.ts';
import { checkUnchanged } from './kafka/create.ts';
import { makeCertificates } from './kafka/layout.ts';
import { type EngineName, kafkaState } from './kafka/state.ts';
import { withLock } from './lock.ts';
import type { Machine } from './machine.ts';
import type { Member, Part } from './part.ts';
import { brokenState } from './part-state.ts';
import { portInUse } from './ports.ts';
import {
  addsParts,
  createParts,
  movedParts,
  planParts,
  readSandboxState,
  type SandboxRequest,
  type SandboxState,
  withAdded,
  writeSandboxState,
} from './sandbox-state.ts';

/** The default name of a sandbox and of its profile. */
export const defaultName = 'sandbox';

/** How often a new sandbox chooses its ports, if other programs take the chosen ones before its brokers listen. */
const maxAttempts = 3;

/** A sandbox and its current parts. */
export interface Sandbox {
  readonly name: string;
  readonly directory: string;
  readonly engine: EngineName;
  /** What simulated brokers imitate; kafka for other engines. */
  readonly flavour: FlavourName;
  readonly kafkaVersion: string;
  readonly parts: readonly Part[];
  /** The options that a profile needs to connect to it, as text by key. */
  readonly options: Readonly<Record<string, string>>;
  /** The profile that `rememberProfile` recorded. */
  readonly profile: ProfileMemory | undefined;
}

/** The profile that was created for a sandbox. */
interface ProfileMemory {
  readonly name: string;
  /** The profile that was selected before. */
  readonly previous: string | undefined;
}

/** A sandbox name and the machine it is on. */
export interface SandboxLocation {
  readonly machine: Machine;
  readonly name: string;
}

/** Opens a sandbox from its stored state; undefined when there is none with that name. */
export async function findSandbox(location: SandboxLocation): Promise<Sandbox | undefined> {
  const directory = directoryOf(location);
  const state = await readSandboxState(directory);
  return state === undefined ? undefined : open(location, state);
}

/** Opens a sandbox. @throws CliError (exit 3) when there is none with that name */
export async function getSandbox(location: SandboxLocation): Promise<Sandbox> {
  const sandbox = await findSandbox(location);
  if (sandbox !== undefined) return sandbox;
  const others = await listSandboxes(location.machine);
  throw notFoundError(`sandbox "${location.name}" does not exist`, {
    code: 'SANDBOX_NOT_FOUND',
    target: location.name,
    hints: [
      others.length === 0
        ? 'start one with: weir sandbox start'
        : `name one of these with --name: ${others.join(', ')}`,
    ],
  });
}

/** The names of all sandboxes, sorted. */
export async function listSandboxes(machine: Machine): Promise<readonly string[]> {
  const root = sandboxDirectory(machine);
  const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
  const names: string[] = [];
  for (const entry of entries.filter((one) => one.isDirectory() && isName(one.name))) {
    if ((await kafkaState.read(partOf(join(root, entry.name), 'kafka')).catch(() => null)) !== undefined)
      names.push(entry.name);
  }
  return names.sort();
}

/** Starts the stopped members of a sandbox, or creates a sandbox; a failed or interrupted creation leaves nothing. */
export async function startSandbox(
  location: SandboxLocation,
  request: SandboxRequest,
): Promise<{ readonly sandbox: Sandbox; readonly before: 'new' | 'stopped' | 'running' }> {
  return locked(location, async () => {
    const kept = await readSandboxState(directoryOf(location));
    if (kept === undefined) return { sandbox: await createSandbox(location, request), before: 'new' };
    const state = await moved(location, kept, request);
    checkUnchanged(location.name, state.kafka, request);
    if (state !== kept) await writeSandboxState(directoryOf(location), state);
    const existing = await open(location, await addParts(location, state, request));
    const members = await membersOf(existing);
    const running = members.every(({ state }) => state === 'running');
    if (!running) await startAdded(location, kept, existing);
    return { sandbox: await getSandbox(location), before: running ? 'running' : 'stopped' };
  });
}

/** The state of a sandbox on the port that was requested; unchanged if it has that port, or if anything of it is running. */
async function moved(location: SandboxLocation, state: SandboxState, { port }: SandboxRequest): Promise<SandboxState> {
  const { machine, name } = location;
  if (port === undefined || port === state.kafka.brokers[0]?.port) return state;
  const members = await membersOf(await open(location, state));
  if (members.some((member) => member.state !== 'stopped')) return state;
  const others = (await listSandboxes(machine)).filter((one) => one !== name);
  return movedParts(machine, state, { port, claims: await readClaims(machine, others) });
}

/** Starts the parts. A registry or Admin API that is new to the sandbox and does not start is not kept. */
async function startAdded(location: SandboxLocation, before: SandboxState, sandbox: Sandbox): Promise<void> {
  try {
    await startParts(location, sandbox);
  } catch (error) {
    const remove = (path: string) => rm(path, { recursive: true, force: true, maxRetries: 5 });
    if (before.registry === undefined) await remove(partOf(sandbox.directory, 'registry'));
    if (before.admin === undefined) await remove(partOf(sandbox.directory, 'admin'));
    throw error;
  }
}

async function addParts(
  location: SandboxLocation,
  state: SandboxState,
  request: SandboxRequest,
): Promise<SandboxState> {
  const { machine } = location;
  if (!addsParts(state, request)) return state;
  return whileChoosingPorts(machine, async () => {
    const more = await withAdded(machine, state, request);
    await writeSandboxState(directoryOf(location), more);
    return more;
  });
}

/** Returns what `startSandbox` would start and its state now, without writing or starting anything. */
export async function planSandbox(
  location: SandboxLocation,
  request: SandboxRequest,
): Promise<{ readonly sandbox: Sandbox; readonly before: 'new' | 'stopped' | 'running' }> {
  const { machine, name } = location;
  const kept = await readSandboxState(directoryOf(location));
  if (kept === undefined) return { sandbox: await open(location, await planNew(location, request)), before: 'new' };
  const state = await moved(location, kept, request);
  checkUnchanged(name, state.kafka, request);
  const sandbox = await open(location, await withAdded(machine, state, request));
  const members = await membersOf(sandbox);
  return { sandbox, before: members.every(({ state }) => state === 'running') ? 'running' : 'stopped' };
}

async function planNew({ machine }: SandboxLocation, request: SandboxRequest): Promise<SandboxState> {
  return planParts(machine, request, await readClaims(machine, await listSandboxes(machine)));
}

/** Creates and starts a sandbox. If another program takes a port that was free, chooses again a few times. */
async function createSandbox(location: SandboxLocation, request: SandboxRequest): Promise<Sandbox> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await startParts(location, await writeSandbox(location, request));
      return await getSandbox(location);
    } catch (error) {
      const isRemoved = await removeFailed(location);
      const isRace = error instanceof CliError && error.code === portInUse && request.port === undefined;
      if (!isRace || !isRemoved || attempt === maxAttempts) throw error;
    }
  }
}

/** Plans a sandbox and writes its state, without starting anything. */
async function writeSandbox(location: SandboxLocation, request: SandboxRequest): Promise<Sandbox> {
  const directory = directoryOf(location);
  const kafkaPart = partOf(directory, 'kafka');
  await mkdir(kafkaPart, { recursive: true, mode: 0o700 });
  const planned = await whileChoosingPorts(location.machine, async () => {
    const parts = await planNew(location, request);
    await writeSandboxState(directory, parts);
    return parts;
  });
  await makeCertificates(kafkaPart, planned.kafka.security);
  return open(location, planned);
}

/**
 * Stops the parts that run although a later one failed, and removes the files; false if that fails. Then the files of a
 * part that cannot be stopped are kept, so that "sandbox purge" can try again.
 */
async function removeFailed(location: SandboxLocation): Promise<boolean> {
  try {
    const sandbox = await findSandbox(location).catch(() => undefined);
    if (sandbox !== undefined) await stopParts(location, sandbox, 'atOnce');
    await rm(directoryOf(location), { recursive: true, force: true, maxRetries: 5 });
    return true;
  } catch {
    return false;
  }
}

function startParts({ machine }: SandboxLocation, { parts }: Sandbox): Promise<void> {
  return machine.openEnded(async () => {
    for (const part of parts) await part.start(machine);
  });
}

function stopParts({ machine }: SandboxLocation, { parts }: Sandbox, how: Parameters<Part['stop']>[0]): Promise<void> {
  return machine.openEnded(async () => {
    for (const part of parts.toReversed()) await part.stop(how);
  });
}

/** Lists the processes and containers of a sandbox. */
export async function membersOf(sandbox: Sandbox): Promise<readonly Member[]> {
  return (await Promise.all(sandbox.parts.map((part) => part.status()))).flat();
}

/** Stops the running members of a sandbox and keeps its data. */
export async function stopSandbox(location: SandboxLocation): Promise<Sandbox> {
  return locked(location, async () => {
    const sandbox = await getSandbox(location);
    await stopParts(location, sandbox, 'gently');
    return sandbox;
  });
}

/** What is still known about a purged sandbox. */
export type Remains = Pick<Sandbox, 'directory' | 'profile'>;

/** Stops a sandbox and removes its files. If its state file is broken, removes the files without stopping anything. */
export async function purgeSandbox(location: SandboxLocation): Promise<Remains> {
  return locked(location, async () => {
    const directory = directoryOf(location);
    const sandbox = await getSandbox(location).catch((error: unknown) => {
      if (error instanceof CliError && error.code === brokenState) return undefined;
      throw error;
    });
    const remains = { directory, profile: await readProfile(directory) };
    if (sandbox !== undefined) await stopParts(location, sandbox, 'atOnce');
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    return remains;
  });
}

/** Records which profile was created for a sandbox. */
export async function rememberProfile(sandbox: Sandbox, profile: ProfileMemory): Promise<void> {
  const file = join(sandbox.directory, 'profile.json');
  await writeFile(`${file}.new`, JSON.stringify(profile), { mode: 0o600 });
  await rename(`${file}.new`, file);
}

async function open(location: SandboxLocation, state: SandboxState): Promise<Sandbox> {
  const directory = directoryOf(location);
  const { kafka } = state;
  const parts = createParts({ machine: location.machine, sandbox: location.name, directory }, state);
  return {
    name: location.name,
    directory,
    engine: kafka.engine,
    flavour: kafka.flavour ?? 'kafka',
    kafkaVersion: kafka.kafkaVersion,
    parts,
    options: Object.assign({}, ...parts.map((part) => part.options())),
    profile: await readProfile(directory),
  };
}

async function readProfile(directory: string): Promise<ProfileMemory | undefined> {
  const text = await readFile(join(directory, 'profile.json'), 'utf8').catch(() => undefined);
  try {
    return text === undefined ? undefined : (JSON.parse(text) as ProfileMemory);
  } catch {
    return undefined; // weir replaces this file atomically, so broken content is not weir's
  }
}

async function locked<T>(location: SandboxLocation, work: () => Promise<T>): Promise<T> {
  const { machine, name } = location;
  // What runs there is started, and root would write through links of the user whose directory it is.
  const directories = [sandboxDirectory(machine), directoryOf(location)];
  await checkTrusted(directories, {
    uid: machine.uid,
    what: 'the sandbox',
    code: 'SANDBOX_DIRECTORY',
    again: 'weir creates it again',
  });
  const onWait = (holder: string) => {
    machine.progress(`waiting for another weir process that is using sandbox "${name}": ${holder}`);
    return machine.lockWait.onWait?.(holder);
  };
  return await withLock(directoryOf(location), { ...machine.lockWait, onWait }, work);
}

/** The directory of a sandbox. */
export function directoryOf({ machine, name }: SandboxLocation): string {
  if (isName(name)) return join(sandboxDirectory(machine), name);
  throw invalidError(`invalid sandbox name "${name}"`, {
    hints: ['use at most 30 lowercase letters, digits and dashes, starting with a letter'],
  });
}

function isName(name: string): boolean {
  return /^[a-z][a-z0-9-]{0,29}$/.test(name);
}
