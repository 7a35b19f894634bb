import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The name of the file with the checksums of all others, which `sha256sum --check` reads. */
export const sumsName = 'SHA256SUMS';

/** The SHA-256 of a file in hexadecimal. */
export function sumOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

/** The files of a release in order, without the checksums. */
export function filesOf(out: string): readonly string[] {
  return readdirSync(out)
    .filter((name) => name !== sumsName)
    .sort();
}

/** Writes the checksums of all files in the folder. */
export function writeSums(out: string): void {
  writeFileSync(
    join(out, sumsName),
    filesOf(out)
      .map((name) => `${sumOf(join(out, name))}  ${name}\n`)
      .join(''),
  );
}
