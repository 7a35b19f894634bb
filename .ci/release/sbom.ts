import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { type Package, packagesInside, readPackage } from './contents.ts';

/** What a release is. */
export interface Product {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly homepage: string;
  readonly license: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

const bun = 'node_modules/bun';

/** Lists what a release contains as CycloneDX 1.6: what is in the bundle, and what runs it in the executables. */
export function sbom(product: Product, epoch: number): string {
  const packages = packagesInside();
  const inside = new Set(packages.map(({ name }) => name));
  const ref = (name: string) => packages.filter((one) => one.name === name).map(purl);
  const runtime = existsSync(bun) ? [readPackage(bun)] : [];
  const components = [
    ...packages.map((one) => describe(one, 'library')),
    ...runtime.map((one) => ({ ...describe(one, 'platform'), description: 'runs weir; in the executables only' })),
  ];
  const graph = [
    { ref: purl(product), dependsOn: [...Object.keys(product.dependencies).flatMap(ref), ...runtime.map(purl)] },
    ...packages.map((one) => ({
      ref: purl(one),
      dependsOn: one.needs.filter((name) => inside.has(name)).flatMap(ref),
    })),
    ...runtime.map((one) => ({ ref: purl(one), dependsOn: [] })),
  ];
  const content = {
    metadata: {
      timestamp: new Date(epoch * 1000).toISOString(),
      component: {
        type: 'application',
        'bom-ref': purl(product),
        name: product.name,
        version: product.version,
        description: product.description,
        licenses: licences(product.license),
        purl: purl(product),
      },
    },
    components,
    dependencies: graph,
  };
  const serialNumber = `urn:uuid:${uuidOf(JSON.stringify(content))}`;
  const format = { bomFormat: 'CycloneDX', specVersion: '1.6', serialNumber, version: 1 };
  return `${JSON.stringify({ ...format, ...content }, null, 2)}\n`;
}

function describe(one: Package, type: 'library' | 'platform') {
  const { group, name } = /^(?<group>@[^/]+)\/(?<name>.*)$/.exec(one.name)?.groups ?? { name: one.name };
  return {
    type,
    'bom-ref': purl(one),
    ...(group !== undefined && { group }),
    name,
    version: one.version,
    licenses: licences(one.license),
    purl: purl(one),
    hashes: [{ alg: 'SHA-512', content: integrityOf(one.directory) }],
  };
}

function licences(expression: string) {
  return /^[\w.+-]+$/.test(expression) ? [{ license: { id: expression } }] : [{ expression }];
}

function purl({ name, version }: { readonly name: string; readonly version: string }): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

/** The SHA-512 of the package as npm serves it, from the lock file. */
function integrityOf(directory: string): string {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  return Buffer.from(packages[directory].integrity.replace('sha512-', ''), 'base64').toString('hex');
}

/** A UUID (RFC 9562, version 8) that only depends on the text. */
function uuidOf(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
