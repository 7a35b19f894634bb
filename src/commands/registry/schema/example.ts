import { flag, one, toggle } from '../../../cli/command.ts';
import { getCommand } from '../../../cli/forms/read.ts';
import { CliError, exitCodes } from '../../../errors.ts';
import { compactJson } from '../../../format/json-indent.ts';
import { text } from '../../../kinds.ts';
import { type SubjectSchema, SubjectVersion } from '../../../registry/rows.ts';
import { codecOf } from '../../../serde/codec.ts';
import { MessageTypeError, SchemaError, type SchemaSource } from '../../../serde/schema.ts';
import { json, row } from '../../../shape/shape.ts';
import { contextFlags, requireContexts, subjectIn } from '../../schema-context.ts';
import { schemaVersion, subjectName } from '../kinds.ts';

/** `registry schema example` */
export const example = getCommand({
  summary: 'Print a record that fits a schema',
  description: `Makes up a value for every field, in the JSON form that topic produce encodes. With --line, the record is one line, as
topic produce reads it.`,
  examples: [
    ['For the latest version', 'registry schema example orders-value'],
    ['One line, to edit and produce', 'registry schema example orders-value --line > record.json'],
    ['A message of a Protobuf schema with several', 'registry schema example orders-value --schema-type shop.Order'],
  ],
  apis: ['registry'],
  args: { subject: one(subjectName, 'SUBJECT', 'subject of the schema') },
  flags: {
    schemaVersion: flag(schemaVersion, { help: 'version of the subject, or latest', fallback: 'latest' }),
    schemaType: flag(text, { help: 'full name of the Protobuf message, if the schema has several' }),
    line: toggle({ help: 'print the record on one line' }),
    ...contextFlags,
  },
  row: row({ ...SubjectVersion.fields, text: json }),
  async read(context, { subject: name, schemaVersion: version, schemaType: message, line, ...values }) {
    await requireContexts(context, values);
    const registry = await context.registry();
    const schema = await registry.schemaOfVersion(subjectIn(values, name), version);
    const record = await exampleOf(schema, await registry.withReferences(schema), message);
    const { subject, version: found, id, type } = schema;
    return { subject, version: found, id, type, text: line ? compactJson(record) : record };
  },
  text: ({ text: record }) => `${record}\n`,
});

async function exampleOf(
  { subject, version }: SubjectSchema,
  source: SchemaSource,
  message: string | undefined,
): Promise<string> {
  try {
    return (await codecOf(source)).example({ message });
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    const what = `unable to make an example for version ${version} of "${subject}"`;
    throw new CliError(exitCodes.failure, `${what}: ${error.message}`, {
      code: 'INVALID_SCHEMA',
      hints: error instanceof MessageTypeError ? ['choose a message type with --schema-type'] : [],
      cause: error,
    });
  }
}
