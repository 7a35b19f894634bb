import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { toYaml } from '../../cli/output/render.ts';
import { readYaml } from '../../cluster-file/file/yaml.ts';
import { type SplitFile, schemaPathsIn } from '../../cluster-file/plan/split.ts';
import type { Context } from '../../context.ts';
import { CliError, exitCodes } from '../../errors.ts';
import { codeOf, writeFaultOf } from '../../files/fault.ts';
import { absolutePath } from '../../files/locations.ts';
import { replaceFile } from '../../files/replace.ts';

/** The first line of what an export has written: the next one may replace it. */
const mark = '# Written by weir export --split, which replaces this file.\n';

/**
 * Writes the files of an export, each whole or not at all, and removes those of an earlier export that it does not have.
 * @returns how many it has removed
 * @throws CliError (exit 6) before anything is written, if a file has a name that is needed and comes from somebody else
 */
export async function writeSplitFolder(context: Context, name: string, files: readonly SplitFile[]): Promise<number> {
  const folder = absolutePath(context.host, name);
  const old = await earlierFiles(folder);
  const texts = new Map<string, string>();
  for (const { path, content } of files)
    texts.set(path, typeof content === 'string' ? content : mark + (await toYaml(content)));
  const changed: [string, string][] = [];
  for (const [path, text] of texts) {
    const now = await readIfThere(join(folder, path));
    if (now === text) continue;
    if (now !== undefined && !old.has(path)) throw notOurs(join(name, path));
    changed.push([join(folder, path), text]);
  }
  // The schemas come first: no file names one that is missing.
  for (const [path, text] of changed) {
    await makeFolder(dirname(path));
    await replaceFile(path, text, undefined, 0o644);
  }
  const unused = [...old].filter((path) => !texts.has(path));
  for (const path of unused) await rm(join(folder, path), { force: true });
  return unused.length;
}

/** What an earlier export has written into the folder. */
async function earlierFiles(folder: string): Promise<ReadonlySet<string>> {
  const names = await readdir(folder).catch((error) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw unwritable(folder, error);
  });
  const files = new Set<string>();
  for (const name of names.filter((one) => one.endsWith('.yaml'))) {
    const text = await readIfThere(join(folder, name));
    if (text === undefined || !isMarked(text)) continue;
    files.add(name);
    if (name === 'schemas.yaml') for (const path of await schemasIn(name, text)) files.add(path);
  }
  return files;
}

/** Whether an export has written a text. Formatters begin a file with `---`, and git may end lines as Windows does. */
function isMarked(text: string): boolean {
  return text
    .replaceAll('\r', '')
    .replace(/^---\n/, '')
    .startsWith(mark);
}

async function schemasIn(name: string, text: string): Promise<readonly string[]> {
  try {
    return schemaPathsIn((await readYaml({ name, text })).value);
  } catch (error) {
    if (error instanceof CliError) return []; // somebody has broken it: its schemas are theirs now
    throw error;
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw unwritable(path, error);
  }
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
  } catch (error) {
    throw unwritable(path, error);
  }
}

function unwritable(path: string, cause: unknown): CliError {
  return new CliError(exitCodes.failure, `unable to write ${path}: ${writeFaultOf(cause, path)}`, {
    target: path,
    cause,
  });
}

function notOurs(path: string): CliError {
  return new CliError(exitCodes.conflict, `unable to write ${path}: no export has written the file that is there`, {
    target: path,
    code: 'FILE_EXISTS',
    hints: ['move the file away, or export into another folder'],
  });
}
