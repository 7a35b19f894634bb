import { dirname } from 'node:path';
import type { Cloud } from '../cloud.ts';
import { downloadPlugin } from './download.ts';
import { newestPlugin, type PluginRelease, pluginOfCluster } from './release.ts';
import { foreignPlugin, inspectPlugin, pluginPath, storePlugin } from './store.ts';
import { pluginTarget } from './target.ts';
import { checkTrusted } from './trust.ts';

/** The machine that the plugin is to run on. */
export interface PluginMachine {
  /** Node's names. */
  readonly platform: string;
  readonly arch: string;
  /** Where plugins are kept, by version. */
  readonly directory: string;
  /** Whose files are trusted; undefined on a system without user ids. */
  readonly uid: number | undefined;
}

/** Which plugin is wanted: that of a cluster, or the newest. */
export type WantedPlugin = { readonly clusterId: string } | 'newest';

/** A plugin that can be started. */
export interface Plugin {
  readonly path: string;
  readonly version: string;
  /** False when it was there already. */
  readonly downloaded: boolean;
}

/** How a download is told; in bytes. */
export type DownloadProgress = (state: { readonly done: number; readonly total?: number }) => void;

/** The whole download may take this long, in milliseconds. */
const downloadLimitMs = 300_000;

type PluginCloud = Pick<Cloud, 'legacyGet' | 'download'>;

/** Finds out which plugin is wanted, without downloading it. */
export async function findPlugin(
  cloud: PluginCloud,
  wanted: WantedPlugin,
  { platform, arch }: PluginMachine,
): Promise<PluginRelease> {
  const target = pluginTarget(platform, arch);
  return wanted === 'newest' ? newestPlugin(cloud, target) : pluginOfCluster(cloud, wanted.clusterId, target);
}

/**
 * Makes sure that a plugin is on this machine, verified, and says where.
 * @throws CliError when it cannot be had, or (exit 6) when another file, or another user's directory, is in its place
 */
export async function installPlugin(
  cloud: PluginCloud,
  release: PluginRelease,
  { directory, uid }: PluginMachine,
  onProgress: DownloadProgress = () => undefined,
): Promise<Plugin> {
  const path = pluginPath(directory, release);
  const { version } = release;
  await checkTrusted([dirname(directory), directory, dirname(path), path], uid);
  const occupant = await inspectPlugin(path);
  if (occupant === 'foreign') throw foreignPlugin(path);
  if (occupant === 'plugin') return { path, version, downloaded: false };
  await storePlugin(path, (file) => downloadPlugin(cloud, release, file, { limitMs: downloadLimitMs, onProgress }));
  return { path, version, downloaded: true };
}
