import type { Context } from '../../../context.ts';
import { CliError, exitCodes, usageError, withHints } from '../../../errors.ts';
import { grouped } from '../../../format/count.ts';
import { shellWord } from '../../../format/shell-word.ts';
import type { DecodeOptions } from '../../../kafka/records/language/decode-options.ts';
import { createDecoding, type FetchedSchema, type UndecodedRecords } from '../../../kafka/records/language/decoding.ts';
import type { FieldEncoding, RecordEncoding } from '../../../kafka/records/language/encoding.ts';
import type { PrintDecoding } from '../../../kafka/streams/consume/printer.ts';
import type { Registry } from '../../../registry/open.ts';
import type { StoredSchema } from '../../../registry/rows.ts';
import { codecOf } from '../../../serde/codec.ts';
import type { Random } from '../../../serde/random.ts';
import { type Codec, MessageTypeError, SchemaError } from '../../../serde/schema.ts';
import { maxSchemaId, type SchemaName } from '../../../serde/wire-format.ts';

/** The schema of a field to encode: an id, a subject, or the newest version of the subject that the topic has for the field. */
export type SchemaChoice = number | 'topic' | { readonly subject: string };

/** Which schemas to encode keys and values by. */
export interface EncodeChoices {
  readonly key: SchemaChoice | undefined;
  readonly value: SchemaChoice | undefined;
  /** The message types of Protobuf schemas. */
  readonly keyMessage: string | undefined;
  readonly valueMessage: string | undefined;
}

/** A schema of the registry, compiled. */
export interface CompiledSchema {
  readonly id: number;
  readonly codec: Codec;
}

/** Fetches and compiles schemas, each once. */
export type SchemaLookup = (choice: SchemaChoice, topic: string, field: 'key' | 'value') => Promise<CompiledSchema>;

/**
 * Returns a lookup of schemas in the registry.
 * @param contextOf the context of a topic's schemas, such as `:.staging:`; '' for the default one
 */
export function schemaLookup(context: Context, contextOf: (topic: string) => Promise<string>): SchemaLookup {
  const codecs = new Map<string, Promise<Codec>>();
  return async (choice, topic, field) => {
    const registry = await context.registry();
    const prefix = await contextOf(topic);
    const subject = typeof choice === 'object' ? choice.subject : `${topic}-${field}`;
    const schema =
      typeof choice === 'number'
        ? await registry.schemaById(choice, prefix)
        : await newestSchema(registry, subject.startsWith(':.') ? subject : prefix + subject);
    const key = `${schema.context ?? ''}${schema.id}`;
    const codec = codecs.get(key) ?? compiled(registry, schema);
    codecs.set(key, codec);
    return { id: schema.id, codec: await codec };
  };
}

/** Returns how to look up the schemas of a topic's records. */
export function encodingLookup(
  schemas: SchemaLookup,
  choices: EncodeChoices,
): (topic: string) => Promise<RecordEncoding> {
  const fieldOf = async (found: Promise<CompiledSchema>, { message, flag }: MessageChoice): Promise<FieldEncoding> => {
    const { id, codec } = await found;
    const encoder = await usable(
      id,
      async () => codec.encoder({ message: message === '' ? undefined : message }),
      flag,
    );
    return { encoder, id };
  };
  return async (topic) => {
    const { key, value, keyMessage, valueMessage } = choices;
    const ofKey = { message: keyMessage, flag: '--schema-key-type' };
    const ofValue = { message: valueMessage, flag: '--schema-type' };
    return {
      key: key === undefined ? undefined : await fieldOf(schemas(key, topic, 'key'), ofKey),
      value: value === undefined ? undefined : await fieldOf(schemas(value, topic, 'value'), ofValue),
    };
  };
}

/** Returns how to make random examples of a schema, in JSON. */
export function exampleMaker(
  { id, codec }: CompiledSchema,
  random: Random,
  { message, flag }: MessageChoice,
): Promise<() => string> {
  const make = (): string => codec.example({ random, message: message === '' ? undefined : message });
  return usable(
    id,
    async () => {
      make();
      return make;
    },
    flag,
  );
}

/** The message type of a Protobuf schema, and the flag that chooses it. */
export interface MessageChoice {
  readonly message: string | undefined;
  readonly flag: string;
}

async function newestSchema(registry: Registry, subject: string): Promise<StoredSchema> {
  try {
    return await registry.schemaOfVersion(subject, 'latest');
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== 'SUBJECT_NOT_FOUND') throw error;
    const how = `register a schema with: weir registry schema create ${shellWord(subject)} --schema FILE`;
    throw withHints(error, [how]);
  }
}

async function compiled(registry: Registry, schema: StoredSchema): Promise<Codec> {
  const source = await registry.withReferences(schema);
  return usable(schema.id, () => codecOf(source));
}

/** Names the schema in the error for one that cannot be used. */
async function usable<T>(id: number, work: () => Promise<T>, typeFlag?: string): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    throw new CliError(exitCodes.failure, `unable to use schema ${id}: ${error.message}`, {
      code: 'UNUSABLE_SCHEMA',
      target: String(id),
      hints: [
        ...(error instanceof MessageTypeError && typeFlag !== undefined
          ? [`choose a message type with ${typeFlag}`]
          : []),
        `see the schema with: weir registry schema get --id ${id} --print-schema`,
      ],
    });
  }
}

/** Decoding for `topic consume`, with a summary of what could not be decoded. */
export interface ConsumeDecoding extends PrintDecoding {
  readonly options: DecodeOptions;
  /** Returns the line for the end of the command; undefined if everything was decoded. */
  summary(): string | undefined;
}

/** What the decoding of records depends on, besides the options that say which fields. */
interface DecodingParts {
  /** Whether not all records are printed. */
  readonly isForConditions: boolean;
  /** In which context the ids are, such as `:.staging:`; '' for the default one. */
  schemaContext(): Promise<string>;
}

/** Creates the decoding of records by the schemas of the registry. */
export function consumeDecoding(
  context: Context,
  options: DecodeOptions,
  { isForConditions, schemaContext }: DecodingParts,
): ConsumeDecoding {
  let undecoded = 0;
  const isSkipping = options.onError === 'skip';
  return {
    options,
    decoding: createDecoding(options),
    fetchSchema: (name) => fetchSchema(context, name, schemaContext),
    onUndecoded({ count: records, first }: UndecodedRecords) {
      const outcome = isSkipping ? 'the record is left out' : `its bytes are ${isForConditions ? 'used' : 'printed'}`;
      if (undecoded === 0) context.warn(`unable to decode ${first}; ${outcome} (others are only counted)`);
      undecoded += records;
    },
    summary() {
      if (undecoded === 0) return undefined;
      const fate = isSkipping ? 'left out' : isForConditions ? 'used as stored' : 'printed as stored';
      const outcome = `${undecoded === 1 ? 'was' : 'were'} ${fate}`;
      return `${grouped(undecoded, 'record')} could not be decoded and ${outcome}`;
    },
  };
}

async function fetchSchema(
  context: Context,
  name: SchemaName,
  schemaContext: () => Promise<string>,
): Promise<FetchedSchema> {
  if (typeof name === 'number' && name > maxSchemaId) return undefined;
  const registry = await context.registry();
  let schema: StoredSchema | undefined;
  try {
    schema = await (typeof name === 'number'
      ? registry.schemaById(name, await schemaContext())
      : registry.schemaByGuid(name));
    return await registry.withReferences(schema);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    // Of a reference that is missing, the registry says which.
    if (error.exitCode === exitCodes.notFound) return schema && { unusable: error.message };
    if (faultsOfSchemas.has(error.code)) return { unusable: error.message };
    throw error;
  }
}

/** Errors about a schema that do not concern records with other schemas. */
const faultsOfSchemas: ReadonlySet<string> = new Set(['BAD_REFERENCES', 'UNKNOWN_SCHEMA_TYPE']);

/** Parses the parts of `--use-schema-registry`: key, value, or a beginning of them. */
export function decodedFields(parts: readonly string[]): { readonly key: boolean; readonly value: boolean } {
  const isPart = (part: string, name: string): boolean => part !== '' && name.startsWith(part.toLowerCase());
  const unknown = parts.find((part) => !isPart(part, 'key') && !isPart(part, 'value'));
  if (unknown !== undefined) {
    throw usageError(`unknown part "${unknown}" of --use-schema-registry: use key, value or key,value`);
  }
  return { key: parts.some((part) => isPart(part, 'key')), value: parts.some((part) => isPart(part, 'value')) };
}
