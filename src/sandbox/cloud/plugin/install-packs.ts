import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { pluginText } from './plugin-text.ts';
import { tarOf } from './tar.ts';

/** A version of the plugin that clusters may be pinned to. */
export interface InstallPack {
  readonly version: string;
  readonly redpandaVersion: string;
  /** RFC 3339. */
  readonly releasedAt: string;
}

/** One packed executable. */
export interface Artifact {
  /** `byoc-linux-amd64`. */
  readonly name: string;
  /** The .tar.gz. */
  readonly bytes: Uint8Array;
  /** Of the executable inside, lower-case hex. */
  readonly executableSha256: string;
  /** Of the .tar.gz. */
  readonly packedSha256: string;
}

/** The install packs and their artifacts. */
export interface InstallPacks {
  /** In no useful order: the newest is neither first nor last. */
  readonly packs: readonly InstallPack[];
  /** What new clusters are pinned to; not the newest. */
  readonly pinned: InstallPack;
  find(version: string): InstallPack | undefined;
  artifacts(version: string): readonly Artifact[];
}

const oldest: InstallPack = {
  version: '25.1.20250310',
  redpandaVersion: '25.1',
  releasedAt: '2025-03-10T10:00:00Z',
};
const newest: InstallPack = {
  version: '25.3.20251105',
  redpandaVersion: '25.3',
  releasedAt: '2025-11-05T10:00:00Z',
};
const pinned: InstallPack = {
  version: '25.2.20250822',
  redpandaVersion: '25.2',
  releasedAt: '2025-08-22T10:00:00Z',
};
const targets = ['linux-amd64', 'linux-arm64', 'darwin-amd64', 'darwin-arm64'];

/** Opens the install packs; artifacts are packed when first asked for, the same bytes every time. */
export function openInstallPacks(interpreter: string): InstallPacks {
  const packs = [oldest, newest, pinned];
  const packed = new Map<string, readonly Artifact[]>();
  return {
    packs,
    pinned,
    find: (version) => packs.find((pack) => pack.version === version),
    artifacts(version) {
      const known = packed.get(version) ?? targets.map((target) => pack(version, target, interpreter));
      packed.set(version, known);
      return known;
    },
  };
}

function pack(version: string, target: string, interpreter: string): Artifact {
  const [os = '', arch = ''] = target.split('-');
  const content = Buffer.from(pluginText({ version, os, arch, interpreter }));
  const name = `byoc-${target}`;
  const bytes = gzipSync(tarOf({ name, mode: 0o755, content }));
  return { name, bytes, executableSha256: sha256(content), packedSha256: sha256(bytes) };
}

/** Lower-case hex. */
function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
