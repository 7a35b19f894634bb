import { readYamlData } from '../../../config/yaml/yaml-data.ts';
import type { Context } from '../../../context.ts';
import { usageError } from '../../../errors.ts';
import type { Quota, QuotaPart } from '../../../kafka/cluster/quotas/quota-rows.ts';
import { defaultName, entityOf, entityRow, parseQuota } from '../../../kafka/cluster/quotas/quota-words.ts';
import { type Fields, isObject } from '../../../shape/object.ts';
import { nameOfFile, readTextFile } from '../../text-file.ts';

/**
 * Reads quotas as `cluster quotas describe` prints them, in JSON or YAML.
 * @param from a file, `-` for standard input, or the text itself
 * @throws CliError (exit 2) that names the wrong place, or when it does not exist; exit 1 when it cannot be read
 */
export async function readQuotas(context: Context, from: string): Promise<readonly Quota[]> {
  const { name, text } = await readSource(context, from);
  const fault = (path: string, why: string): Error =>
    usageError(`unable to use ${name}: ${path} ${why}`, {
      target: '--from',
      hints: ['see the format with: weir cluster quotas describe --format yaml'],
    });
  const reader: FieldReader = { fault };
  const data = await readYamlData(name, text);
  const quotas = listIn(reader, objectIn(reader, data, 'the document').quotas, 'quotas');
  const rows = quotas.map((quota, at) => quotaIn(reader, quota, `quotas[${at}]`));
  const twice = repeated(rows.map(({ entity }) => JSON.stringify(entity)));
  if (twice >= 0) throw fault(`quotas[${twice}]`, 'has the same entity as one above');
  return rows;
}

async function readSource(context: Context, from: string): Promise<{ name: string; text: string }> {
  const isText = from !== '-' && /[{\n]|:\s/.test(from);
  return isText
    ? { name: 'the text of --from', text: from }
    : { name: nameOfFile(from), text: await readTextFile(context, from) };
}

interface FieldReader {
  fault(path: string, why: string): Error;
}

function quotaIn(reader: FieldReader, quota: unknown, path: string): Quota {
  const fields = objectIn(reader, quota, path);
  const parts = listIn(reader, fields.entity, `${path}.entity`).map((part, at) =>
    partIn(reader, part, `${path}.entity[${at}]`),
  );
  if (parts.length === 0) throw reader.fault(`${path}.entity`, 'is empty');
  // A broker would take the last one.
  const twice = repeated(parts.map(({ type }) => type));
  if (twice >= 0) throw reader.fault(`${path}.entity[${twice}]`, 'has the same type as one above');
  const values = listIn(reader, fields.values, `${path}.values`).map((value, at) =>
    valueIn(reader, value, `${path}.values[${at}]`),
  );
  const same = repeated(values.map(({ key }) => key));
  if (same >= 0) throw reader.fault(`${path}.values[${same}]`, 'has the same key as one above');
  return { entity: entityRow(entityOf(parts)), values };
}

/** The index of the first word that is there before; -1 if there is none. */
function repeated(words: readonly string[]): number {
  const seen = new Set<string>();
  return words.findIndex((word) => seen.size === seen.add(word).size);
}

function partIn(reader: FieldReader, part: unknown, path: string): QuotaPart {
  const { name, type } = objectIn(reader, part, path);
  if (typeof type !== 'string' || type === '') throw reader.fault(`${path}.type`, 'is not text');
  if (name === null) return { type, name: defaultName };
  if (typeof name !== 'string' || name === '') throw reader.fault(`${path}.name`, 'is not text');
  return { type, name };
}

function valueIn(reader: FieldReader, value: unknown, path: string): Quota['values'][number] {
  const { key, value: number } = objectIn(reader, value, path);
  if (typeof key !== 'string' || key === '') throw reader.fault(`${path}.key`, 'is not text');
  try {
    return { key, value: String(parseQuota(key, String(number))) };
  } catch (error) {
    throw reader.fault(`${path}.value`, `is ${error instanceof Error ? error.message : String(error)}`);
  }
}

function objectIn(reader: FieldReader, value: unknown, path: string): Fields {
  if (isObject(value)) return value;
  throw reader.fault(path, 'is not an object');
}

function listIn(reader: FieldReader, value: unknown, path: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw reader.fault(path, 'is not a list');
}
