import { CliError, exitCodes } from '../../../errors.ts';
import { type Encoder, MismatchError } from '../../../serde/schema.ts';
import { framed } from '../../../serde/wire-format.ts';
import type { ParsedRecord } from './parse.ts';

/** How a key or value is encoded. */
export interface FieldEncoding {
  readonly encoder: Encoder;
  /** The schema id that precedes the payload. */
  readonly id: number;
}

/** How the records of a topic are encoded; a field that is undefined is written as it is. */
export interface RecordEncoding {
  readonly key: FieldEncoding | undefined;
  readonly value: FieldEncoding | undefined;
}

/** Where a record is in the input. */
export interface InputPlace {
  /** The number of the record, from 1. */
  readonly count: number;
  /** The line of the input in which it begins, from 1. */
  readonly line: number | undefined;
}

/**
 * Replaces the JSON of a record by payloads; null stays null.
 * @throws CliError if the JSON does not fit the schema
 */
export function encodeRecord(record: ParsedRecord, { key, value }: RecordEncoding, input: InputPlace): void {
  if (key !== undefined && record.keyLength >= 0) {
    record.keyBytes = encoded(key, rangeOf(record.keyBytes, record.keyStart, record.keyLength), { name: 'key', input });
    record.keyStart = 0;
    record.keyLength = record.keyBytes.length;
  }
  if (value !== undefined && record.valueLength >= 0) {
    const json = rangeOf(record.valueBytes, record.valueStart, record.valueLength);
    record.valueBytes = encoded(value, json, { name: 'value', input });
    record.valueStart = 0;
    record.valueLength = record.valueBytes.length;
  }
}

function rangeOf(bytes: Uint8Array, start: number, length: number): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, length);
}

interface Field {
  readonly name: 'key' | 'value';
  readonly input: InputPlace;
}

function encoded({ encoder, id }: FieldEncoding, json: Buffer, { name, input }: Field): Buffer {
  try {
    return framed(id, encoder.encode(json));
  } catch (error) {
    if (!(error instanceof MismatchError)) throw error;
    const { count, line } = input;
    const where = line === undefined ? `record ${count}` : `record ${count} (input line ${line})`;
    throw new CliError(
      exitCodes.failure,
      `unable to encode ${where}: the ${name} does not fit schema ${id} at ${error.path}: expected ${error.expected}, found ${error.found}`,
      {
        code: 'SCHEMA_MISMATCH',
        target: `record ${count}`,
        hints: [
          ...(error.expected === 'JSON' ? ['put text in double quotes, as JSON requires'] : []),
          `see the schema with: weir registry schema get --id ${id} --print-schema`,
        ],
      },
    );
  }
}
