import { flag, type ValuesOf } from '../../cli/command.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { path, text } from '../../kinds.ts';
import type { NewSchema } from '../../registry/rows.ts';
import { readTextFile } from '../text-file.ts';
import { schemaType, typeOfFile } from './kinds.ts';
import { readReferences } from './references-flag.ts';

/** The flags about a schema in a file, besides `--schema` itself. */
export const schemaFlags = {
  type: flag(schemaType, { help: 'type of the schema (default: by the ending of the file)' }),
  references: flag(text, {
    help: 'what the schema refers to: NAME:SUBJECT:VERSION,… or a file with lines of NAME SUBJECT VERSION, or with a list in JSON or YAML',
  }),
};

/** `--schema` where it is required. */
export const schemaFile = flag(path, { help: 'file with the schema; - is standard input', required: true });

type SchemaValues = ValuesOf<typeof schemaFlags & { schema: typeof schemaFile }>;

/**
 * Reads the schema that a command line names.
 * @throws CliError (exit 2) if its type is unknown; exit 3 if the file does not exist
 */
export async function readSchema(context: Context, { schema, type, references }: SchemaValues): Promise<NewSchema> {
  const schemaType = type ?? typeOfFile(schema);
  if (schemaType === undefined) {
    const what =
      schema === '-' ? 'standard input has no file name' : `"${schema}" does not end with .avsc, .proto or .json`;
    throw usageError(`unable to determine the type of the schema: ${what}`, {
      target: '--type',
      hints: ['name the type with --type avro, --type protobuf or --type json'],
    });
  }
  if (schema === '-' && references === '-')
    throw usageError('only one of --schema and --references can be standard input');
  const content = await readTextFile(context, schema);
  if (content.trim() === '') throw usageError(`the schema in ${schema === '-' ? 'standard input' : schema} is empty`);
  return { type: schemaType, text: content, references: await readReferences(context, references) };
}
