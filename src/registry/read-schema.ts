import { CliError, exitCodes } from '../errors.ts';
import { excerpt } from '../format/excerpt.ts';
import { fieldsOf } from '../net/json.ts';
import { converted, int32From, listOf, Misfit, maybe, object, read, row, string } from '../shape/shape.ts';
import { contextOf } from './contexts.ts';
import type { StoredSchema, SubjectSchema } from './registry.ts';
import { place, reference, type SchemaRow, type SchemaType, schemaType } from './registry-rows.ts';

const storedFields = {
  schema: string,
  // Registries leave out the type of Avro schemas.
  schemaType: converted((value) => value ?? '', string),
  references: listOf(reference),
};

// Not every answer for an id names a subject.
const storedAnswer = row({ ...storedFields, subject: maybe(string) });

const versionAnswer = row({ ...place.fields, id: int32From(0), ...storedFields });

const schemaAnswer = row({ ...versionAnswer.fields, metadata: maybe(object), ruleSet: maybe(object) });

/**
 * Reads the answer for a schema id.
 * @param asked the context that was asked for; answers name a subject, or nothing
 */
export function readStored(id: number, body: unknown, what: string, asked = ''): StoredSchema {
  const { schema: text, schemaType: type, references, subject } = read(storedAnswer, fieldsOf(body));
  const stored = { id, type: typeOf(type, what), text, references };
  const context = contextOf(subject ?? '') || asked;
  return context === '' ? stored : { ...stored, context };
}

/** Reads the answer for a version of a subject. */
export function readVersion(body: unknown, what: string): SubjectSchema {
  const { subject, version, id, schema: text, schemaType: type, references } = read(versionAnswer, fieldsOf(body));
  const context = contextOf(subject);
  const found = { subject, version, id, type: typeOf(type, what), text, references };
  return context === '' ? found : { ...found, context };
}

/** Reads the same answer with everything that a registry stores with the schema. */
export function readSchemaRow(body: unknown, what: string): SchemaRow {
  const { subject, version, id, schemaType: type, ruleSet: rules, ...found } = read(schemaAnswer, fieldsOf(body));
  if (!isShallow(found.metadata, mostLevels)) throw new Misfit('metadata');
  if (!isShallow(rules, mostLevels)) throw new Misfit('ruleSet');
  return { subject, version, id, type: typeOf(type, what), ...found, rule_set: rules };
}

function typeOf(name: string, what: string): SchemaType {
  try {
    return read(schemaType, name || 'AVRO');
  } catch {
    throw new CliError(
      exitCodes.failure,
      `the answer to ${what} has the schema type "${excerpt(name)}", which is unknown`,
      {
        code: 'UNKNOWN_SCHEMA_TYPE',
        target: what,
        hints: ['weir knows the types AVRO, PROTOBUF and JSON'],
      },
    );
  }
}

/** Registries have properties, tags and rules there, in a few levels; far deeper values could not be printed. */
const mostLevels = 100;

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((one) => isShallow(one, levels - 1));
}
