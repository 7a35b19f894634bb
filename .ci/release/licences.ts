import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { licenceFiles, type Package } from './contents.ts';

/** Where the texts are that a package does not hold in files of their own. */
const elsewhere: Readonly<Record<string, (one: Package) => readonly string[]>> = {
  // The Apache License, and the head of the files that came from Google.
  '@bufbuild/protobuf': ({ directory }) => [
    readFileSync('LICENSE', 'utf8'),
    headOf(join(directory, 'dist/esm/wire/varint.js')),
  ],
};

const bun = 'bun-licences.md';

/** The licences of what is in the bundle; those of the executables also tell about Bun, which runs them. */
export function thirdPartyLicences(packages: readonly Package[], isExecutable: boolean): string {
  const parts = packages.map((one) => [`${one.name} ${one.version} (${one.license})`, ...textsOf(one)].join('\n\n'));
  if (isExecutable) parts.push(readFileSync(new URL(bun, import.meta.url), 'utf8').trim());
  const line = '-'.repeat(80);
  return `weir contains the following work of others.\n\n${parts.map((part) => `${line}\n${part}\n`).join('\n')}`;
}

function textsOf(one: Package): readonly string[] {
  const files = licenceFiles(one).map((file) => readFileSync(file, 'utf8'));
  const texts = files.length > 0 ? files : (elsewhere[one.name]?.(one) ?? []);
  if (texts.length === 0) throw new Error(`${one.directory} has no file with its licence: name one in licences.ts`);
  return texts.map((text) => text.replaceAll('\r\n', '\n').trim());
}

/** The comment at the beginning of a file. */
function headOf(path: string): string {
  const lines = readFileSync(path, 'utf8').split('\n');
  const end = lines.findIndex((line) => !line.startsWith('//'));
  return lines
    .slice(0, end)
    .map((line) => line.replace(/^\/\/ ?/, ''))
    .join('\n');
}
