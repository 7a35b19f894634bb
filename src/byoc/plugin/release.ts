import { isMissing } from '../../cloud/api/error-words.ts';
import type { PackCalls } from '../../cloud/calls.ts';
import type { Pack } from '../../cloud/cloud-rows.ts';
import { CliError, exitCodes, notFoundError } from '../../errors.ts';
import { commandText } from '../../format/shell-word.ts';
import { shownUrl } from '../../net/shown-url.ts';

/** The system that a plugin runs on. */
export interface PluginTarget {
  /** The operating system in install packs: `linux`, `darwin` or `windows`. */
  readonly os: string;
  /** `amd64` or `arm64`. */
  readonly arch: string;
}

const systems: Readonly<Record<string, string>> = { win32: 'windows' };
const processors: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' };

/** Converts Node's names of a platform and an architecture to those of install packs, which are Go's. */
export function pluginTarget(platform: string, arch: string): PluginTarget {
  return { os: systems[platform] ?? platform, arch: processors[arch] ?? arch };
}

/** The name of the artifact for a system, for example `byoc-linux-amd64`. */
export function artifactName({ os, arch }: PluginTarget): string {
  return `byoc-${os}-${arch}`;
}

/** A plugin that can be downloaded, with the hashes to verify it. */
export interface PluginRelease {
  readonly version: string;
  readonly target: PluginTarget;
  /** The URL of the packed plugin; its query may be a signature and is never shown. */
  readonly location: string;
  /** The first 32 to 64 hex digits of the executable's sha256, in lower case; 16 suffice beside `packedSha256`. */
  readonly sha256Prefix: string;
  /** The sha256 of the packed file, in lower case; undefined if the install pack has none. */
  readonly packedSha256: string | undefined;
}

/**
 * Finds the plugin of a cluster by the version of its install pack.
 * @throws CliError (exit 3) if the cluster, its version, or a plugin for this system does not exist
 */
export async function pluginOfCluster(
  cloud: PackCalls,
  clusterId: string,
  target: PluginTarget,
): Promise<PluginRelease> {
  const unfound = `unable to find the plugin of cluster ${clusterId}`;
  const { version } = await orNotFound(
    cloud.packOfCluster(clusterId),
    `${unfound}: there is no such cluster`,
    clusterId,
  );
  if (version === '') {
    throw notFoundError(`${unfound}: it has no install pack`, {
      target: clusterId,
      hints: [commandText`check that its type is byoc with: weir cloud cluster get ${clusterId}`],
    });
  }
  const missing = `${unfound}: there is no install pack ${version}`;
  return releaseOf(await orNotFound(cloud.getPack(version), missing, version), target);
}

/**
 * Finds the plugin of the newest install pack, for commands without a cluster.
 * @throws CliError (exit 3) if there is none for this system
 */
export async function newestPlugin(cloud: PackCalls, target: PluginTarget): Promise<PluginRelease> {
  const released = ({ releasedAt }: Pack) => Date.parse(releasedAt) || 0;
  const [newest] = (await cloud.listPacks()).toSorted((a, b) => released(b) - released(a));
  if (newest === undefined) throw notFoundError('unable to find a plugin: there is no install pack');
  return releaseOf(newest, target);
}

async function orNotFound<T>(call: Promise<T>, missing: string, target: string): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (isMissing(error)) throw notFoundError(missing, { target, cause: error });
    throw error;
  }
}

function releaseOf({ version, artifacts }: Pack, target: PluginTarget): PluginRelease {
  checkVersion(version);
  const name = artifactName(target);
  const artifact = artifacts.find((one) => one.name === name);
  if (artifact === undefined) {
    const others = artifacts.map((one) => one.name).filter((one) => one.startsWith('byoc-'));
    throw notFoundError(`install pack ${version} has no plugin ${name} for this system`, {
      code: 'PLUGIN_NOT_FOUND',
      target: name,
      hints: [
        others.length === 0
          ? 'tell the vendor: the install pack has no plugin for any system'
          : `use one of the systems that it has a plugin for: ${others.toSorted().join(', ')}`,
      ],
    });
  }
  const { location } = artifact;
  const checksum = artifact.checksumSha256.toLowerCase();
  const packedSha256 = /^[0-9a-f]{64}$/.test(checksum) ? checksum : undefined;
  // 64 bits alone are too few: who chooses both files can find two with the same ones.
  const sha256Prefix = prefixIn(location, packedSha256 === undefined ? 32 : 16);
  return { version, target, location, sha256Prefix, packedSha256 };
}

/** Rejects versions that are not safe as a directory name. */
function checkVersion(version: string): void {
  if (/^[A-Za-z0-9][\w.+-]{0,99}$/.test(version)) return;
  throw new CliError(exitCodes.failure, `the install pack has an invalid version ${JSON.stringify(version)}`, {
    code: 'PLUGIN_UNVERIFIABLE',
  });
}

/** Reads the sha256 prefix: by the vendor's convention, the file name ends with it and `.tar.gz`. */
function prefixIn(location: string, leastDigits: number): string {
  const digits = URL.canParse(location)
    ? /\.(?<prefix>[0-9a-f]{16,64})\.tar\.gz$/i.exec(new URL(location).pathname)?.groups?.prefix
    : undefined;
  if (digits !== undefined && digits.length >= leastDigits) return digits.toLowerCase();
  throw new CliError(
    exitCodes.failure,
    `unable to verify the plugin: the file name in ${shownUrl(location)} does not contain ${digits === undefined ? 'a sha256' : 'enough of a sha256'}`,
    { code: 'PLUGIN_UNVERIFIABLE', target: shownUrl(location) },
  );
}
