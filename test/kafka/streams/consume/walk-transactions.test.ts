import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compileFormat } from '../../../../src/kafka/records/language/format.ts';
import { createWalker, type WalkedRecords } from '../../../../src/kafka/streams/consume/walk.ts';
import {
  answerFetch,
  anySteps,
  type CommittedAnswer,
  type LogRecord,
  type LogStep,
  type Thinning,
  type TransactionalLog,
  writeLog,
} from './transactional-log.ts';

/** A log and the way to read it. */
interface Reading {
  readonly steps: readonly LogStep[];
  readonly thinnings: readonly Thinning[];
  readonly isFar: boolean;
  /** Where the read begins, in thousandths of the log. */
  readonly start: number;
  /** The size of each fetch, in turn. */
  readonly fetchSizes: readonly number[];
  readonly slack: number;
  readonly pieceBytes: number;
  readonly limit: number;
  readonly end: number | undefined;
}

const anyReading: fc.Arbitrary<Reading> = fc.record({
  steps: anySteps,
  thinnings: fc.oneof(
    fc.constant([]),
    fc.array(fc.record({ keep: fc.nat(15), leavesHeader: fc.boolean() }), { minLength: 1, maxLength: 12 }),
  ),
  isFar: fc.boolean(),
  start: fc.noBias(fc.nat(1000)),
  fetchSizes: fc.array(fc.oneof(fc.constant(1), fc.nat(400), fc.nat(4000)), { minLength: 1, maxLength: 8 }),
  slack: fc.nat(30),
  pieceBytes: fc.constantFrom(1, 20, 100, 1 << 16),
  limit: fc.oneof(
    { weight: 4, arbitrary: fc.constant(Number.POSITIVE_INFINITY) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 20 }) },
  ),
  end: fc.option(fc.noBias(fc.nat(1000)), { nil: undefined }),
});

const source = { layout: '%o=%v\\n' };

interface Got {
  readonly text: string;
  readonly reached: bigint;
}

/** Walks one answer and returns its pieces, copied. */
type WalkAnswer = (chunk: WalkedRecords, limit: number) => Promise<readonly Got[]>;

function offsetAt(log: TransactionalLog, base: bigint, thousandths: number): bigint {
  return base + ((log.lastStableOffset - base) * BigInt(thousandths)) / 1000n;
}

function chunkOf({ end: logEnd, lastStableOffset }: TransactionalLog, answer: CommittedAnswer): WalkedRecords {
  const marks = { logStartOffset: 0n, lastStableOffset, highWatermark: logEnd };
  const { records, to, abortedTransactions } = answer;
  return { ...marks, topic: 't', partition: 0, records, from: 0n, to, end: undefined, abortedTransactions };
}

function textOf(records: readonly LogRecord[]): string {
  return records.map(({ offset, value }) => `${offset}=${value}\n`).join('');
}

/**
 * Reads a log to its last stable offset, one fetch after the other, and compares every piece with the log itself.
 * @returns how many records there were
 */
async function check(reading: Reading, printControl: boolean, walk: WalkAnswer): Promise<number> {
  const base = reading.isFar ? 2n ** 53n + 3n : 0n;
  const log = writeLog(reading.steps, reading.thinnings, base);
  const end = reading.end === undefined ? undefined : offsetAt(log, base, reading.end);
  let from = offsetAt(log, base, reading.start);
  const expected: LogRecord[] = [];
  let got = '';
  for (let round = 0; from < (end ?? log.lastStableOffset); round++) {
    const size = reading.fetchSizes[round % reading.fetchSizes.length] ?? 1;
    const answer = answerFetch(log, from, size, BigInt(reading.slack));
    if (answer.records.length === 0) break;
    const limit = reading.limit - expected.length;
    if (limit <= 0) break;
    const wanted = answer.shown
      .filter(({ offset, isMarker }) => (end === undefined || offset < end) && (printControl || !isMarker))
      .slice(0, limit);
    expected.push(...wanted);
    for (const { text, reached } of await walk({ ...chunkOf(log, answer), from, end }, limit)) {
      got += text;
      // Continuing there misses and repeats nothing.
      expect(textOf(expected.filter(({ offset }) => offset < reached))).toBe(got);
    }
    from = answer.to;
  }
  expect(got).toBe(textOf(expected));
  return expected.length;
}

function walkHere(pieceBytes: number, printControl: boolean): WalkAnswer {
  const walker = createWalker({ format: compileFormat(source.layout), printControl, readCommitted: true, pieceBytes });
  return async (chunk, limit) => {
    const pieces: Got[] = [];
    for (const { bytes, reached, damage } of walker.walk(chunk, limit)) {
      expect(damage).toBeUndefined();
      pieces.push({ text: bytes.toString(), reached });
    }
    return pieces;
  };
}

async function checkMany(numRuns: number, check: (reading: Reading) => Promise<number>): Promise<void> {
  let records = 0;
  await fc.assert(
    fc.asyncProperty(anyReading, async (reading) => {
      records += await check(reading);
    }),
    { numRuns, seed: 20_270_114 },
  );
  expect(records).toBeGreaterThan(numRuns * 2);
}

for (const printControl of [false, true]) {
  it(`random transactional logs are read as they were committed${printControl ? ', with their markers' : ''}`, async () => {
    await checkMany(800, (reading) => check(reading, printControl, walkHere(reading.pieceBytes, printControl)));
  });
}
