import { createHash } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The file of the classes that Java has loaded and verified once, so that the next start need not (application class
 * data sharing). It is only valid for the Java that wrote it: another build of Java has another file name, and Java
 * itself ignores an archive that does not fit.
 */
export async function classArchive(java: string, libraries: string): Promise<string> {
  const file = await realpath(java).catch(() => java);
  const { mtimeMs, size } = await stat(file).catch(() => ({ mtimeMs: 0, size: 0 }));
  const build = createHash('sha256').update(`${file}\0${mtimeMs}\0${size}`).digest('hex').slice(0, 12);
  return join(libraries, `classes-${build}.jsa`);
}
