import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { pluginText } from './plugin-text.ts';

/** A version of the plugin that clusters can be pinned to. */
export interface InstallPack {
  readonly version: string;
  readonly redpandaVersion: string;
  /** RFC 3339. */
  readonly releasedAt: string;
}

/** One packed executable. */
interface Artifact {
  /** For example `byoc-linux-amd64`. */
  readonly name: string;
  /** The content of the .tar.gz file. */
  readonly bytes: Uint8Array;
  /** The SHA-256 of the executable inside, in lowercase hex. */
  readonly executableSha256: string;
  /** The SHA-256 of the .tar.gz file, in lowercase hex. */
  readonly packedSha256: string;
}

/** The install packs and their artifacts. */
export interface InstallPacks {
  /** All packs, deliberately unordered: the newest is neither first nor last. */
  readonly packs: readonly InstallPack[];
  /** The pack that new clusters are pinned to, which is not the newest. */
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

/** Creates the install packs. Artifacts are packed on first use, always with the same bytes. */
export function createInstallPacks(interpreter: string): InstallPacks {
  const packs = [oldest, newest, pinned];
  const packed = new Map<string, readonly Artifact[]>();
  return {
    packs,
    pinned,
    find: (version) => packs.find((pack) => pack.version === version),
    artifacts(version) {
      const archives = packed.get(version) ?? targets.map((target) => pack(version, target, interpreter));
      packed.set(version, archives);
      return archives;
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

/** Hashes bytes with SHA-256, in lowercase hex. */
function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

const block = 512;

/** A file to pack. */
interface PackedFile {
  readonly name: string;
  /** Permission bits, for example 0o755. */
  readonly mode: number;
  readonly content: Uint8Array;
}

/** Packs one file as a tar archive (POSIX ustar), always with the same bytes. */
export function tarOf({ name, mode, content }: PackedFile): Buffer {
  const header = Buffer.alloc(block);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`;
  header.write(name, 0, 100, 'latin1');
  header.write(octal(mode, 7), 100, 'latin1');
  header.write(octal(0, 7) + octal(0, 7), 108, 'latin1');
  header.write(octal(content.length, 11) + octal(0, 11), 124, 'latin1');
  header.write('        0', 148, 'latin1'); // the checksum field counts as spaces; type 0 is a regular file
  header.write('ustar\x0000', 257, 'latin1');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  const padding = Buffer.alloc((block - (content.length % block)) % block);
  return Buffer.concat([header, content, padding, Buffer.alloc(2 * block)]);
}
