import { CliError } from '../../../../src/errors.ts';
import { compileParser, type ParserOptions, type RecordParser } from '../../../../src/kafka/records/language/parse.ts';

/** What the tests look at of a record. */
export interface Seen {
  readonly t?: string | undefined;
  readonly k?: string | null;
  readonly v?: string | null;
  readonly h?: readonly string[];
  readonly p?: number | undefined;
  readonly d?: number | bigint;
}

/** The record under the parser. */
export function seen({ record }: RecordParser): Seen {
  const text = (bytes: Uint8Array, start: number, length: number) =>
    length < 0 ? null : Buffer.from(bytes.subarray(start, start + length)).toString();
  return {
    ...(record.topic === undefined ? {} : { t: record.topic }),
    ...(record.keyLength < 0 ? {} : { k: text(record.keyBytes, record.keyStart, record.keyLength) }),
    v: text(record.valueBytes, record.valueStart, record.valueLength),
    ...(record.headers.length === 0
      ? {}
      : {
          h: record.headers.map(
            ({ key, value }) => `${Buffer.from(key)}=${value === null ? 'null' : Buffer.from(value)}`,
          ),
        }),
    ...(record.partition === undefined ? {} : { p: record.partition }),
    ...(record.hasTimestamp ? { d: Number.isNaN(record.timestamp) ? record.exactTimestamp : record.timestamp } : {}),
  };
}

/** All records, then `end` or the reason of the error. Chunks are wiped after use, as a caller may do. */
export function parse(layout: string, chunks: readonly Buffer[], options: ParserOptions = {}): unknown[] {
  const parser = compileParser(layout).create(options);
  const results: unknown[] = [];
  try {
    for (const chunk of chunks) {
      const own = Buffer.from(chunk);
      parser.push(own);
      while (parser.next()) results.push(seen(parser));
      own.fill(0xee);
    }
    parser.end();
    while (parser.next()) results.push(seen(parser));
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return [...results, error.message.replace(/^unable to read record \d+ \(input (?:line \d+, )?byte \d+\): /, '')];
  }
  return results;
}
