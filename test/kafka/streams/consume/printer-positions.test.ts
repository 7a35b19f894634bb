import { describe, expect, it } from 'vitest';
import { compileFormat } from '../../../../src/kafka/records/language/format.ts';
import type { FetchedChunk } from '../../../../src/kafka/streams/consume/answer.ts';
import { rewindTo } from '../../../../src/kafka/streams/consume/epochs.ts';
import { jumpTo, type PartitionPosition } from '../../../../src/kafka/streams/consume/position.ts';
import { openRecordPrinter } from '../../../../src/kafka/streams/consume/printer.ts';
import { batch, chunkOf, memory, print } from './printing.ts';

/** Prints several partitions of one answer. */
async function printTogether(chunks: readonly FetchedChunk[], limit: number): Promise<string> {
  let text = '';
  const sink = {
    write(chunk: Uint8Array) {
      text += Buffer.from(chunk).toString();
      return undefined;
    },
  };
  const options = { format: compileFormat('%v '), limit, printControl: false, readCommitted: false };
  await openRecordPrinter(options, { sink, memory }).print(chunks);
  return text.trim();
}

describe('what a printer counts as printed', () => {
  it('the limit applies to all answers and partitions together: nothing after it is printed or done', async () => {
    const chunks = [0n, 2n, 4n].map((base) => chunkOf(batch(base, ['a', 'b']), { offset: base, end: base + 2n }));
    expect(await print(chunks, { limit: 3 })).toEqual({ text: 'a b a', count: 3, isFull: true });
    expect(chunks.map(({ position: { printed, done } }) => ({ printed, done }))).toEqual([
      { printed: 2n, done: true },
      { printed: 3n, done: false },
      { printed: 4n, done: false },
    ]);
    const together = [0n, 2n, 4n].map((base) => chunkOf(batch(base, ['a', 'b']), { offset: base, end: base + 2n }));
    expect(await printTogether(together, 2)).toBe('a b');
    expect(together.map(({ position }) => position.printed)).toEqual([2n, 2n, 4n]);
  });

  it('answers without progress end in an error, after the complete records are printed', async () => {
    const chunk = chunkOf(batch(0n, ['a', 'b']), { offset: 5n, to: 5n });
    await expect(print([chunk])).rejects.toMatchObject({
      code: 'CORRUPT_MESSAGE',
      message: expect.stringContaining(
        'topic "t" partition 3 at offset 5: the broker sent only batches that end before',
      ),
    });
  });

  it('damage below the requested offset does not move the position back', async () => {
    const bad = batch(3n, ['d', 'e']);
    bad[bad.length - 2] = 0x7a;
    const chunk = chunkOf(bad, { offset: 4n });
    await expect(print([chunk])).rejects.toMatchObject({ code: 'CORRUPT_MESSAGE' });
    expect(chunk.position.printed).toBe(4n);
  });

  it.each<[string, (position: PartitionPosition) => void]>([
    ['to where the logs of two leaders diverge', (position) => rewindTo(position, { offset: 1n, leaderEpoch: 4 })],
    ['to the end of a log that was truncated', (position) => jumpTo(position, 1n)],
  ])('a position that moves %s while the reader is blocked keeps its offset and is not done', async (_, move) => {
    const caughtUp = Promise.withResolvers<void>();
    let text = '';
    const sink = {
      write(bytes: Uint8Array) {
        text += Buffer.from(bytes).toString();
        return text.includes('b') ? undefined : caughtUp.promise;
      },
    };
    const options = { format: compileFormat('%v '), limit: Number.POSITIVE_INFINITY };
    const printer = openRecordPrinter({ ...options, printControl: false, readCommitted: false }, { sink, memory });
    const cut = chunkOf(batch(0n, ['a', 'lost', 'lost']), { end: 3n });
    const printing = printer.print([cut]);
    move(cut.position);
    caughtUp.resolve();
    await printing;
    expect(cut.position).toMatchObject({ printed: 1n, done: false });
    const more = { from: 1n, jumps: cut.position.jumps };
    await printer.print([{ ...chunkOf(batch(1n, ['b', 'c'])), ...more, position: cut.position }]);
    expect(cut.position).toMatchObject({ printed: 3n, done: true });
    expect(text).toBe('a lost lost b c ');
  });

  it('prints the offsets of the answer that a record came with', async () => {
    const marks = [
      { logStartOffset: 0n, lastStableOffset: 5n, highWatermark: 9n },
      { logStartOffset: 0n, lastStableOffset: 6n, highWatermark: 9n },
      { logStartOffset: 1n, lastStableOffset: 6n, highWatermark: 9n },
      { logStartOffset: 1n, lastStableOffset: 6n, highWatermark: 2n ** 60n + 1n },
    ];
    const chunks = marks.map((mark) => chunkOf(batch(0n, ['a']), mark));
    const { text } = await print(chunks, { format: compileFormat('%[-%|-%] ') });
    expect(text).toBe('0-5-9 0-6-9 1-6-9 1-6-1152921504606846977');
  });
});
