import { describe, expect, it } from 'vitest';
import { type CliError, exitCodes } from '../../../../src/errors.ts';
import { encodeRecord, type RecordEncoding } from '../../../../src/kafka/records/language/encoding.ts';
import type { ParsedRecord } from '../../../../src/kafka/records/language/parse.ts';
import { MismatchError } from '../../../../src/serde/schema.ts';

/** Writes JSON in capitals; nothing else than `"ok"` fits. */
function encode(json: Buffer): Buffer {
  if (json.toString() !== '"ok"') throw new MismatchError('$', 'ok', json.toString());
  return Buffer.from('OK');
}

const encoding: RecordEncoding = { key: { encoder: { encode }, id: 7 }, value: { encoder: { encode }, id: 8 } };

/** A record whose key and value stand between other bytes; undefined is null. */
function record(key: string | undefined, value: string | undefined): ParsedRecord {
  const field = (text = '') => Buffer.from(`-${text}-`);
  return {
    ...{ keyBytes: field(key), keyStart: 1, keyLength: key?.length ?? -1 },
    ...{ valueBytes: field(value), valueStart: 1, valueLength: value?.length ?? -1 },
  } as Partial<ParsedRecord> as ParsedRecord;
}

function failure(given: ParsedRecord, line: number | undefined): CliError | undefined {
  try {
    encodeRecord(given, encoding, { count: 3, line });
  } catch (error) {
    return error as CliError;
  }
  return undefined;
}

describe('the encoding of a record', () => {
  it('replaces JSON by the schema id and the payload; null stays null', () => {
    const given = record(undefined, '"ok"');
    expect(failure(given, 5)).toBeUndefined();
    expect(given).toMatchObject({ keyLength: -1, valueStart: 0, valueLength: 7 });
    expect(given.valueBytes).toEqual(Buffer.from([0, 0, 0, 0, 8, 0x4f, 0x4b]));
  });

  it.each([
    [5, 'record 3 (input line 5)'],
    [undefined, 'record 3'],
  ])('reports a mismatch in line %s with its code and the record', (line, where) => {
    expect(failure(record('"no"', '"ok"'), line)).toMatchObject({
      ...{ code: 'SCHEMA_MISMATCH', target: 'record 3', exitCode: exitCodes.failure },
      message: `unable to encode ${where}: the key does not fit schema 7 at $: expected ok, found "no"`,
      hints: ['see the schema with: weir registry schema get --id 7 --print-schema'],
    });
  });
});
