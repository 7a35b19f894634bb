import { expect, it } from 'vitest';
import { createRenamer, type SchemaMapping } from '../../../../src/kafka/carry/copy/schemas.ts';
import { createWriterPool } from '../../../../src/kafka/carry/packer.ts';
import { createPorter } from '../../../../src/kafka/carry/portions.ts';
import { recordOrigin } from '../../../../src/kafka/records/batches/cursor.ts';
import { type PlainRecord, readAll, writeBatch } from '../../records/batches/batches.ts';

/** Ids of the destination are a hundred higher. */
const mapping: SchemaMapping = {
  fields: ['key', 'value'],
  nameOf: async (name) => (typeof name === 'number' ? name + 100 : name),
};

const record = (more: Partial<PlainRecord>): PlainRecord => ({
  key: null,
  value: null,
  headers: [],
  timestamp: 5,
  ...more,
});
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

/** Copies records like a topic, going on after each schema that is mapped. */
async function renamed(records: readonly PlainRecord[], compression: 'none' | 'zstd' = 'none') {
  const renamer = createRenamer(mapping, { source: 'from', target: 'to' });
  const porter = createPorter({
    pool: createWriterPool(1 << 20, false),
    maxBatchBytes: 1 << 20,
    isTransactional: false,
    partitionOf: undefined,
    wants: undefined,
    revise: renamer.revise,
  });
  const bytes = writeBatch(records, { compression });
  const batches: Buffer[] = [];
  for (let from = 0n; ; ) {
    const chunk = {
      partition: 0,
      records: bytes,
      from,
      to: BigInt(records.length),
      end: undefined,
      abortedTransactions: [],
    };
    try {
      for (const { parcels, upTo } of porter.portions(chunk, recordOrigin('from', 0))) {
        from = upTo;
        for (const { writer } of parcels) {
          batches.push(Buffer.from(writer.finish({ producerId: 1n, producerEpoch: 0, baseSequence: 0 })));
        }
      }
      return { renamer, records: batches.flatMap((batch) => readAll(batch)) };
    } catch (error) {
      if (!(await renamer.resolves(error))) throw error;
    }
  }
}

it.each(['none', 'zstd'] as const)(
  'puts the ids of the destination before payloads, message indexes stay (%s)',
  async (codec) => {
    const { records } = await renamed(
      [
        record({ key: hex('00 00000001 aa'), value: hex('00 00000002 02 02 bb') }),
        record({ key: hex('00 00000001 cc'), value: null }),
        record({ key: null, value: hex('00 00000003') }),
      ],
      codec,
    );
    expect(records.map(({ key, value }) => [key?.toString('hex'), value?.toString('hex')])).toEqual([
      ['0000000065aa', '00000000660202bb'],
      ['0000000065cc', undefined],
      [undefined, '0000000067'],
    ]);
  },
);

it('puts them into headers, where a record has its schema there', async () => {
  const headers = [
    ['__value_schema_id', '00 00000007 02 02'],
    ['__key_schema_id', '01 0f0e0d0c0b0a09080706050403020100'],
    ['other', '00 00000007'],
    ['apicurio.key.contentId', '0000000000000008'],
  ].map(([name = '', value = '']) => [Buffer.from(name), hex(value)] as const);
  const { records } = await renamed([
    record({ key: hex('00 00000001 aa'), value: hex('00 00000002 bb'), headers: headers.slice(0, 3) }),
    record({ key: hex('aa'), value: null, headers: headers.slice(3) }),
  ]);
  // The bytes that look like a prefix belong to the payload then.
  expect(records[0]).toMatchObject({ key: hex('00 00000001 aa'), value: hex('00 00000002 bb') });
  expect(records.flatMap((one) => one.headers.map(([, value]) => value?.toString('hex')))).toEqual([
    '000000006b0202',
    '010f0e0d0c0b0a09080706050403020100',
    '0000000007',
    '000000000000006c',
  ]);
});

it('leaves what names no schema as it is, and counts it', async () => {
  const values = ['', '{"a":1}', '00 000001', '01 00000001'].map((text) =>
    text.startsWith('0') ? hex(text) : Buffer.from(text),
  );
  const { records, renamer } = await renamed([
    ...values.map((value) => record({ value })),
    record({ key: hex('00 00000001') }),
  ]);
  expect(records.slice(0, 4).map(({ value }) => value)).toEqual(values);
  expect(renamer.nameless).toBe(4);
});
