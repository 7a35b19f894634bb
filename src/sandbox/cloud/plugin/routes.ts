import { notFound } from '../http/api-error.ts';
import { type ArtifactChange, type Call, ok, param, type Reply, type Route } from '../http/call.ts';
import type { World } from '../world.ts';
import type { Artifact, InstallPack } from './install-packs.ts';

const path = '/api/v1/clusters-resources/install-pack-versions';

/** The routes of the install packs, which require a token, and of their artifacts, which are public. */
export const pluginRoutes: readonly Route[] = [
  { name: 'install-packs.list', method: 'GET', path, access: 'token', handle: list },
  { name: 'install-packs.get', method: 'GET', path: `${path}/{version}`, access: 'token', handle: get },
  { name: 'artifacts.get', method: 'GET', path: '/artifacts/{version}/{file}', access: 'open', handle: download },
];

function list(world: World, call: Call): Reply {
  return ok(world.packs.packs.map((pack) => show(world, pack, call.artifactChange)));
}

function get(world: World, call: Call): Reply {
  const pack = world.packs.find(param(call, 'version'));
  if (pack === undefined) throw notFound('install pack version', param(call, 'version'));
  return ok(show(world, pack, call.artifactChange));
}

function show(world: World, pack: InstallPack, change: ArtifactChange | undefined): unknown {
  const { version, redpandaVersion, releasedAt } = pack;
  const artifacts = change === 'missing' ? [] : world.packs.artifacts(version);
  return {
    id: version,
    version,
    certified: true,
    redpandaVersion,
    releasedAt,
    artifacts: [
      { name: 'manifest', version, location: `${world.url}/artifacts/${version}/manifest.yaml`, checksumSha256: '' },
      ...artifacts.map((artifact) => ({
        name: artifact.name,
        version,
        location: locationOf(world, version, artifact, change),
        checksumSha256: change === 'checksum-altered' ? alterDigit(artifact.packedSha256) : artifact.packedSha256,
      })),
    ],
  };
}

function locationOf(world: World, version: string, artifact: Artifact, change: ArtifactChange | undefined): string {
  const half = artifact.executableSha256.slice(0, 32);
  const word = change === 'sha-altered' ? alterDigit(half) : half;
  const file = change === 'name-without-sha' ? `${artifact.name}.tar.gz` : `${artifact.name}.${word}.tar.gz`;
  const query = world.state.settings.signedLocations ? '?X-Expires=900&X-Signature=0a1b2c3d' : '';
  return `${world.url}/artifacts/${version}/${file}${query}`;
}

function alterDigit(hex: string): string {
  return (hex.startsWith('0') ? '1' : '0') + hex.slice(1);
}

function download(world: World, call: Call): Reply {
  const [name] = param(call, 'file').split('.');
  const pack = world.packs.find(param(call, 'version'));
  const artifact = pack && world.packs.artifacts(pack.version).find((one) => one.name === name);
  if (artifact === undefined) throw notFound('artifact', param(call, 'file'));
  return { status: 200, bytes: artifact.bytes, headers: { 'content-type': 'application/gzip' } };
}
