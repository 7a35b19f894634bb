import { readFileText } from '../../../config/yaml/file-text.ts';
import { readYamlData } from '../../../config/yaml/yaml-data.ts';
import type { Context } from '../../../context.ts';
import { notFoundError, usageError } from '../../../errors.ts';
import { absolutePath } from '../../../files/locations.ts';
import { ReadRefusal, readStream } from '../../../files/read.ts';
import { defaultName, entityOf, entityRow } from '../../../kafka/quotas/entities.ts';
import type { QuotaPartRow, QuotaRow } from '../../../kafka/quotas/quota-rows.ts';
import { parseQuota } from './quota-kinds.ts';

const largest = 1 << 20;

/**
 * Reads quotas as `cluster quotas describe` prints them, in JSON or YAML.
 * @param from a file, `-` for standard input, or the text itself
 * @throws CliError (exit 2 or 3) that names the wrong place
 */
export async function readQuotas(context: Context, from: string): Promise<readonly QuotaRow[]> {
  const { name, text } = await readSource(context, from);
  const fault = (place: string, why: string): Error =>
    usageError(`unable to use ${name}: ${place} ${why}`, {
      target: '--from',
      hints: ['see the format with: weir cluster quotas describe --format yaml'],
    });
  const reader: FieldReader = { fault };
  const data = await readYamlData(name, text);
  const quotas = listIn(reader, objectIn(reader, data, 'the document').quotas, 'quotas');
  const rows = quotas.map((quota, at) => quotaIn(reader, quota, `quotas[${at}]`));
  const entities = rows.map(({ entity }) => JSON.stringify(entity));
  const twice = entities.findIndex((entity, at) => entities.indexOf(entity) !== at);
  if (twice >= 0) throw fault(`quotas[${twice}]`, 'has the same entity as one above');
  return rows;
}

async function readSource({ host, signal }: Context, from: string): Promise<{ name: string; text: string }> {
  if (from === '-') {
    try {
      return { name: 'standard input', text: (await readStream(host.stdin.stream, largest, signal)).toString('utf8') };
    } catch (error) {
      if (!(error instanceof ReadRefusal)) throw error;
      throw usageError('unable to use standard input: it is larger than 1 MiB', { target: '--from' });
    }
  }
  if (/[{\n]|:\s/.test(from)) return { name: 'the text of --from', text: from };
  const path = absolutePath(host, from);
  const content = readFileText(path);
  if (content === undefined) throw notFoundError(`unable to read ${path}: it does not exist`, { target: '--from' });
  return { name: path, text: content.text };
}

interface FieldReader {
  fault(place: string, why: string): Error;
}

function quotaIn(reader: FieldReader, quota: unknown, place: string): QuotaRow {
  const fields = objectIn(reader, quota, place);
  const parts = listIn(reader, fields.entity, `${place}.entity`).map((part, at) =>
    partIn(reader, part, `${place}.entity[${at}]`),
  );
  if (parts.length === 0) throw reader.fault(`${place}.entity`, 'is empty');
  const values = listIn(reader, fields.values, `${place}.values`).map((value, at) =>
    valueIn(reader, value, `${place}.values[${at}]`),
  );
  return { entity: entityRow(entityOf(parts)), values };
}

function partIn(reader: FieldReader, part: unknown, place: string): QuotaPartRow {
  const { name, type } = objectIn(reader, part, place);
  if (typeof type !== 'string' || type === '') throw reader.fault(`${place}.type`, 'is not text');
  if (name === null) return { type, name: defaultName };
  if (typeof name !== 'string' || name === '') throw reader.fault(`${place}.name`, 'is not text');
  return { type, name };
}

function valueIn(reader: FieldReader, value: unknown, place: string): QuotaRow['values'][number] {
  const { key, value: number } = objectIn(reader, value, place);
  if (typeof key !== 'string' || key === '') throw reader.fault(`${place}.key`, 'is not text');
  try {
    return { key, value: String(parseQuota(String(number))) };
  } catch {
    throw reader.fault(`${place}.value`, 'is not a number');
  }
}

function objectIn(reader: FieldReader, value: unknown, place: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw reader.fault(place, 'is not an object');
}

function listIn(reader: FieldReader, value: unknown, place: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw reader.fault(place, 'is not a list');
}
