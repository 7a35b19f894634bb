import { flag, list, one, toggle } from '../../../cli/command.ts';
import { change } from '../../../cli/forms/change.ts';
import { notNeededIf } from '../../../cli/forms/outcome.ts';
import type { Context } from '../../../context.ts';
import { CliError, exitCodes } from '../../../errors.ts';
import { excerpt } from '../../../format/excerpt.ts';
import { shellWord } from '../../../format/shell-word.ts';
import { integer, keyValue, maxInt32 } from '../../../kinds.ts';
import { type NewSchema, SchemaType } from '../../../registry/rows.ts';
import { codecOf } from '../../../serde/codec.ts';
import { MissingReferenceError, SchemaError } from '../../../serde/schema.ts';
import { maybe, row, string, whole } from '../../../shape/shape.ts';
import { contextFlags, requireContexts, subjectIn } from '../../schema-context.ts';
import { subjectName } from '../kinds.ts';
import { readSchema, schemaFile, schemaFlags } from '../schema-input.ts';

/** `registry schema create` */
export const create = change({
  summary: 'Register a schema as a new version of a subject',
  description: `The type of the schema follows from the ending of the file: .avsc and .avro mean Avro, .proto and .protobuf Protobuf,
.json JSON Schema. Other files, and standard input, need --type.

A schema that the subject has already keeps its version and its id. One that is not compatible with the earlier versions is
refused (exit code 6). Before that, weir compiles the schema with its references: one that consumers could not use is
refused, too. With --dry-run, nothing else happens, and the registry only checks whether it is compatible.`,
  examples: [
    ['Register an Avro schema', 'registry schema create orders-value --schema order.avsc'],
    ['Check it without registering it', 'registry schema create orders-value --schema order.avsc --dry-run'],
    [
      'A Protobuf schema that imports another one',
      'registry schema create orders-value --schema order.proto --references money.proto:money:1',
    ],
    ['From standard input', 'registry schema create orders-value --schema - --type json'],
  ],
  apis: ['registry'],
  args: { subject: one(subjectName, 'SUBJECT', 'subject, for example orders-value') },
  flags: {
    schema: schemaFile,
    ...schemaFlags,
    normalize: toggle({ help: 'ignore differences in layout when looking for the same schema' }),
    id: flag(integer({ min: 1, max: maxInt32 }), { help: 'schema id to use; only in mode IMPORT' }),
    schemaVersion: flag(integer({ min: 1, max: maxInt32 }), { help: 'version to use; only in mode IMPORT' }),
    metadata: list(keyValue, {
      help: 'property to store with the schema, if the registry supports that, for example owner=billing',
      short: 'p',
      aliases: ['metadata-properties'],
    }),
    ...contextFlags,
  },
  changes: 'creates',
  noun: 'schema',
  isOne: true,
  // Version and id are null in a dry run for a schema that would be new.
  item: row({ subject: string, version: maybe(whole), id: maybe(whole), type: SchemaType }),
  async plan(context, { subject: name, normalize, id, schemaVersion, metadata, ...values }) {
    await requireContexts(context, values);
    const subject = subjectIn(values, name);
    const schema = await readSchema(context, values);
    await checkSchema(context, subject, schema, id === undefined);
    // With any of these, a schema that exists can get another version or id.
    const isNew = id !== undefined || schemaVersion !== undefined || metadata.length > 0;
    const existing = isNew ? undefined : await (await context.registry()).existing(subject, schema, normalize);
    const status = notNeededIf(existing !== undefined);
    return [{ subject, version: null, id: null, ...existing, type: schema.type, schema, status }];
  },
  async validate(context, schemas) {
    const registry = await context.registry();
    for (const { subject, schema } of schemas) await registry.checkNew(subject, schema);
    return [];
  },
  async applyEach(context, { subject, schema }, { normalize, id, schemaVersion: version, metadata }) {
    const properties = metadata.length === 0 ? undefined : Object.fromEntries(metadata);
    const registry = await context.registry();
    const made = await registry.register(subject, schema, { normalize, id, version, metadata: properties });
    if (properties !== undefined && made.version !== null) {
      const { metadata } = await registry.readVersion(subject, made.version, false);
      if (metadata === null) context.warn('the registry has dropped the metadata: it stores none with a schema');
    }
    return made;
  },
  would: 'be registered',
  notNeeded: 'already exists',
});

/**
 * Compiles a schema with what it refers to, as consumers will: not every registry checks one. With an id of its own, it
 * comes from another registry, and is as old as that.
 */
async function checkSchema(context: Context, subject: string, schema: NewSchema, isNew: boolean): Promise<void> {
  const registry = await context.registry();
  const source = await registry.withReferencesOfNew(subject, schema);
  try {
    await codecOf({ ...source, isNew });
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    throw new CliError(
      exitCodes.failure,
      `unable to compile the schema for the subject "${excerpt(subject)}": ${error.message}`,
      {
        code: 'INVALID_SCHEMA',
        target: subject,
        cause: error,
        hints: hintsFor(error),
      },
    );
  }
}

function hintsFor(error: SchemaError): readonly string[] {
  if (!(error instanceof MissingReferenceError)) return [];
  return [`register that one first, and name its subject with: --references ${shellWord(error.reference)}:SUBJECT:1`];
}
