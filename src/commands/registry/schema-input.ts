import { flag, type ValuesOf } from '../../cli/command.ts';
import { readYamlData } from '../../config/yaml/yaml-data.ts';
import type { Context } from '../../context.ts';
import { CliError, invalidError, usageError } from '../../errors.ts';
import { excerpt } from '../../format/excerpt.ts';
import { maxInt32, path, text } from '../../kinds.ts';
import type { NewSchema, Reference } from '../../registry/rows.ts';
import { typeOfFile } from '../../registry/schema-words.ts';
import { fieldsOf } from '../../shape/object.ts';
import { isData, nameOfFile, readTextFile } from '../text-file.ts';
import { schemaType } from './kinds.ts';

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
 * @throws CliError (exit 2) if its type is unknown or a file that does not exist
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

const hints = [
  'write NAME:SUBJECT:VERSION, or name a file with lines of NAME SUBJECT VERSION, or with a list of name, subject and version in JSON or YAML',
];

/**
 * Reads references from the flag itself (`NAME:SUBJECT:VERSION,…`) or from a file.
 * @throws CliError (exit 2) for anything else or a file that does not exist
 */
async function readReferences(context: Context, value: string | undefined): Promise<readonly Reference[]> {
  if (value === undefined || value === '') return [];
  if (/:\d+(,|$)/.test(value)) return parseReferences(value);
  const name = nameOfFile(value);
  const content = await textOf(context, value);
  if (!isData(value, content)) return readLines(name, content);
  const data = await readYamlData(name, content);
  if (!Array.isArray(data)) throw fault(`${name} is not a list`);
  return data.map((item: unknown, at) => {
    const { name: given, subject, version } = fieldsOf(item);
    if (typeof given === 'string' && typeof subject === 'string' && isVersion(version))
      return { name: given, subject, version };
    throw fault(`item ${at + 1} of ${name} needs a name, a subject and a version`);
  });
}

/** Reads lines of `NAME SUBJECT VERSION`, separated by blanks; `#` and `//` begin a comment line. */
function readLines(name: string, content: string): readonly Reference[] {
  return content.split('\n').flatMap((line, at) => {
    const words = line.trim().split(/\s+/);
    if (words[0] === '' || /^(#|\/\/)/.test(line.trim())) return [];
    const [given = '', subject = '', digits = ''] = words;
    if (words.length === 3 && /^\d{1,10}$/.test(digits) && isVersion(Number(digits)))
      return [{ name: given, subject, version: Number(digits) }];
    throw fault(`line ${at + 1} of ${name} is not NAME SUBJECT VERSION`);
  });
}

async function textOf(context: Context, value: string): Promise<string> {
  try {
    return await readTextFile(context, value);
  } catch (error) {
    // With a colon, it was probably not meant as a file.
    if (!(error instanceof CliError) || error.code !== 'NO_SUCH_FILE' || !value.includes(':')) throw error;
    throw fault(`"${excerpt(value)}" is neither NAME:SUBJECT:VERSION nor an existing file`);
  }
}

/** Reads `NAME:SUBJECT:VERSION,…`; the name may be a URI with colons and commas. */
export function parseReferences(value: string): readonly Reference[] {
  // A comma ends a reference only after a version.
  return value.split(/(?<=:\d+),/).map((item) => {
    const [, name = '', subject = '', digits = ''] = /^(.+):([^:]+):(\d{1,10})$/.exec(item.trim()) ?? [];
    const version = Number(digits);
    if (name === '' || !isVersion(version)) throw fault(`"${excerpt(item)}" is not NAME:SUBJECT:VERSION`);
    return { name, subject, version };
  });
}

function isVersion(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= maxInt32;
}

function fault(what: string): Error {
  return invalidError(`invalid --references: ${what}`, { target: '--references', hints });
}
