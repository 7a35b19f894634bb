import { describe, expect, it } from 'vitest';
import { compileFormat } from '../../../../src/kafka/records/language/format.ts';
import { openRecordPrinter } from '../../../../src/kafka/streams/consume/printer.ts';
import { stillAlive } from '../../../collected.ts';
import { batch, chunkOf, memory, print, withLastOffsetDelta } from './printing.ts';

describe('the record printer', () => {
  it('omits the records of a batch that were not requested', async () => {
    const chunk = chunkOf(batch(0n, ['a', 'b', 'c']), { offset: 1n });
    expect((await print([chunk])).text).toBe('b c');
    expect(chunk.position.printed).toBe(3n);
  });

  it('stops inside a batch at the limit, and counts as printed only what was printed', async () => {
    const chunk = chunkOf(Buffer.concat([batch(0n, ['a', 'b']), batch(2n, ['c', 'd'])]));
    expect(await print([chunk], { limit: 3 })).toEqual({ text: 'a b c', count: 3, isFull: true });
    expect(chunk.position.printed).toBe(3n);
  });

  it('a limit at the end of a batch does not touch the next one', async () => {
    const chunk = chunkOf(Buffer.concat([batch(0n, ['a', 'b']), batch(2n, ['c', 'd'])]));
    expect((await print([chunk], { limit: 2 })).text).toBe('a b');
    expect(chunk.position.printed).toBe(2n);
  });

  it('stops before the end of a range, inside a batch, too', async () => {
    const chunk = chunkOf(Buffer.concat([batch(0n, ['a', 'b']), batch(2n, ['c', 'd'])]), { end: 3n });
    expect((await print([chunk])).text).toBe('a b c');
    expect(chunk.position).toMatchObject({ printed: 3n, done: true });
  });

  it('a range is done when the last offsets before its end hold no record', async () => {
    const chunk = chunkOf(withLastOffsetDelta(batch(0n, ['a', 'b']), 9), { end: 10n });
    expect((await print([chunk])).text).toBe('a b');
    expect(chunk.position).toMatchObject({ printed: 10n, done: true });
  });

  it('neither prints nor counts control records, unless asked to', async () => {
    const bytes = Buffer.concat([
      batch(0n, ['a'], { producerId: 7n, transactional: true }),
      batch(1n, ['M'], { producerId: 7n, transactional: true, marker: 'commit' }),
      batch(2n, ['b']),
    ]);
    const chunk = chunkOf(bytes);
    expect(await print([chunk])).toEqual({ text: 'a b', count: 2, isFull: false });
    expect(chunk.position.printed).toBe(3n);
    expect((await print([chunkOf(bytes)], { printControl: true })).text).toBe('a M b');
    expect((await print([chunkOf(bytes)], { printControl: true, readCommitted: true })).text).toBe('a M b');
  });

  it('read committed leaves out aborted transactions and nothing else', async () => {
    const bytes = Buffer.concat([
      batch(0n, ['a0'], { producerId: 7n, transactional: true }),
      batch(1n, ['plain']),
      batch(2n, ['other'], { producerId: 8n, transactional: true }),
      batch(3n, ['a1'], { producerId: 7n, transactional: true }),
      batch(4n, ['M'], { producerId: 7n, transactional: true, marker: 'abort' }),
      batch(5n, ['again'], { producerId: 7n, transactional: true }),
      batch(6n, ['M'], { producerId: 7n, transactional: true, marker: 'commit' }),
    ]);
    const abortedTransactions = [{ producerId: 7n, firstOffset: 0n }];
    const committed = await print([chunkOf(bytes, { abortedTransactions })], { readCommitted: true });
    expect(committed).toMatchObject({ text: 'plain other again', count: 3 });
    const uncommitted = await print([chunkOf(bytes, { abortedTransactions })]);
    expect(uncommitted.text).toBe('a0 plain other a1 again');
  });

  it('a wrong checksum names topic, partition and offset', async () => {
    const good = batch(40n, ['fine']);
    const bad = batch(41n, ['broken']);
    bad[bad.length - 3] = (bad[bad.length - 3] ?? 0) ^ 0xff;
    await expect(print([chunkOf(Buffer.concat([good, bad]))])).rejects.toThrow(
      /^unable to read topic "t" partition 3 at offset 41: the checksum is /,
    );
  });

  it('prints everything before a corrupt batch, and counts it as printed', async () => {
    const bad = batch(3n, ['d', 'e']);
    bad[bad.length - 2] = 0x7a;
    const chunk = chunkOf(Buffer.concat([batch(0n, ['a', 'b']), batch(2n, ['c']), bad, batch(5n, ['f'])]));
    let text = '';
    const sink = {
      write(bytes: Uint8Array) {
        text += Buffer.from(bytes).toString();
        return undefined;
      },
    };
    const options = { limit: Number.POSITIVE_INFINITY, printControl: false, readCommitted: false };
    const printer = openRecordPrinter({ ...options, format: compileFormat('%v ') }, { sink, memory });
    await expect(printer.print([chunk])).rejects.toMatchObject({
      message: expect.stringMatching(/^unable to read topic "t" partition 3 at offset 3: .*checksum/),
      code: 'CORRUPT_MESSAGE',
    });
    expect({ text, printed: chunk.position.printed }).toEqual({ text: 'a b c ', printed: 3n });
  });

  it('keeps offsets beyond 2^53 exact', async () => {
    const base = 2n ** 53n + 1n;
    const chunk = chunkOf(batch(base, ['a', 'b', 'c']), { offset: base + 1n, end: base + 2n });
    expect((await print([chunk])).text).toBe('b');
    expect(chunk.position).toMatchObject({ printed: base + 2n, done: true });
  });

  it('waits for a slow sink, piece by piece, and loses nothing', async () => {
    const value = 'x'.repeat(1000);
    const values = Array.from({ length: 900 }, (_, index) => `${index}${value}`);
    const pieces: Buffer[] = [];
    let writing = false;
    const answer = chunkOf(batch(0n, values), { end: 900n });
    const sink = {
      write(chunk: Uint8Array) {
        expect({ writing, done: answer.position.done }).toEqual({ writing: false, done: false });
        writing = true;
        return new Promise<void>((resolve) => {
          setImmediate(() => {
            pieces.push(Buffer.from(chunk));
            writing = false;
            resolve();
          });
        });
      },
    };
    const options = { limit: Number.POSITIVE_INFINITY, printControl: false, readCommitted: false };
    const printer = openRecordPrinter({ ...options, format: compileFormat('%v\\n') }, { sink, memory });
    await printer.print([answer]);
    expect(answer.position.done).toBe(true);
    expect(pieces.length).toBeGreaterThan(2);
    expect(Buffer.concat(pieces).toString()).toBe(values.map((line) => `${line}\n`).join(''));
  });

  it('keeps no listeners after a write', async () => {
    const writes: WeakRef<object>[] = [];
    const sink = {
      write() {
        const written = new Promise<void>((resolve) => {
          setImmediate(resolve);
        });
        writes.push(new WeakRef(written));
        return written;
      },
    };
    const options = { limit: Number.POSITIVE_INFINITY, printControl: false, readCommitted: false };
    const printer = openRecordPrinter({ ...options, format: compileFormat('%v') }, { sink, memory });
    for (let at = 0n; at < 100n; at++) await printer.print([chunkOf(batch(at, ['a']), { offset: at })]);
    expect(writes).toHaveLength(100);
    expect(await stillAlive(writes)).toBeLessThan(5);
    await printer.close();
  });

  it('closed during a write, counts that write and writes nothing more', async () => {
    const values = Array.from({ length: 900 }, () => 'x'.repeat(1000));
    const chunk = chunkOf(batch(0n, values));
    const first = Promise.withResolvers<void>();
    const pieces: Buffer[] = [];
    const sink = {
      write(bytes: Uint8Array) {
        pieces.push(Buffer.from(bytes));
        return first.promise;
      },
    };
    const options = { limit: Number.POSITIVE_INFINITY, printControl: false, readCommitted: false };
    const printer = openRecordPrinter({ ...options, format: compileFormat('%v\\n') }, { sink, memory });
    const printing = printer.print([chunk]);
    let isClosed = false;
    const closing = printer.close().then(() => {
      isClosed = true;
    });
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    expect({ isClosed, printed: chunk.position.printed }).toEqual({ isClosed: false, printed: 0n });
    first.resolve();
    await closing;
    await expect(printing).rejects.toThrow('the printer is closed');
    const written = BigInt(Buffer.concat(pieces).length / 1001);
    expect(pieces).toHaveLength(1);
    expect(written).toBeGreaterThan(0n);
    expect(chunk.position.printed).toBe(written);
  });
});
