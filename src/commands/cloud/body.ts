import { type Flag, flag, list } from '../../cli/command.ts';
import { apiWord, type Words } from '../../cloud/api/cloud-words.ts';
import { readYamlData } from '../../config/yaml/yaml-data.ts';
import type { Context } from '../../context.ts';
import { invalidError, missingError, usageError } from '../../errors.ts';
import { type Kind, path, text } from '../../kinds.ts';
import { type Fields, fieldsOf, isObject, valueAt } from '../../shape/object.ts';
import { nameOfFile, readTextFile } from '../text-file.ts';
import { idOf, type Reference } from './find-id.ts';
import { wordKind } from './kinds.ts';

/** A field of a request's body that has a flag. */
export interface BodyField {
  /** The API's name; `a.b` is a field in an object. */
  readonly name: string;
  /** The flag in camelCase, if it differs from the name. */
  readonly flag?: string;
  readonly help: string;
  readonly words?: Words;
  readonly kind?: Kind<string>;
  readonly isList?: true;
  /** The argument that has the value, instead of a flag. */
  readonly argument?: string;
  readonly isOptional?: true;
  /** What its value refers to by id or name. */
  refersTo?(body: Fields): Reference;
}

/** The body of a request that creates a resource. */
export interface BodyShape {
  /** The key that wraps the fields in the API; optional in a file. */
  readonly key: string;
  readonly fields: readonly BodyField[];
}

type BodyFlags = Readonly<Record<string, Flag<string | readonly string[] | undefined>>>;

/** The flags of a shape. */
export function bodyFlags({ fields }: BodyShape): BodyFlags {
  return Object.fromEntries(
    fields.map((field) => {
      const kind = field.words === undefined ? (field.kind ?? text) : wordKind(field.words);
      const { help } = field;
      return [flagKey(field), field.isList ? list(kind, { help, splits: true }) : flag(kind, { help })];
    }),
  );
}

/** `--file`: the body of the request, overridden by flags. */
export const fileFlag = flag(path, {
  help: 'request body as YAML or JSON, with or without its key (- for standard input); flags override it',
});

/**
 * The body of a request: the file, overridden by the flags. Short words of enums become the API's.
 * @throws CliError (exit 2) with the flags of missing fields
 */
export async function readBody(context: Context, shape: BodyShape, given: object): Promise<Fields> {
  const values = given as Readonly<Record<string, unknown>>; // the flags of the shape, among others
  const { file } = values;
  const fromFile = typeof file === 'string' ? await readBodyFile(context, file, shape.key) : {};
  let body = fromFile;
  for (const field of shape.fields) {
    const flagged = values[flagKey(field)];
    const isGiven = flagged !== undefined && !(Array.isArray(flagged) && flagged.length === 0);
    const value = isGiven ? flagged : checked(longWord(fieldAt(body, field.name), field), field);
    if (value !== undefined) body = withField(body, field.name, value);
  }
  const missing = shape.fields.filter((field) => !field.isOptional && isEmpty(fieldAt(body, field.name)));
  if (missing.length === 0) return body;
  const words = missing.map((field) => field.argument ?? `--${flagName(field)}`);
  throw missingError(words.join(', '), [`read ${words.length === 1 ? 'it' : 'them'} from a file with: --file FILE`]);
}

/**
 * The body with the ids of what it names.
 * @throws CliError: exit 3 if something of that name does not exist, exit 6 if several do
 */
export async function withIds(context: Context, { fields }: BodyShape, given: Fields): Promise<Fields> {
  let body = given;
  for (const { name, refersTo } of fields) {
    const word = fieldAt(body, name);
    if (refersTo === undefined || typeof word !== 'string') continue;
    body = withField(body, name, await idOf(context, refersTo(body), word));
  }
  return body;
}

/**
 * Reads the body of a request from a YAML or JSON file, or from standard input (`-`), with or without the key that wraps it
 * in the API.
 * @throws CliError: exit 2 if the file does not exist or has another form, with the line if known
 */
export async function readBodyFile(context: Context, file: string, key: string): Promise<Fields> {
  const name = nameOfFile(file);
  const value = await readYamlData(name, await readTextFile(context, file));
  if (!isObject(value)) throw usageError(`unable to use ${name}: it contains no fields`, { target: '--file' });
  const inner = value[key];
  if (inner === undefined) return value;
  if (Object.keys(value).length > 1 || !isObject(inner)) {
    throw usageError(`unable to use ${name}: it contains other fields besides "${key}"`, { target: '--file' });
  }
  return inner;
}

/** The value at `a.b` of a body. */
export function fieldAt(body: Fields, name: string): unknown {
  return valueAt(body, name.split('.'));
}

/** The body with another value at `a.b`. */
export function withField(body: Fields, name: string, value: unknown): Fields {
  const [first = '', ...rest] = name.split('.');
  if (rest.length === 0) return { ...body, [first]: value };
  const inner = body[first];
  return { ...body, [first]: withField(fieldsOf(inner), rest.join('.'), value) };
}

function flagKey({ flag, name }: BodyField): string {
  return flag ?? name.replace(/[_.](\w)/g, (_, letter: string) => letter.toUpperCase());
}

function flagName(field: BodyField): string {
  return flagKey(field).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The API's word for a short word in a file; unknown words are left for the API to check. */
function longWord(value: unknown, { words }: BodyField): unknown {
  return words === undefined || typeof value !== 'string' ? value : (apiWord(value, words) ?? value);
}

/** A value of a file. @throws CliError (exit 2) if it is none of those that the field can have */
function checked(value: unknown, { name, kind }: BodyField): unknown {
  if (kind?.choices !== undefined || kind === undefined || typeof value !== 'string') return value;
  try {
    return kind.parse(value);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw invalidError(`invalid ${name} "${value}" in the file: ${reason}`, { target: '--file' });
  }
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}
