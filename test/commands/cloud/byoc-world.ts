import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Host } from '../../../src/host/host.ts';
import { realHost } from '../../../src/host/host.ts';
import type { ControlPlaneOptions } from '../../../src/sandbox/cloud/options.ts';
import { admin, type Plane, startPlane } from '../../sandbox/cloud/plane.ts';
import { type Outcome, run, temporaryDirectory, type World } from '../../world.ts';

/** One start of the test plugin, as it recorded it. */
export interface PluginStart {
  readonly build: { readonly version: string };
  readonly pid: number;
  /** The token shortened. */
  readonly argv: readonly string[];
  readonly token_sha256: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly exit_code: number | null;
  readonly message: string;
  readonly signal: string | null;
}

/** A person with separate directories whose control plane is a simulator. */
export interface CloudPerson {
  readonly plane: Plane;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cache: string;
  /** The journal of the flows. */
  readonly journalDirectory: string;
  run(line: string, more?: World): Promise<Outcome>;
  /** What the plugin recorded, in the order of its starts. */
  pluginStarts(): readonly PluginStart[];
  /** Every file below the plugins' directory, relative to it. */
  pluginFiles(): readonly string[];
  /** The unfinished flows in the journal. */
  flows(): readonly Record<string, unknown>[];
}

/** Starts a simulator and makes a person for it. Stop the plane when done. */
export async function newCloudPerson(options: ControlPlaneOptions = {}): Promise<CloudPerson> {
  const plane = await startPlane(options);
  const home = temporaryDirectory();
  const cache = join(home, 'cache');
  const record = join(home, 'plugin.ndjson');
  const journalDirectory = join(home, 'state/weir/cloud');
  const env: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_STATE_HOME: join(home, 'state'),
    XDG_CACHE_HOME: cache,
    ...plane.plane.environment,
    WEIR_CLOUD_CLIENT_ID: admin.clientId,
    WEIR_CLOUD_CLIENT_SECRET: admin.clientSecret,
    SIM_PLUGIN_RECORD: record,
    SIM_PLUGIN_ENVIRONMENT: 'MY_OWN',
    MY_OWN: 'kept',
  };
  return {
    plane,
    home,
    env,
    cache,
    journalDirectory,
    run: (line, more = {}) =>
      run(line, {
        home,
        spawn: spawnIn({ ...env, ...more.env }),
        ...more,
        env: { ...env, ...more.env },
      }),
    pluginStarts: () => linesOf(record) as unknown as readonly PluginStart[],
    pluginFiles: () => filesBelow(join(cache, 'weir/byoc')),
    flows: () =>
      filesBelow(journalDirectory)
        .filter((name) => name.endsWith('.json'))
        .map((name) => JSON.parse(readFileSync(join(journalDirectory, name), 'utf8'))),
  };
}

/** Starts real children in the person's environment, not the test's, without showing their output. */
function spawnIn(env: Readonly<Record<string, string | undefined>>): Host['spawn'] {
  const host = realHost();
  const none = Object.fromEntries(Object.keys(process.env).map((name) => [name, undefined]));
  return (file, args, options) =>
    host.spawn(file, args, { ...options, stdio: 'capture', env: { ...none, ...env, ...options.env } });
}

function linesOf(file: string): readonly Record<string, unknown>[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}

function filesBelow(directory: string): readonly string[] {
  if (!existsSync(directory)) return [];
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .sort();
}
