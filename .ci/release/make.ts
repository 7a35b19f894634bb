import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { execPath } from 'node:process';
import { parseArgs } from 'node:util';
import { layOutArchive, pack } from './archive.ts';
import { makeLinuxPackage } from './linux-package.ts';
import { makeManifests } from './manifests.ts';
import { makeNpmPackage } from './npm-package.ts';
import { run } from './run.ts';
import { type Product, sbom } from './sbom.ts';
import { writeSums } from './sums.ts';
import { archiveName, programName, type Target, targets } from './targets.ts';

/** What is released: package.json of the checkout in the working directory. */
export function readProduct(): Product {
  return JSON.parse(readFileSync('package.json', 'utf8'));
}

/** What to make. */
interface Request {
  readonly out: string;
  /** The time that everything has, in seconds. */
  readonly epoch: number;
  /** Where the archives can be downloaded later. */
  readonly url: string;
  /** `npm` and names of targets. */
  readonly parts: readonly string[];
}

/** Makes the files of a release in an empty folder, from the checkout in the working directory. */
function makeRelease({ out, epoch, url, parts }: Request): void {
  const product = readProduct();
  const stage = mkdtempSync(join(tmpdir(), 'weir-release-'));
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  try {
    run(execPath, ['.ci/build.ts']);
    if (parts.includes('npm')) makeNpmPackage(join(stage, 'npm'), out);
    const wanted = targets.filter(({ name }) => parts.includes(name));
    for (const target of wanted) makeTarget(target, { product, epoch, out, stage });
    writeFileSync(join(out, `weir-${product.version}.cdx.json`), sbom(product, epoch));
    if (wanted.length === targets.length) makeManifests(product, url, out);
    writeSums(out);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** Where a target is made. */
interface Place {
  readonly product: Product;
  readonly epoch: number;
  readonly out: string;
  /** A directory for what is packed. */
  readonly stage: string;
}

/** Makes the archive of a target, and the packages for Linux. */
function makeTarget(target: Target, { product, epoch, out, stage }: Place): void {
  const { version } = product;
  const executable = join(stage, `${target.name}-${programName(target)}`);
  run(execPath, ['.ci/executable.ts', '--target', target.name, '--out', executable]);
  const archive = archiveName(target, version);
  const files = join(stage, archive.replace(/\.(tar\.gz|zip)$/, ''));
  layOutArchive(target, executable, files);
  pack(files, join(out, archive), epoch);
  if (target.packages !== undefined) {
    for (const kind of ['deb', 'rpm'] as const) {
      makeLinuxPackage(kind, target, { version, files, epoch }, out);
    }
  }
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    options: { out: { type: 'string' }, epoch: { type: 'string' }, url: { type: 'string' } },
    allowPositionals: true,
  });
  const { out = '', epoch = '', url = '' } = values;
  makeRelease({ out: resolve(out), epoch: Number(epoch), url, parts: positionals });
}
