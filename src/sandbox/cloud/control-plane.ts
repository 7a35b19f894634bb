import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { execPath } from 'node:process';
import { showHostPort } from '../../net/address.ts';
import { type Clock, startClock } from '../clock.ts';
import { refusesBrowser } from '../http/browser.ts';
import { type SigningKey, signingKey, writeSigningKey } from './auth/jwt.ts';
import { startFaults } from './http/faults.ts';
import { startJournal } from './http/journal.ts';
import { serve } from './http/serve.ts';
import { type ControlPlaneOptions, defaultAudience, defaultClient } from './options.ts';
import { openInstallPacks } from './plugin/install-packs.ts';
import { routesOf } from './routes.ts';
import { addSeeds, newState } from './seed.ts';
import { readSnapshot, type Snapshot, writeSnapshot } from './state-file.ts';
import type { World } from './world.ts';

/** A running control-plane simulator. */
export interface ControlPlane {
  /** The common origin of the API, the authorization server, the legacy API and the artifacts. */
  readonly url: string;
  /** The environment variables that point weir at the simulator, including the client secret. */
  readonly environment: Readonly<Record<string, string>>;
  /** Stops answering immediately and saves the state if a state file is configured. */
  stop(): Promise<void>;
}

/**
 * Starts a simulator of the control plane, written from the documented API and independently of the client.
 * @throws Error when the port is taken or the state file cannot be read
 */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const snapshot = options.stateFile === undefined ? undefined : readSnapshot(options.stateFile);
  const stopping = new AbortController();
  // Longer than any pause between two polls, so that a client never reuses a connection that is being closed.
  const server = createServer({ keepAliveTimeout: 120_000 });
  const url = `http://${showHostPort(await listen(server, options))}`;
  const world = openWorld(url, options, snapshot);
  const signingKeyPem = writeSigningKey(world.key);
  const save = () => {
    if (options.stateFile === undefined) return;
    writeSnapshot(options.stateFile, { now: world.clock.now(), signingKey: signingKeyPem, state: world.state });
  };
  save();
  server.on('request', (request, response) => {
    if (refusesBrowser(request, response)) return;
    serve({ world, signal: stopping.signal, save }, request, response).catch(() => response.destroy());
  });
  return {
    url,
    environment: environmentOf(world, options),
    async stop() {
      stopping.abort();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      save();
    },
  };
}

async function listen(server: Server, { host = '127.0.0.1', port = 0 }: ControlPlaneOptions) {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  return { host: address.address, port: address.port };
}

/** The address ranges of the service's own network. */
const serviceCidrBlocks = ['10.255.0.0/16'];

function openWorld(url: string, options: ControlPlaneOptions, snapshot: Snapshot | undefined): World {
  const key: SigningKey = signingKey(snapshot?.signingKey);
  const clock: Clock = startClock(startOf(options, snapshot), options.clockRate ?? 0);
  const world: World = {
    url,
    audience: options.audience ?? defaultAudience,
    deviceClientId: options.deviceClientId ?? 'sandbox-device',
    takenCidrBlocks: options.takenCidrBlocks ?? serviceCidrBlocks,
    dataPlane: options.dataPlane ?? {},
    key,
    routes: routesOf(options),
    clock,
    faults: startFaults(),
    journal: startJournal(),
    packs: openInstallPacks(options.pluginInterpreter ?? interpreter()),
    state: snapshot?.state ?? newState(options),
    reset() {
      world.faults.clear();
      world.journal.clear();
      world.state = newState(options);
      addSeeds(world, options);
    },
  };
  if (snapshot === undefined) addSeeds(world, options);
  return world;
}

/** The time to start the clock at. A running clock catches up with the time during which the simulator was stopped. */
function startOf({ startAt, clockRate = 0 }: ControlPlaneOptions, snapshot: Snapshot | undefined): number {
  if (snapshot === undefined) return startAt ?? Date.now();
  return clockRate > 0 ? Math.max(snapshot.now, Date.now()) : snapshot.now;
}

/** This process's Node.js, unless its path cannot be used in a shebang line (too long, or with a space). */
function interpreter(): string {
  return execPath.length < 120 && !/\s/.test(execPath) ? execPath : '/usr/bin/env node';
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
