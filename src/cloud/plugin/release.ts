import { CliError, exitCodes, notFoundError } from '../../errors.ts';
import { isMissing } from '../api/api-error.ts';
import { fieldsOf, textOf } from '../api/fields.ts';
import type { Cloud } from '../cloud.ts';
import type { Fields } from '../rows.ts';
import { artifactName, type PluginTarget } from './target.ts';

/** A plugin that can be downloaded, and how it is known to be the right one. */
export interface PluginRelease {
  readonly version: string;
  readonly target: PluginTarget;
  /** Where the packed plugin lies; its query may be a signature, so it is never shown. */
  readonly location: string;
  /** The first 16 to 64 hex digits of the executable's sha256, lower case. */
  readonly sha256Prefix: string;
  /** The sha256 of the packed file, lower case; undefined where the install pack says none. */
  readonly packedSha256: string | undefined;
}

type Legacy = Pick<Cloud, 'legacyGet'>;

const packsPath = '/api/v1/clusters-resources/install-pack-versions';

/**
 * Finds the plugin that belongs to a cluster, by the version of its install pack.
 * @throws CliError (exit 3) when the cluster, its version, or a plugin for this system does not exist
 */
export async function pluginOfCluster(cloud: Legacy, clusterId: string, target: PluginTarget): Promise<PluginRelease> {
  const cluster = fieldsOf(
    await ask(
      cloud,
      `/api/v1/clusters/${encodeURIComponent(clusterId)}`,
      `unable to find the plugin of cluster ${clusterId}: there is no such cluster`,
      clusterId,
    ),
  );
  const version = textOf(fieldsOf(cluster.spec).installPackVersion);
  if (version === '') {
    throw notFoundError(`unable to find the plugin of cluster ${clusterId}: it has no install pack`, {
      target: clusterId,
      hints: ['only BYOC clusters have one: weir cloud cluster get shows the type'],
    });
  }
  const pack = await ask(
    cloud,
    `${packsPath}/${encodeURIComponent(version)}`,
    `unable to find the plugin of cluster ${clusterId}: there is no install pack ${version}`,
    version,
  );
  return releaseOf(fieldsOf(pack), target);
}

/**
 * Finds the plugin of the newest install pack, for what is not about one cluster.
 * @throws CliError (exit 3) when there is none for this system
 */
export async function newestPlugin(cloud: Legacy, target: PluginTarget): Promise<PluginRelease> {
  const answer = await cloud.legacyGet(packsPath);
  const packs = (Array.isArray(answer) ? answer : []).map(fieldsOf);
  const [newest] = packs.toSorted((a, b) => releasedAt(b) - releasedAt(a));
  if (newest === undefined) throw notFoundError('unable to find a plugin: there is no install pack');
  return releaseOf(newest, target);
}

async function ask(cloud: Legacy, path: string, missing: string, target: string): Promise<unknown> {
  try {
    return await cloud.legacyGet(path);
  } catch (error) {
    if (isMissing(error)) throw notFoundError(missing, { target, cause: error });
    throw error;
  }
}

function releaseOf(pack: Fields, target: PluginTarget): PluginRelease {
  const version = textOf(pack.version);
  checkVersion(version);
  const artifacts = (Array.isArray(pack.artifacts) ? pack.artifacts : []).map(fieldsOf);
  const name = artifactName(target);
  const artifact = artifacts.find((one) => textOf(one.name) === name);
  if (artifact === undefined) {
    const others = artifacts.map((one) => textOf(one.name)).filter((one) => one.startsWith('byoc-'));
    throw notFoundError(`install pack ${version} has no plugin ${name} for this system`, {
      code: 'PLUGIN_NOT_FOUND',
      target: name,
      hints: [others.length === 0 ? 'it has none for any system' : `it has ${others.toSorted().join(', ')}`],
    });
  }
  const location = textOf(artifact.location);
  const packed = textOf(artifact.checksumSha256).toLowerCase();
  return {
    version,
    target,
    location,
    sha256Prefix: prefixIn(location),
    packedSha256: /^[0-9a-f]{64}$/.test(packed) ? packed : undefined,
  };
}

/** A version names a directory: nothing that leads elsewhere may stand in it. */
function checkVersion(version: string): void {
  if (/^[A-Za-z0-9][\w.+-]{0,99}$/.test(version)) return;
  throw new CliError(exitCodes.failure, `the install pack has the version ${JSON.stringify(version)}, which is none`, {
    code: 'PLUGIN_UNVERIFIABLE',
  });
}

/** The vendor's agreement: the file's name ends with the beginning of the executable's sha256 and `.tar.gz`. */
function prefixIn(location: string): string {
  const found = URL.canParse(location)
    ? /\.(?<prefix>[0-9a-f]{16,64})\.tar\.gz$/i.exec(new URL(location).pathname)?.groups?.prefix
    : undefined;
  if (found !== undefined) return found.toLowerCase();
  throw new CliError(
    exitCodes.failure,
    `unable to verify the plugin: its name at ${showLocation(location)} does not hold a sha256`,
    { code: 'PLUGIN_UNVERIFIABLE', target: showLocation(location) },
  );
}

/** A location as it may be shown: without its query, which may be a signature. */
export function showLocation(location: string): string {
  return location.split(/[?#]/)[0] ?? '';
}

function releasedAt(pack: Fields): number {
  return Date.parse(textOf(pack.releasedAt)) || 0;
}
