import { describe, expect, it } from 'vitest';
import { compileFormat } from '../../../../src/kafka/records/language/format.ts';
import { createWalker, type WalkedRecords, type WalkOptions } from '../../../../src/kafka/streams/consume/walk.ts';
import { batchBytes, dataBytes, markerBytes } from './control-batches.ts';

/** Walks batches with read committed, as one answer to a fetch from `from`. */
function committed(
  batches: readonly Buffer[],
  more: Partial<WalkedRecords> & Partial<WalkOptions> & { readonly limit?: number } = {},
): string {
  const { limit = Number.POSITIVE_INFINITY, pieceBytes = 1 << 16, printControl = false, ...chunk } = more;
  const walker = createWalker({ format: compileFormat('%v '), printControl, readCommitted: true, pieceBytes });
  const records = {
    ...{ topic: 't', partition: 0, records: Buffer.concat(batches), from: 0n, to: 1000n, end: undefined },
    ...{ logStartOffset: 0n, lastStableOffset: 1000n, highWatermark: 1000n, abortedTransactions: [] },
    ...chunk,
  };
  let text = '';
  for (const { bytes } of walker.walk(records, limit)) text += bytes.toString();
  return text.trim();
}

const aborted = (...list: readonly (readonly [producerId: bigint, firstOffset: bigint])[]) => ({
  abortedTransactions: list.map(([producerId, firstOffset]) => ({ producerId, firstOffset })),
});

describe('a committed read', () => {
  it('that begins at the marker of an aborted transaction shows what its producer committed later', () => {
    const batches = [
      markerBytes(5n, 7n, 'abort'),
      dataBytes(6n, 7n, 'a', 'b'),
      markerBytes(8n, 7n, 'commit'),
      dataBytes(9n, 7n, 'c'),
    ];
    expect(committed(batches, { from: 5n, ...aborted([7n, 0n]) })).toBe('a b c');
  });

  it('that begins in the middle of an aborted transaction omits only the rest of it', () => {
    const batches = [
      dataBytes(3n, 7n, 'x', 'y'),
      markerBytes(5n, 7n, 'abort'),
      dataBytes(6n, 7n, 'a'),
      markerBytes(7n, 7n, 'commit'),
    ];
    for (const from of [3n, 4n, 5n, 6n]) expect(committed(batches, { from, ...aborted([7n, 0n]) })).toBe('a');
  });

  it('opens an aborted transaction with the batch that reaches its first offset, not one earlier', () => {
    // The marker at 1 must not end the transaction that begins right after it.
    const batches = [
      dataBytes(0n, 7n, 'x'),
      markerBytes(1n, 7n, 'abort'),
      dataBytes(2n, 7n, 'y'),
      markerBytes(3n, 7n, 'abort'),
      dataBytes(4n, 7n, 'a'),
      markerBytes(5n, 7n, 'commit'),
    ];
    expect(committed(batches, aborted([7n, 0n], [7n, 2n]))).toBe('a');
  });

  it('opens an aborted transaction that begins with the last offset of a batch', () => {
    const batches = [dataBytes(4n, 7n, 'x'), dataBytes(5n, 7n, 'y'), markerBytes(6n, 7n, 'abort')];
    expect(committed(batches, aborted([7n, 4n]))).toBe('');
  });

  it('takes the list in any order: brokers list transactions as they ended', () => {
    const batches = [
      dataBytes(0n, 1n, 'x'),
      dataBytes(1n, 2n, 'y'),
      markerBytes(2n, 2n, 'abort'),
      dataBytes(3n, 2n, 'a'),
      markerBytes(4n, 1n, 'abort'),
      dataBytes(5n, 1n, 'b'),
      markerBytes(6n, 1n, 'commit'),
      markerBytes(7n, 2n, 'commit'),
    ];
    expect(committed(batches, aborted([2n, 1n], [1n, 0n]))).toBe('a b');
  });

  it('distinguishes producers whose ids differ beyond 2^53', () => {
    const [one, other] = [2n ** 60n, 2n ** 60n + 1n];
    const batches = [
      dataBytes(0n, one, 'x'),
      dataBytes(1n, other, 'a'),
      markerBytes(2n, other, 'commit'),
      dataBytes(3n, one, 'y'),
      markerBytes(4n, one, 'abort'),
      dataBytes(5n, one, 'b'),
      markerBytes(6n, one, 'commit'),
    ];
    expect(committed(batches, aborted([one, 0n]))).toBe('a b');
  });

  it('does not mistake a batch outside transactions for one of an aborted transaction', () => {
    const records = [{ delta: 0, key: null, value: Buffer.from('plain') }];
    const plain = { base: 1n, lastOffsetDelta: 0, producerId: 7n, isTransactional: false, isControl: false, records };
    const batches = [dataBytes(0n, 7n, 'x'), batchBytes(plain), markerBytes(2n, 7n, 'abort')];
    expect(committed(batches, aborted([7n, 0n]))).toBe('plain');
  });

  it('the marker of another producer ends no aborted transaction', () => {
    const batches = [
      dataBytes(0n, 7n, 'x'),
      dataBytes(1n, 8n, 'a'),
      markerBytes(2n, 8n, 'commit'),
      dataBytes(3n, 8n, 'z'),
      markerBytes(4n, 8n, 'abort'),
      dataBytes(5n, 7n, 'y'),
      markerBytes(6n, 7n, 'abort'),
    ];
    expect(committed(batches, aborted([7n, 0n], [8n, 3n]))).toBe('a');
  });

  it('prints the markers on request, whether or not their transactions are omitted', () => {
    const batches = [
      markerBytes(5n, 7n, 'abort'),
      dataBytes(6n, 7n, 'a'),
      markerBytes(7n, 7n, 'commit'),
      dataBytes(8n, 7n, 'x'),
      markerBytes(9n, 7n, 'abort'),
      dataBytes(10n, 7n, 'b'),
    ];
    const more = { from: 5n, printControl: true, ...aborted([7n, 0n], [7n, 8n]) };
    expect(committed(batches, more)).toBe('abort a commit abort b');
    expect(committed(batches, { ...more, limit: 2 })).toBe('abort a');
    expect(committed(batches, { ...more, from: 6n })).toBe('a commit abort b');
  });

  it('keeps open transactions from one piece of an answer to the next', () => {
    const batches = [
      dataBytes(0n, 7n, 'x'),
      dataBytes(1n, 8n, 'a', 'b', 'c'),
      dataBytes(4n, 7n, 'y'),
      dataBytes(5n, 8n, 'd'),
      markerBytes(6n, 7n, 'abort'),
      dataBytes(7n, 7n, 'e'),
    ];
    expect(committed(batches, { pieceBytes: 1, ...aborted([7n, 0n]) })).toBe('a b c d e');
  });

  it('stops at the limit inside a transaction, and counts only what it shows', () => {
    const batches = [
      dataBytes(2n, 7n, 'x', 'y'),
      markerBytes(4n, 7n, 'abort'),
      dataBytes(5n, 7n, 'a', 'b', 'c'),
      markerBytes(8n, 7n, 'commit'),
    ];
    expect(committed(batches, { from: 3n, limit: 2, ...aborted([7n, 0n]) })).toBe('a b');
  });

  it('is not confused by listed transactions that begin after the answer', () => {
    const batches = [dataBytes(0n, 7n, 'a'), markerBytes(1n, 7n, 'commit')];
    expect(committed(batches, aborted([7n, 2n], [7n, 40n]))).toBe('a');
  });
});
