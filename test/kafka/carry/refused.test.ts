import { expect, it } from 'vitest';
import { createWriterPool, divideRefused, noteOffset } from '../../../src/kafka/carry/packer.ts';
import { codes } from '../../../src/kafka/protocol/wire/error-codes.ts';
import { createOutgoingRecord } from '../../../src/kafka/records/batches/batch-records.ts';
import { createLane, sealLane } from '../../../src/kafka/streams/produce/lane.ts';

interface Case {
  readonly what: string;
  readonly code: number;
  readonly count: number;
  readonly indexes: readonly number[];
  /** The offsets of the records of each batch. */
  readonly batches: readonly (readonly number[])[];
  readonly left: readonly number[];
}

const { MESSAGE_TOO_LARGE, INVALID_RECORD, TOPIC_AUTHORIZATION_FAILED } = codes;

it.each<Case>([
  {
    what: 'halves are tried where nobody is named',
    code: MESSAGE_TOO_LARGE,
    count: 5,
    indexes: [],
    batches: [
      [0, 2, 4],
      [6, 8],
    ],
    left: [],
  },
  {
    what: 'those that are named are left out',
    code: INVALID_RECORD,
    count: 5,
    indexes: [1, 4],
    batches: [[0, 4, 6]],
    left: [2, 8],
  },
  {
    what: 'names that are not in the batch do not count',
    code: INVALID_RECORD,
    count: 2,
    indexes: [7, -1],
    batches: [[0], [2]],
    left: [],
  },
  { what: 'one alone is at fault', code: INVALID_RECORD, count: 1, indexes: [], batches: [], left: [0] },
  {
    what: 'a topic refuses all of them',
    code: TOPIC_AUTHORIZATION_FAILED,
    count: 3,
    indexes: [],
    batches: [],
    left: [0, 2, 4],
  },
])('$what', ({ code, count, indexes, batches, left }) => {
  const pool = createWriterPool(1 << 20, false);
  const writer = pool.take('gzip');
  for (let at = 0; at < count; at += 1) {
    writer.append(createOutgoingRecord());
    noteOffset(pool, writer, BigInt(at * 2));
  }
  const identity = { producerId: 7n, producerEpoch: 0 };
  const lane = createLane('foo', 0, 1);
  lane.open = { writer, createdAt: 0, createdWallMs: 0, numbers: [] };
  const batch = sealLane(lane, identity);
  if (batch === undefined) throw new Error('no batch');
  const divided = divideRefused(batch, { code, reason: undefined, indexes }, pool);
  expect(divided.writers.map((one) => pool.offsets.get(one)?.map(Number))).toEqual(batches);
  expect(divided.writers.map((one) => one.count)).toEqual(batches.map(({ length }) => length));
  expect(divided.left.map(Number)).toEqual(left);
});
