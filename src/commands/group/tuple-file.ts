import type { Context } from '../../context.ts';
import { CliError, exitCodes, usageError } from '../../errors.ts';

/** The largest file that is read, in bytes: some hundred thousand lines. */
const maxBytes = 16 * 1024 * 1024;

/**
 * Reads a file of rows: one row a line with fields separated by spaces or tabs, or, in files with the ending .json,
 * .yaml or .yml, a list of objects with the fields as keys. Empty lines and lines that begin with # or // are skipped.
 * `-` is standard input.
 * @param fields the names of the fields, in order
 * @throws CliError (exit 2) when a row has other fields; exit 1 when the file cannot be read
 */
export async function readTuples(
  { host, signal }: Pick<Context, 'host' | 'signal'>,
  path: string,
  fields: readonly string[],
): Promise<readonly (readonly string[])[]> {
  const { readSmallFile, readStream } = await import('../../files/read.ts');
  const { resolve } = await import('node:path');
  let content: string;
  try {
    const bytes =
      path === '-'
        ? await readStream(host.stdin.stream, maxBytes, signal)
        : await readSmallFile(resolve(host.cwd, path), maxBytes, signal);
    content = bytes.toString('utf8');
  } catch (cause) {
    signal.throwIfAborted();
    const { faultOf } = await import('../../files/fault.ts');
    throw new CliError(exitCodes.failure, `unable to read ${path}: ${faultOf(cause)}`, { target: path, cause });
  }
  const ending = /\.(json|ya?ml)$/i.exec(path)?.[1]?.toLowerCase();
  const rows = ending === undefined ? readLines(path, content, fields) : await readData(path, content, fields);
  if (rows.length === 0) throw usageError(`${path} contains no rows`, { target: path, hints: [formHint(fields)] });
  return rows;
}

function formHint(fields: readonly string[]): string {
  return `write one row a line: ${fields.join(' ')}`;
}

function readLines(path: string, content: string, fields: readonly string[]): readonly (readonly string[])[] {
  return content.split('\n').flatMap((line, index) => {
    const row = line.trim();
    if (row === '' || row.startsWith('#') || row.startsWith('//')) return [];
    const cells = row.split(/[ \t]+/);
    if (cells.length === fields.length) return [cells];
    const message = `${path} line ${index + 1} has ${cells.length} fields instead of ${fields.length}`;
    throw usageError(message, { target: path, hints: [formHint(fields)] });
  });
}

async function readData(
  path: string,
  content: string,
  fields: readonly string[],
): Promise<readonly (readonly string[])[]> {
  const { parse } = await import('yaml');
  let data: unknown;
  try {
    // JSON is YAML; large integers keep their digits.
    data = parse(content, { intAsBigInt: true });
  } catch (cause) {
    const [reason] = String(cause instanceof Error ? cause.message : cause).split('\n');
    throw usageError(`invalid file ${path}: ${reason}`, { target: path, cause });
  }
  if (!Array.isArray(data)) throw usageError(`invalid file ${path}: it must contain a list`, { target: path });
  return data.map((row: unknown, index) =>
    fields.map((field) => {
      const value = (row as Readonly<Record<string, unknown>> | null)?.[field];
      if (typeof value === 'string' || typeof value === 'bigint') return String(value);
      throw usageError(`invalid file ${path}: row ${index + 1} has no ${field}`, { target: path });
    }),
  );
}

/** Reads a partition number of a file. @throws CliError (exit 2) when it is not one */
export function partitionOf(path: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw usageError(`invalid file ${path}: "${text}" is not a partition`, { target: path });
}

/** Reads an offset of a file; null for `-`. @throws CliError (exit 2) when it is neither */
export function offsetOf(path: string, text: string): bigint | null {
  if (text === '-') return null;
  if (/^\d{1,18}$/.test(text)) return BigInt(text);
  throw usageError(`invalid file ${path}: "${text}" is not an offset`, { target: path });
}
