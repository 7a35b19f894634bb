import { CliError, exitCodes } from '../errors.ts';
import { excerpt } from '../format/excerpt.ts';
import { fieldsOf } from '../net/json.ts';
import { badAnswer } from './api.ts';
import { contextOf } from './contexts.ts';
import type { Reference, SchemaType, StoredSchema, SubjectSchema } from './registry.ts';

const types: ReadonlySet<unknown> = new Set<SchemaType>(['AVRO', 'PROTOBUF', 'JSON']);
const maxInt32 = 2_147_483_647;

/** Whether a value is a whole number from `min` that fits an `int32`, as ids and versions do. */
export function isNumber(value: unknown, min: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= maxInt32;
}

/** Reads the answer for a schema id. */
export function readStored(id: number, body: unknown, what: string): StoredSchema {
  const { schema, schemaType, references, subject } = fieldsOf(body);
  if (typeof schema !== 'string') throw badAnswer(what, '"schema"');
  const context = contextOf(typeof subject === 'string' ? subject : '');
  const stored = { id, type: readType(schemaType, what), text: schema, references: readReferences(references, what) };
  return context === '' ? stored : { ...stored, context };
}

/** Reads the answer for a version of a subject. */
export function readVersion(body: unknown, what: string): SubjectSchema {
  const { subject, version, id } = fieldsOf(body);
  if (typeof subject !== 'string') throw badAnswer(what, '"subject"');
  if (!isNumber(version, 1)) throw badAnswer(what, '"version"');
  if (!isNumber(id, 0)) throw badAnswer(what, '"id"');
  return { subject, version, ...readStored(id, body, what) };
}

/** Registries leave out the type of Avro schemas. */
function readType(value: unknown, what: string): SchemaType {
  if (value === undefined || value === null || value === '') return 'AVRO';
  if (typeof value !== 'string') throw badAnswer(what, '"schemaType"');
  if (types.has(value)) return value as SchemaType;
  throw new CliError(
    exitCodes.failure,
    `the answer to ${what} has the schema type "${excerpt(value)}", which is unknown`,
    {
      code: 'UNKNOWN_SCHEMA_TYPE',
      target: what,
      hints: ['weir knows the types AVRO, PROTOBUF and JSON'],
    },
  );
}

function readReferences(value: unknown, what: string): readonly Reference[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw badAnswer(what, '"references"');
  return value.map((item) => {
    const { name, subject, version } = fieldsOf(item);
    if (typeof name !== 'string' || typeof subject !== 'string' || !(isNumber(version, 1) || version === -1))
      throw badAnswer(what, '"references"');
    return { name, subject, version };
  });
}
