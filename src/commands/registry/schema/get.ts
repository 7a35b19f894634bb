import { command, flag, optional, type RawOutput, toggle } from '../../../cli/command.ts';
import { type Column, tableOf } from '../../../cli/forms/columns.ts';
import type { Context } from '../../../context.ts';
import { exitCodes, notFoundError, usageError } from '../../../errors.ts';
import { printableText } from '../../../format/printable.ts';
import type { View } from '../../../format/view.ts';
import { integer, maxInt32, path } from '../../../kinds.ts';
import { RegisteredSchema, type SchemaType, type SchemaVersion } from '../../../registry/rows.ts';
import { fieldsOf } from '../../../shape/object.ts';
import { listOf } from '../../../shape/shape.ts';
import { type ContextValues, contextFlags, prefixOf, requireContexts, subjectIn } from '../../schema-context.ts';
import { schemaVersion, subjectName } from '../kinds.ts';
import { readSchema, schemaFlags } from '../schema-input.ts';
import { shownSchema, versionColumns } from '../schema-text.ts';

/** `registry schema get` */
export const get = command({
  summary: 'Show a schema and where it is registered',
  description: `Finds the schema by its subject and version (default: the latest version), by its id, or by its text in a file.
An id may belong to several subjects; all are listed, or the versions of SUBJECT only. The id of a schema in a context
needs --schema-context, or a SUBJECT of that context, such as :.staging:orders-value.

On a terminal and with --format wide, the schema follows, with JSON indented. --print-schema prints only the schema, for a
file or a pipe.`,
  examples: [
    ['The latest version of a subject', 'registry schema get orders-value'],
    ['The schema of a record, by its id', 'registry schema get --id 7'],
    ['Version 2 into a file', 'registry schema get orders-value --schema-version 2 --print-schema > order.avsc'],
    ['The version that a file was registered as', 'registry schema get orders-value --schema order.avsc'],
  ],
  apis: ['registry'],
  args: { subject: optional(subjectName, 'SUBJECT', 'subject; not needed with --id') },
  flags: {
    schemaVersion: flag(schemaVersion, { help: 'version of the subject, or latest' }),
    id: flag(integer({ min: 0, max: maxInt32 }), { help: 'schema id' }),
    schema: flag(path, { help: 'file with the schema to look for; - is standard input' }),
    ...schemaFlags,
    normalize: toggle({ help: 'with --schema: ignore differences in layout' }),
    deleted: toggle({ help: 'include deleted versions' }),
    printSchema: toggle({ help: 'print only the schema' }),
    printMetadata: toggle({ help: 'add a column with the metadata, which JSON always has' }),
    ...contextFlags,
  },
  changes: 'reads',
  result: listOf(RegisteredSchema),
  async run(context, { printSchema, printMetadata, subject, ...others }) {
    if (printSchema && printMetadata) throw usageError('--print-schema and --print-metadata are mutually exclusive');
    if (printSchema && !['text', 'wide'].includes(context.flags.format))
      throw usageError(`--print-schema prints the schema alone, without --format ${context.flags.format}`);
    await requireContexts(context, others);
    const values = { ...others, subject: subject === undefined ? undefined : subjectIn(others, subject) };
    if (!printSchema) return await findRows(context, values);
    return alone(await schemaAlone(context, values), context.host.stdout.isTerminal);
  },
  show: {
    // Scripts read the lines after the header as versions.
    text: (rows, view, values) =>
      view.columns === undefined ? tableOf(rows, columnsOf(values), view) : withSchema(rows, view, values),
    wide: withSchema,
  },
});

interface ShownValues {
  readonly printMetadata: boolean;
}

function columnsOf({ printMetadata }: ShownValues): readonly Column<RegisteredSchema>[] {
  return printMetadata ? [...versionColumns, ['metadata', metadataText]] : versionColumns;
}

/** The properties, as `schema create --metadata` takes them. */
function metadataText({ metadata }: RegisteredSchema): string {
  return Object.entries(fieldsOf(metadata?.properties))
    .map(([key, value]) => `${key}=${String(value)}`)
    .join(', ');
}

function withSchema(rows: readonly RegisteredSchema[], view: View, values: ShownValues): string {
  const [first] = rows;
  return first === undefined ? '' : `${tableOf(rows, columnsOf(values), view)}\n${shownSchema(first)}`;
}

/** Prints only a text: exactly as it is, except on a terminal, which its control characters could control. */
function alone(text: string, isTerminal: boolean): RawOutput {
  return {
    type: 'raw',
    async pump(sink) {
      await sink.write(Buffer.from(isTerminal ? printableText(text) : text));
      return exitCodes.ok;
    },
  };
}

interface Choice extends ContextValues {
  readonly subject: string | undefined;
  readonly schemaVersion: SchemaVersion | undefined;
  readonly id: number | undefined;
  readonly schema: string | undefined;
  readonly type: SchemaType | undefined;
  readonly references: string | undefined;
  readonly normalize: boolean;
  readonly deleted: boolean;
}

/** The schema to print alone: an id may have one although all its versions are deleted. */
async function schemaAlone(context: Context, choice: Choice): Promise<string> {
  const { id, subject } = choice;
  checkChoice(choice);
  if (id === undefined || subject !== undefined) {
    const [first] = await findRows(context, choice);
    return first === undefined ? '' : shownSchema(first);
  }
  const { type, text: schema } = await (await context.registry()).schemaById(id, prefixOf(choice.schemaContext));
  return shownSchema({ type, schema });
}

function checkChoice({ schemaVersion, id, schema }: Choice): void {
  const choices = [schemaVersion, id, schema].filter((value) => value !== undefined);
  if (choices.length > 1) throw usageError('choose one of --schema-version, --id and --schema');
}

async function findRows(context: Context, choice: Choice): Promise<readonly RegisteredSchema[]> {
  const { subject, schemaVersion: version, id, schema, deleted, normalize } = choice;
  checkChoice(choice);
  if (id !== undefined) return await rowsOfId(context, id, choice);
  if (subject === undefined) {
    throw usageError('name a subject, or an id with --id', {
      hints: ['list the subjects with: weir registry subject list'],
    });
  }
  const registry = await context.registry();
  if (schema === undefined) return [await registry.readVersion(subject, version ?? 'latest', deleted)];
  const text = await readSchema(context, { ...choice, schema });
  return [await registry.findSchema(subject, text, { normalize, deleted })];
}

async function rowsOfId(
  context: Context,
  id: number,
  { subject, deleted, schemaContext }: Choice,
): Promise<readonly RegisteredSchema[]> {
  const rows = await (await context.registry()).usesOfId(id, deleted, subject ?? prefixOf(schemaContext));
  const wanted = subject === undefined ? rows : rows.filter((row) => row.subject === subject);
  if (wanted.length > 0) return wanted;
  const others = [...new Set(rows.map((row) => row.subject))].join(', ');
  const none = deleted ? 'no version has it' : 'only deleted versions have it';
  const why = rows.length === 0 ? none : `it belongs to ${others}, not to "${subject}"`;
  throw notFoundError(`unable to find a version with the schema id ${id}: ${why}`, {
    code: 'SCHEMA_NOT_FOUND',
    target: String(id),
    hints: [
      deleted ? 'print the schema alone with --id and --print-schema' : 'include deleted versions with --deleted',
    ],
  });
}
