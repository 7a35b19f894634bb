import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { toYaml } from '../../cli/output/render.ts';
import { readYaml } from '../../cluster-file/file/yaml.ts';
import { entriesIn, type SplitFile, withPasswordsOf } from '../../cluster-file/plan/split.ts';
import type { Context } from '../../context.ts';
import { CliError, exitCodes } from '../../errors.ts';
import { codeOf, faultOf, writeFaultOf } from '../../files/fault.ts';
import { absolutePath } from '../../files/locations.ts';
import { replaceFile } from '../../files/replace.ts';
import { exactJson } from '../../format/exact-json.ts';

/** The file that says what weir has written into a folder: the lines of sha256sum, of the content of each file. */
const recordName = '.weir-split';
const recordTitle = '# What weir wrote here last. It replaces and removes a file only while it is like that.\n';

/** What became of a folder. */
interface SplitOutcome {
  readonly removed: number;
  /** The files that it has left as they are, because somebody else wrote or edited them. */
  readonly left: readonly string[];
  /** The files that it has not written, each with the one that has entries of it, because somebody renamed it. */
  readonly moved: ReadonlyMap<string, string>;
}

/**
 * Writes the files of a document, each whole or not at all, and removes those that it wrote earlier and does not write now.
 * Files that are not as weir wrote them stay as they are, and so do the references to passwords.
 */
export async function writeSplitFolder(
  context: Context,
  name: string,
  files: readonly SplitFile[],
): Promise<SplitOutcome> {
  const path = absolutePath(context.host, name);
  const paths = new Set(files.map((file) => file.path));
  const places = await placesOfEntries(path, paths);
  const folder: Folder = { path, record: await readRecord(path), places, left: new Set(), moved: new Map() };
  await makeFolder(path);
  try {
    // The schemas come first: no file names one that is missing.
    for (const file of files) await writeFile(folder, file);
    const removed = await removeOthers(folder, paths);
    return { removed, left: [...folder.left].sort(), moved: folder.moved };
  } finally {
    // Also after a failure, or what was written until then would look like somebody else's.
    const lines = [...folder.record].sort().map(([file, print]) => `${print}  ${file}\n`);
    await write(join(path, recordName), recordTitle + lines.join(''));
  }
}

/** A folder while it is written. */
interface Folder {
  readonly path: string;
  /** The hash of what weir wrote last, by path. */
  readonly record: Map<string, string>;
  /** The files of others by the entries that they have. */
  readonly places: ReadonlyMap<string, string>;
  readonly left: Set<string>;
  readonly moved: Map<string, string>;
}

/** The entries that files have which are not to be written, and which of the files has each. */
async function placesOfEntries(folder: string, written: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> {
  const names = await readdir(folder, { recursive: true, encoding: 'utf8' }).catch(() => []);
  const places = new Map<string, string>();
  for (const name of names.filter((one) => /\.ya?ml$/i.test(one) && !written.has(one)).sort())
    for (const entry of entriesIn(await valueIn(name, (await readIfThere(join(folder, name))) ?? '')))
      places.set(entry, name);
  return places;
}

async function writeFile(
  { path: folder, record, places, left, moved }: Folder,
  { path, content }: SplitFile,
): Promise<void> {
  const text = await textOf(folder, path, content);
  const print = await printOf(path, text);
  const printNow = await printIfThere(folder, path);
  const elsewhere = entriesIn(content).find((entry) => places.has(entry));
  const place = printNow === undefined && elsewhere !== undefined ? places.get(elsewhere) : undefined;
  if (place !== undefined) {
    moved.set(path, place);
    return;
  }
  if (printNow !== undefined && printNow !== print && printNow !== record.get(path)) {
    left.add(path);
    return;
  }
  if (printNow !== print) await write(join(folder, path), text);
  record.set(path, print);
}

/** Removes what was written earlier and is not among the files now; returns how many those were. */
async function removeOthers({ path: folder, record, left }: Folder, files: ReadonlySet<string>): Promise<number> {
  let removed = 0;
  for (const [path, print] of record) {
    if (files.has(path)) continue;
    const printNow = await printIfThere(folder, path);
    if (printNow !== undefined && printNow !== print) {
      left.add(path);
      continue;
    }
    if (printNow !== undefined) removed += 1;
    await rm(join(folder, path), { force: true });
    record.delete(path);
  }
  return removed;
}

async function printIfThere(folder: string, path: string): Promise<string | undefined> {
  const text = await readIfThere(join(folder, path));
  return text === undefined ? undefined : await printOf(path, text);
}

/** What weir wrote last, by path. A line that somebody has changed counts as none. */
async function readRecord(folder: string): Promise<Map<string, string>> {
  const text = (await readIfThere(join(folder, recordName))) ?? '';
  const lines = text.matchAll(/^([0-9a-f]{64}) {2}((?:schemas\/)?[\w-][\w.-]*)\r?$/gm);
  return new Map([...lines].map(([, print = '', path = '']) => [path, print] as const));
}

async function textOf(folder: string, path: string, content: SplitFile['content']): Promise<string> {
  if (typeof content === 'string') return content;
  const earlier = content.users === undefined ? undefined : await readIfThere(join(folder, path));
  return await toYaml(earlier === undefined ? content : withPasswordsOf(content, await valueIn(path, earlier)));
}

/**
 * The hash of what a file says. Its layout does not count, because formatters and git change it, and neither do the
 * references to passwords, which people fill in.
 */
async function printOf(path: string, text: string): Promise<string> {
  const value = /\.(?:yaml|avsc|json)$/.test(path) ? await valueIn(path, text) : undefined;
  const said =
    value === undefined
      ? text.replaceAll('\r', '').trimEnd()
      : // weir writes no comments, so that one is an edit.
        exactJson([/(?:^|\s)#/.test(text), withPasswordsOf(value, undefined)]);
  return createHash('sha256').update(said).digest('hex');
}

async function valueIn(path: string, text: string): Promise<unknown> {
  try {
    return (await readYaml({ name: path, text })).value;
  } catch (error) {
    if (error instanceof CliError) return undefined;
    throw error;
  }
}

async function write(path: string, text: string): Promise<void> {
  await makeFolder(dirname(path));
  await replaceFile(path, text, undefined, 0o644);
}

/** Makes a folder and those that contain it. The recursive `mkdir` of Node hangs where none can be made, as in /proc. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path).catch(async (error: unknown) => {
      if (codeOf(error) === 'EEXIST') return;
      if (codeOf(error) !== 'ENOENT' || dirname(path) === path) throw error;
      await makeFolder(dirname(path));
      await mkdir(path);
    });
  } catch (error) {
    if (error instanceof CliError) throw error;
    const why = codeOf(error) === 'ENOENT' ? 'the file system refuses it' : faultOf(error);
    throw new CliError(exitCodes.failure, `unable to make the folder ${path}: ${why}`, { target: path, cause: error });
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

function unwritable(path: string, cause: unknown): CliError {
  return new CliError(exitCodes.failure, `unable to write ${path}: ${writeFaultOf(cause, path)}`, {
    target: path,
    cause,
  });
}
