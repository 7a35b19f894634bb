import { param, type Reply } from '../../http/reply.ts';
import { notFound } from '../http/api-error.ts';
import { type CloudRequest, ok, type Route } from '../http/request.ts';
import type { InstallPack } from '../install-packs.ts';
import type { World } from '../world.ts';

const path = '/api/v1/clusters-resources/install-pack-versions';

/** The routes of the install packs, which require a token, and of their artifacts, which are public. */
export const pluginRoutes: readonly Route[] = [
  { name: 'install-packs.list', method: 'GET', path, access: 'token', handle: list },
  { name: 'install-packs.get', method: 'GET', path: `${path}/{version}`, access: 'token', handle: get },
  { name: 'artifacts.get', method: 'GET', path: '/artifacts/{version}/{file}', access: 'open', handle: download },
];

function list(world: World): Reply {
  return ok(world.packs.packs.map((pack) => show(world, pack)));
}

function get(world: World, request: CloudRequest): Reply {
  const pack = world.packs.find(param(request, 'version'));
  if (pack === undefined) throw notFound('install pack version', param(request, 'version'));
  return ok(show(world, pack));
}

function show(world: World, pack: InstallPack): unknown {
  const { version, redpandaVersion, releasedAt } = pack;
  return {
    id: version,
    version,
    certified: true,
    redpandaVersion,
    releasedAt,
    artifacts: [
      { name: 'manifest', version, location: `${world.url}/artifacts/${version}/manifest.yaml`, checksumSha256: '' },
      ...world.packs.artifacts(version).map((artifact) => ({
        name: artifact.name,
        version,
        location: `${world.url}/artifacts/${version}/${artifact.name}.${artifact.executableSha256.slice(0, 32)}.tar.gz`,
        checksumSha256: artifact.packedSha256,
      })),
    ],
  };
}

function download(world: World, request: CloudRequest): Reply {
  const [name] = param(request, 'file').split('.');
  const pack = world.packs.find(param(request, 'version'));
  const artifact = pack && world.packs.artifacts(pack.version).find((one) => one.name === name);
  if (artifact === undefined) throw notFound('artifact', param(request, 'file'));
  return { status: 200, bytes: artifact.bytes, headers: { 'content-type': 'application/gzip' } };
}
