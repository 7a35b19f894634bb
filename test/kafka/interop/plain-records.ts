import { compressions } from '../../../src/kafka/records/batches/compression/compressions.ts';

/** A record with what every client supports; null and empty keys and values differ. */
export interface InteropRecord {
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  /** In order; names may repeat. */
  readonly headers: readonly (readonly [name: string, value: Buffer | null])[];
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
}

/** Every codec for batches, and none. */
export const codecs: readonly string[] = compressions;

const start = Date.UTC(2021, 5, 1, 0, 0, 0, 123);
const everyByte = Buffer.from(Array.from({ length: 256 }, (_, index) => index));

function record(key: Buffer | string | null, value: Buffer | string | null, at: number): InteropRecord {
  const bytes = (part: Buffer | string | null) => (typeof part === 'string' ? Buffer.from(part) : part);
  return { key: bytes(key), value: bytes(value), headers: [], timestamp: start + at * 1001 };
}

/** Values that are easily lost between clients, and enough text to compress. */
export function hardRecords(): readonly InteropRecord[] {
  const plain = [
    record('k', 'v', 0),
    record(null, 'no key', 1),
    record('no value', null, 2),
    record(null, null, 3),
    record('', 'empty key', 4),
    record('empty value', '', 5),
    record('', '', 6),
    record(everyByte, everyByte, 7),
    record('schlüssel', 'wert ✓ \u{1f600}\r\n\t', 8),
    record(Buffer.of(0), Buffer.of(0xff, 0xfe, 0), 9),
    record('large', Buffer.alloc(100_000, 'abcdefghij'), 10),
  ];
  const headers: InteropRecord['headers'] = [
    ['a', Buffer.from('1')],
    ['b', null],
    ['a', Buffer.from('2')],
    ['', Buffer.from('no name')],
    ['empty', Buffer.alloc(0)],
    ['ümlaut', everyByte],
  ];
  const many = Array.from({ length: 300 }, (_, index) =>
    record(`key-${index}`, 'text '.repeat(index % 50), 20 + index),
  );
  return [...plain, { ...record('with', 'headers', 11), headers }, { ...record(null, null, 12), headers }, ...many];
}

interface Envelope {
  readonly key?: string | null;
  readonly key_encoding?: string;
  readonly value?: string | null;
  readonly value_encoding?: string;
  readonly headers?: readonly Envelope[];
  readonly timestamp?: number;
}

/** The records as weir's JSON, a line each, everything in base64. */
export function toEnvelopes(records: readonly InteropRecord[]): string {
  const field = (name: string, bytes: Buffer | null) =>
    bytes === null ? { [name]: null } : { [name]: bytes.toString('base64'), [`${name}_encoding`]: 'base64' };
  return records
    .map(({ key, value, headers, timestamp }) => {
      const list = headers.map(([name, content]) => ({ key: name, ...field('value', content) }));
      return `${JSON.stringify({ ...field('key', key), ...field('value', value), headers: list, timestamp })}\n`;
    })
    .join('');
}

/** The records that weir's JSON describes. */
export function fromEnvelopes(lines: readonly string[]): readonly InteropRecord[] {
  return lines.map((line) => {
    const envelope = JSON.parse(line) as Envelope;
    return {
      key: fieldOf(envelope, 'key'),
      value: fieldOf(envelope, 'value'),
      headers: (envelope.headers ?? []).map((header) => [header.key ?? '', fieldOf(header, 'value')] as const),
      timestamp: envelope.timestamp ?? -1,
    };
  });
}

function fieldOf(envelope: Envelope, name: 'key' | 'value'): Buffer | null {
  const text = envelope[name];
  if (text === undefined || text === null) return null;
  return Buffer.from(text, envelope[`${name}_encoding`] === 'base64' ? 'base64' : 'utf8');
}
