import { readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { SourceText } from '../../cluster-file/file/yaml.ts';
import type { Context } from '../../context.ts';
import { CliError, usageError } from '../../errors.ts';
import { unreadable } from '../../files/fault.ts';
import { absolutePath } from '../../files/locations.ts';
import { nameOfFile, readTextFile } from '../text-file.ts';

/** Reads files, the YAML files of folders, and standard input (`-`). @throws CliError (exit 2) for one that is not there */
export async function readSources(context: Context, names: readonly string[]): Promise<readonly SourceText[]> {
  const files = [...new Set(names)].flatMap((name) => (name === '-' ? [name] : filesOf(context, name)));
  const sources: SourceText[] = [];
  for (const file of files) {
    const text = await readTextFile(context, file);
    sources.push({ name: nameOfFile(file), text, read: (path) => readNamed(context, file, path) });
  }
  return sources;
}

/** Reads a file that another one names, seen from its folder. */
async function readNamed(context: Context, from: string, path: string) {
  try {
    return await readTextFile(context, resolve(dirname(absolutePath(context.host, from)), path));
  } catch (error) {
    if (error instanceof CliError) return { fault: error.message };
    throw error;
  }
}

/** A file itself, or the YAML files of a folder and of those in it, sorted. */
function filesOf(context: Context, name: string): readonly string[] {
  const path = absolutePath(context.host, name);
  try {
    if (!statSync(path).isDirectory()) return [name];
    const inside = readdirSync(path, { recursive: true, encoding: 'utf8' });
    const files = inside.filter((one) => /\.ya?ml$/i.test(one)).sort();
    if (files.length === 0) throw usageError(`there is no YAML file in ${name}`, { target: name });
    return files.map((file) => join(name, file));
  } catch (cause) {
    if (cause instanceof Error && 'exitCode' in cause) throw cause;
    throw unreadable(name, cause, { target: name });
  }
}
