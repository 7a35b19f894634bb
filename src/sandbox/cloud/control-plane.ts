import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { argv, execPath } from 'node:process';
import { isEmbedded } from '../../host/program-file.ts';
import { showHostPort } from '../../net/address.ts';
import { startClock } from '../clock.ts';
import { type Around, answering, listen, unlisten } from '../http/server.ts';
import type { Route } from './http/request.ts';
import { createInstallPacks } from './install-packs.ts';
import { signingKey, writeSigningKey } from './jwt.ts';
import { type ControlPlaneOptions, defaultAudience, defaultClient, defaultUser } from './options.ts';
import { bindToOrganization } from './resources/role-bindings.ts';
import { addServiceAccount } from './resources/service-accounts.ts';
import { addUser } from './resources/users.ts';
import { stepTable } from './routes.ts';
import { changeSettings, defaultSettings } from './settings.ts';
import { type CloudOutcome, siteOf } from './site.ts';
import { emptyState, type State } from './state.ts';
import { settle } from './steps.ts';
import type { World } from './world.ts';

/** A running control-plane simulator. */
export interface ControlPlane {
  /** The common origin of the API, the authorization server, the legacy API and the artifacts. */
  readonly url: string;
  /** The environment variables that point weir at the simulator, including the client secret. */
  readonly environment: Readonly<Record<string, string>>;
  readonly world: World;
  /** Performs the steps that are due, and saves the state if a state file is configured. */
  settle(): void;
  /** Stops answering immediately and saves the state. */
  stop(): Promise<void>;
}

/**
 * Starts a simulator of the control plane, written from the documented API and independently of the client; `around`
 * stands before the handling of every request.
 * @throws Error when the port is taken or the state file cannot be read
 */
export async function startControlPlane(
  options: ControlPlaneOptions = {},
  around?: Around<Route, CloudOutcome>,
): Promise<ControlPlane> {
  const { host = '127.0.0.1', port = 0, stateFile } = options;
  const snapshot = stateFile === undefined ? undefined : readSnapshot(stateFile);
  const server = await listen({ host, port });
  const address = server.address() as AddressInfo;
  const url = `http://${showHostPort({ host: address.address, port: address.port })}`;
  const world = createWorld(url, options, snapshot);
  const signingKeyPem = writeSigningKey(world.key);
  const save = () => {
    if (stateFile === undefined) return;
    writeSnapshot(stateFile, { now: world.clock.now(), signingKey: signingKeyPem, state: world.state });
  };
  save();
  server.on('request', answering(siteOf(world, save, around)));
  return {
    url,
    environment: environmentOf(world, options),
    world,
    settle() {
      settle(world, stepTable);
      save();
    },
    async stop() {
      await unlisten(server);
      save();
    },
  };
}

/** The address ranges of the service's own network. */
const serviceCidrBlocks = ['10.255.0.0/16'];

function createWorld(url: string, options: ControlPlaneOptions, snapshot: Snapshot | undefined): World {
  const world: World = {
    url,
    audience: options.audience ?? defaultAudience,
    deviceClientId: options.deviceClientId ?? 'sandbox-device',
    takenCidrBlocks: options.takenCidrBlocks ?? serviceCidrBlocks,
    dataPlane: options.dataPlane ?? {},
    documentedOnly: options.documentedOnly ?? false,
    key: signingKey(snapshot?.signingKey),
    clock: startClock(startOf(options, snapshot), options.clockRate ?? 0),
    packs: createInstallPacks(options.pluginInterpreter ?? interpreter()),
    // An earlier version may have stored fewer types of resources.
    state: { ...newState(options), ...snapshot?.state },
  };
  if (snapshot === undefined) addSeeds(world, options);
  return world;
}

/** The time to start the clock at. A running clock catches up with the time during which the simulator was stopped. */
function startOf({ startAt, clockRate = 0 }: ControlPlaneOptions, snapshot: Snapshot | undefined): number {
  if (snapshot === undefined) return startAt ?? Date.now();
  return clockRate > 0 ? Math.max(snapshot.now, Date.now()) : snapshot.now;
}

/**
 * What runs this process, unless its path cannot be used in a shebang line (too long, or with a space): Node.js, or the
 * executable of weir as the Bun that it is.
 */
function interpreter(): string {
  if (execPath.length >= 90 || /\s/.test(execPath)) return '/usr/bin/env node';
  return isEmbedded(argv[1] ?? '') ? `/usr/bin/env -S BUN_BE_BUN=1 ${execPath}` : execPath;
}

function environmentOf(world: World, { clients = [defaultClient] }: ControlPlaneOptions) {
  const [first] = clients;
  return {
    WEIR_CLOUD_API_URL: world.url,
    WEIR_CLOUD_AUTH_URL: world.url,
    WEIR_CLOUD_LEGACY_URL: world.url,
    WEIR_CLOUD_AUDIENCE: world.audience,
    ...(first && { WEIR_CLOUD_CLIENT_ID: first.clientId, WEIR_CLOUD_CLIENT_SECRET: first.clientSecret }),
  };
}

const organization = { id: '5e1f0000-0000-4000-8000-000000000001', name: 'Sandbox' };

/** Creates the state of a new simulator: its settings and an organization without accounts. */
export function newState(options: ControlPlaneOptions): State {
  return emptyState(changeSettings(defaultSettings, options.settings), options.organization ?? organization);
}

/** Adds the accounts that exist from the start. */
export function addSeeds(world: World, options: ControlPlaneOptions): void {
  for (const client of options.clients ?? [defaultClient]) {
    const { clientId, clientSecret, role = 'Admin', name = clientId } = client;
    const account = addServiceAccount(world, { name, description: '', clientId, clientSecret });
    bindToOrganization(world, account.id, role);
  }
  for (const person of options.users ?? [defaultUser]) addUser(world, person, person.role ?? 'Admin');
}

/** The data that a simulator needs to continue after a restart. */
interface Snapshot {
  /** Milliseconds since the epoch, on the virtual clock. */
  readonly now: number;
  /** The key in PKCS #8 PEM, stored so that tokens stay valid across restarts. */
  readonly signingKey: string;
  readonly state: State;
}

interface WrittenMap {
  readonly map: readonly { readonly id: string }[];
}

/** Reads a file written by `writeSnapshot`; undefined when there is none. */
function readSnapshot(path: string): Snapshot | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  return JSON.parse(text, (_, value: unknown) =>
    isWrittenMap(value) ? new Map(value.map.map((item) => [item.id, item])) : value,
  ) as Snapshot;
}

/** Writes the whole state atomically: a kill at any moment leaves either the old or the new file. */
function writeSnapshot(path: string, snapshot: Snapshot): void {
  const next = `${path}.next`;
  writeFileSync(next, JSON.stringify(snapshot, mapsAsArrays), { mode: 0o600 });
  renameSync(next, path);
}

/** A replacer for `JSON.stringify` that writes maps, whose values contain their id, as `{ map: [values] }`. */
function mapsAsArrays(_: string, value: unknown): unknown {
  return value instanceof Map ? { map: [...value.values()] } : value;
}

function isWrittenMap(value: unknown): value is WrittenMap {
  return typeof value === 'object' && value !== null && 'map' in value && Array.isArray(value.map);
}
