import { dirname, join } from 'node:path';
import type { PackCalls } from '../../cloud/calls.ts';
import { checkPlace, checkTrusted, type ExecutedFiles } from '../../files/trust.ts';
import { type Downloads, downloadPlugin } from './download.ts';
import { newestPlugin, type PluginRelease, pluginOfCluster, pluginTarget } from './release.ts';
import { foreignPlugin, inspectPlugin, pluginPath, runsDirectory, storePlugin } from './store.ts';

/** The machine that the plugin will run on. */
export interface PluginMachine {
  /** The platform and the architecture, in Node's spelling. */
  readonly platform: string;
  readonly arch: string;
  /** The directory of stored plugins, by version. */
  readonly directory: string;
  /** The user whose files are trusted; undefined on a system without user ids. */
  readonly uid: number | undefined;
}

/** The requested plugin: the one of a cluster, or the newest. */
export type WantedPlugin = { readonly clusterId: string } | 'newest';

/** A plugin that can be started. */
export interface Plugin {
  readonly path: string;
  readonly version: string;
  /** Whether it was downloaded now; false if it was stored already. */
  readonly downloaded: boolean;
}

/** Reports the progress of a download, in bytes. */
export type DownloadProgress = (state: { readonly done: number; readonly total?: number }) => void;

/** The limit for the whole download, in milliseconds. */
const downloadLimitMs = 300_000;

/** Finds the requested plugin without downloading it. */
export async function findPlugin(
  cloud: PackCalls,
  wanted: WantedPlugin,
  { platform, arch }: PluginMachine,
): Promise<PluginRelease> {
  const target = pluginTarget(platform, arch);
  return wanted === 'newest' ? newestPlugin(cloud, target) : pluginOfCluster(cloud, wanted.clusterId, target);
}

/**
 * Downloads and verifies a plugin unless it is stored already, and returns its path.
 * @throws CliError if the download fails; (exit 6) if another file or another user's directory is in its place
 */
export async function installPlugin(
  cloud: Downloads,
  release: PluginRelease,
  { directory, uid }: PluginMachine,
  onProgress: DownloadProgress = () => undefined,
): Promise<Plugin> {
  const path = pluginPath(directory, release);
  const { version } = release;
  const files = pluginFiles(uid);
  await checkPlace(dirname(directory), files);
  // The copies are in a directory that another user may have made while the store was open to everyone.
  const runs = join(directory, runsDirectory);
  await checkTrusted([dirname(directory), directory, runs, dirname(path), path], files);
  // Any of them may be a link to another place.
  for (const one of [join(runs, 'copy'), path]) await checkPlace(one, files);
  const occupant = await inspectPlugin(path);
  if (occupant === 'foreign') throw foreignPlugin(path);
  if (occupant === 'plugin') return { path, version, downloaded: false };
  await storePlugin(path, (file) => downloadPlugin(cloud, release, file, { limitMs: downloadLimitMs, onProgress }));
  return { path, version, downloaded: true };
}

/** The stored plugins, which only this user may have written. */
export function pluginFiles(uid: number | undefined): ExecutedFiles {
  return { uid, what: 'the plugin', code: 'PLUGIN_STORE', again: 'weir downloads the plugin again' };
}
