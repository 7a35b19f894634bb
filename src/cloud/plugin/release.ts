import { CliError, exitCodes, notFoundError } from '../../errors.ts';
import { commandText } from '../../format/shell-word.ts';
import { fieldsOf, textOf } from '../../net/json.ts';
import { pathOf } from '../../net/json-api/call.ts';
import { shownUrl } from '../../net/shown-url.ts';
import { isMissing } from '../api/api-error.ts';
import type { Cloud } from '../cloud.ts';
import type { Fields } from '../cloud-rows.ts';
import { artifactName, type PluginTarget } from './target.ts';

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

type Legacy = Pick<Cloud, 'legacyGet'>;

const packsPath = '/api/v1/clusters-resources/install-pack-versions';

/**
 * Finds the plugin of a cluster by the version of its install pack.
 * @throws CliError (exit 3) if the cluster, its version, or a plugin for this system does not exist
 */
export async function pluginOfCluster(cloud: Legacy, clusterId: string, target: PluginTarget): Promise<PluginRelease> {
  const cluster = fieldsOf(
    await ask(
      cloud,
      pathOf`/api/v1/clusters/${clusterId}`,
      `unable to find the plugin of cluster ${clusterId}: there is no such cluster`,
      clusterId,
    ),
  );
  const version = textOf(fieldsOf(cluster.spec).installPackVersion);
  if (version === '') {
    throw notFoundError(`unable to find the plugin of cluster ${clusterId}: it has no install pack`, {
      target: clusterId,
      hints: [commandText`check that its type is byoc with: weir cloud cluster get ${clusterId}`],
    });
  }
  const pack = await ask(
    cloud,
    `${packsPath}${pathOf`/${version}`}`,
    `unable to find the plugin of cluster ${clusterId}: there is no install pack ${version}`,
    version,
  );
  return releaseOf(fieldsOf(pack), target);
}

/**
 * Finds the plugin of the newest install pack, for commands without a cluster.
 * @throws CliError (exit 3) if there is none for this system
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
      hints: [
        others.length === 0
          ? 'tell the vendor: the install pack has no plugin for any system'
          : `use one of the systems that it has a plugin for: ${others.toSorted().join(', ')}`,
      ],
    });
  }
  const location = textOf(artifact.location);
  const given = textOf(artifact.checksumSha256).toLowerCase();
  const packedSha256 = /^[0-9a-f]{64}$/.test(given) ? given : undefined;
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
  const found = URL.canParse(location)
    ? /\.(?<prefix>[0-9a-f]{16,64})\.tar\.gz$/i.exec(new URL(location).pathname)?.groups?.prefix
    : undefined;
  if (found !== undefined && found.length >= leastDigits) return found.toLowerCase();
  throw new CliError(
    exitCodes.failure,
    `unable to verify the plugin: the file name in ${shownUrl(location)} does not contain ${found === undefined ? 'a sha256' : 'enough of a sha256'}`,
    { code: 'PLUGIN_UNVERIFIABLE', target: shownUrl(location) },
  );
}

function releasedAt(pack: Fields): number {
  return Date.parse(textOf(pack.releasedAt)) || 0;
}
