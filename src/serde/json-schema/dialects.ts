import { Ajv, type AnySchemaObject, type Options } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import draft06 from 'ajv/dist/refs/json-schema-draft-06.json' with { type: 'json' };
import * as draft04 from 'ajv-draft-04';
import { SchemaError } from '../schema.ts';

/** A validator for one draft of JSON Schema. */
export type Validator = Ajv | Ajv2019 | Ajv2020;

/** One draft of JSON Schema. */
export interface Dialect {
  create(options: Options): Validator;
  /** A description of the draft that the validator lacks. */
  readonly meta?: AnySchemaObject;
}

const draft07: Dialect = { create: (options) => new Ajv(options) };

const dialects: ReadonlyMap<string, Dialect> = new Map<string, Dialect>([
  ['json-schema.org/draft-04/schema', { create: (options) => new draft04.default.default(options) as unknown as Ajv }],
  ['json-schema.org/draft-06/schema', { ...draft07, meta: draft06 }],
  ['json-schema.org/draft-07/schema', draft07],
  ['json-schema.org/draft/2019-09/schema', { create: (options) => new Ajv2019(options) }],
  ['json-schema.org/draft/2020-12/schema', { create: (options) => new Ajv2020(options) }],
]);

/**
 * Returns the draft that a schema names with `$schema`; without it draft 7, which is also what Confluent's registry and
 * serializers take (`SpecificationVersion.DRAFT_7`).
 * @throws SchemaError if the draft is not known
 */
export function dialectOf(schema: unknown): Dialect {
  const named = typeof schema === 'object' && schema !== null && '$schema' in schema ? schema.$schema : undefined;
  if (named === undefined) return draft07;
  const dialect = dialects.get(
    String(named)
      .replace(/^https?:\/\//, '')
      .replace(/#$/, ''),
  );
  if (dialect !== undefined) return dialect;
  throw new SchemaError(`the draft ${JSON.stringify(named)} is not one of 4, 6, 7, 2019-09 and 2020-12`);
}
