import { recordOrigin } from '../../../../src/kafka/records/batches/cursor.ts';
import type { FilterSource } from '../../../../src/kafka/records/filter/filter.ts';
import { openFilter } from '../../../../src/kafka/records/filter/filter.ts';
import { cursorAt, type PlainRecord } from '../batches/batches.ts';

/** What a test says of a record; everything else has a fixed value. */
export interface RecordText {
  readonly key?: string | Buffer | null;
  readonly value?: string | Buffer | null;
  readonly headers?: readonly (readonly [string, string | null])[];
  readonly timestamp?: number | bigint;
}

/** A record of texts. */
export function recordOf({ key = null, value = null, headers = [], timestamp = 1_000 }: RecordText): PlainRecord {
  const bytes = (one: string | Buffer | null) => (typeof one === 'string' ? Buffer.from(one) : one);
  return {
    key: bytes(key),
    value: bytes(value),
    headers: headers.map(([name, text]) => [Buffer.from(name), text === null ? null : Buffer.from(text)]),
    timestamp,
  };
}

/** The place of the records of these tests. */
export const origin = recordOrigin('orders', 2);

/** Tests one record, and says why it cannot be decided. */
export async function verdict(
  source: FilterSource | string,
  record: RecordText,
  offset = 7n,
): Promise<boolean | string> {
  const filter = await openFilter(typeof source === 'string' ? { where: [source] } : source);
  const cursor = cursorAt(recordOf(record), offset, origin);
  return filter.test(cursor) ?? filter.fault().reason;
}

/** The message and the hints of an expression that is not valid. */
export async function errorOf(where: string): Promise<readonly [message: string, ...hints: string[]]> {
  try {
    await openFilter({ where: [where] });
  } catch (error) {
    const { message, hints = [] } = error as { readonly message: string; readonly hints?: readonly string[] };
    return [message, ...hints];
  }
  throw new Error(`${where} is valid`);
}
