import type { Arena, ViewedBytes } from '../bytes/arena.ts';
import type { Natural } from './natural.ts';
import type { Random } from './random.ts';

/** The formats of schemas, as registries spell them. */
export const schemaTypes = ['AVRO', 'PROTOBUF', 'JSON'] as const;

/** The format of a schema. */
export type SchemaType = (typeof schemaTypes)[number];

/** A schema that another one refers to. */
export interface ReferencedSchema {
  /** The name by which the schema refers to it: a full name (Avro), an import path (Protobuf) or a URI (JSON Schema). */
  readonly name: string;
  readonly text: string;
}

/** A schema with everything that it refers to, as plain data that another thread can compile as well. */
export interface SchemaSource {
  readonly type: SchemaType;
  readonly text: string;
  /** All references, also those of references, each once; a schema comes after the ones that it refers to. */
  readonly references: readonly ReferencedSchema[];
  /**
   * Whether the schema is not registered yet, so that all rules of its format apply. Registries have schemas from times
   * with fewer rules, which records must still be read with.
   */
  readonly isNew?: boolean;
}

/** How a payload is framed and which message it holds; of interest to Protobuf only. */
export interface MessageOptions {
  /** The full name of the message type to encode; undefined for the only or first one of the schema. */
  readonly message?: string | undefined;
  /** Whether the message indexes are not part of the payload, because they are in a header of the record. */
  readonly bare?: readonly number[] | undefined;
}

/** Which example to make. */
export interface ExampleOptions extends MessageOptions {
  /** Chooses the values; undefined for the same values always. */
  readonly random?: Random | undefined;
}

/**
 * Returns how long the JSON of a payload may become. A few bytes can stand for long text (a symbol, a name, an
 * array of a million nulls), so this keeps hostile payloads from filling the memory.
 */
export function mostText(payloadBytes: number): number {
  return 2 ** 20 + Math.min(payloadBytes * 1024, 2 ** 26 + payloadBytes * 64);
}

/** Turns payloads into JSON. */
export interface Decoder {
  /**
   * Appends one line of JSON for the payload in `source[start, end)`, without a newline.
   * @throws PayloadError if the payload does not match the schema; the arena may then hold part of the JSON
   */
  decode(source: ViewedBytes, start: number, end: number, arena: Arena): void;
  /** Makes values of the JSON of the payload that was decoded last; undefined if they are those of the JSON. */
  readonly natural?: Natural;
}

/** Turns JSON into payloads. */
export interface Encoder {
  /**
   * Returns the payload for JSON text in UTF-8; valid until the next call.
   * @throws MismatchError if the JSON does not fit the schema
   */
  encode(json: Buffer): Buffer;
}

/** A compiled schema. */
export interface Codec {
  /** Returns the decoder, compiled at the first call. */
  decoder(options?: MessageOptions): Decoder;
  /**
   * Returns an encoder.
   * @throws SchemaError if the message type of the options is not in the schema, or is needed and missing
   */
  encoder(options?: MessageOptions): Encoder;
  /**
   * Whether every text and name that contains `text` in decoded JSON is in the payload with the same bytes (UTF-8, or
   * JSON with escapes), and not made from something else: a symbol, a field's name, base64. The text must not need escapes
   * in JSON.
   */
  keeps(text: string): boolean;
  /**
   * Returns JSON text that fits the schema, as an example for a person: indented by two spaces.
   * @throws SchemaError if there is none, or the message type is not in the schema
   */
  example(options?: ExampleOptions): string;
}

/** Creates the error for a payload that cannot be decoded; `path` is where in the value, such as `$.items[2].price`. */
export class PayloadError extends Error {
  override readonly name = 'PayloadError';
  readonly path: string | undefined;

  constructor(reason: string, path?: string) {
    super(reason);
    this.path = path;
  }
}

/** The error for JSON that does not fit a schema. */
export class MismatchError extends Error {
  override readonly name = 'MismatchError';
  /** Where in the value, such as `$.items[2].price`. */
  readonly path: string;
  /** What the schema asks for there, in its own words. */
  readonly expected: string;
  /** What is there instead. */
  readonly found: string;

  constructor(path: string, expected: string, found: string) {
    super(`${path}: expected ${expected}, found ${found}`);
    this.path = path;
    this.expected = expected;
    this.found = found;
  }
}

/** The error for a schema that is not valid, or that weir cannot use. */
export class SchemaError extends Error {
  override readonly name: string = 'SchemaError';
}

/** The error for a schema that refers to one which is not among its references. */
export class MissingReferenceError extends SchemaError {
  override readonly name = 'MissingReferenceError';
  /** The name by which the schema refers to it. */
  readonly reference: string;

  constructor(message: string, reference: string) {
    super(message);
    this.reference = reference;
  }
}

/** The error for a message type that must be chosen, or that the schema does not have. */
export class MessageTypeError extends SchemaError {
  override readonly name = 'MessageTypeError';
}
