import type { Fields } from '../../cloud/cloud-rows.ts';
import { readFileText } from '../../config/yaml/file-text.ts';
import { readYamlData } from '../../config/yaml/yaml-data.ts';
import type { Context } from '../../context.ts';
import { notFoundError, usageError } from '../../errors.ts';
import { absolutePath } from '../../files/locations.ts';
import { ReadRefusal, readStream } from '../../files/read.ts';

const largest = 1 << 20;

/**
 * Reads the body of a request from a YAML or JSON file, or from stdin (`-`), with or without the key that wraps it in
 * the API.
 * @throws CliError (exit 2 or 3) with the file, and the line if known
 */
export async function readBodyFile(context: Context, file: string, key: string): Promise<Fields> {
  const name = file === '-' ? 'standard input' : file;
  const text = file === '-' ? await readStdin(context) : readText(context, file);
  const value = await readYamlData(name, text);
  if (!isObject(value)) throw usageError(`unable to use ${name}: it contains no fields`, { target: '--file' });
  const inner = value[key];
  if (inner === undefined) return value;
  if (Object.keys(value).length > 1 || !isObject(inner)) {
    throw usageError(`unable to use ${name}: it contains other fields besides "${key}"`, { target: '--file' });
  }
  return inner;
}

function readText(context: Context, file: string): string {
  const path = absolutePath(context.host, file);
  const content = readFileText(path);
  if (content === undefined) throw notFoundError(`unable to read ${path}: it does not exist`, { target: '--file' });
  return content.text;
}

async function readStdin({ host, signal }: Context): Promise<string> {
  try {
    return (await readStream(host.stdin.stream, largest, signal)).toString('utf8');
  } catch (error) {
    if (!(error instanceof ReadRefusal)) throw error;
    throw usageError('unable to use standard input: it is larger than 1 MiB', { target: '--file' });
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
