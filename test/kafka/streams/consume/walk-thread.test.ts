import { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { writeBaseOffset } from '../../../../src/kafka/records/batches/batch-writer.ts';
import { compileFormat } from '../../../../src/kafka/records/language/format.ts';
import type { FormatSource } from '../../../../src/kafka/records/language/format-source.ts';
import { compileSource } from '../../../../src/kafka/records/language/format-source.ts';
import { createWalker, type WalkedRecords } from '../../../../src/kafka/streams/consume/walk.ts';
import type { ThreadOptions, ThreadReport, ThreadTask } from '../../../../src/kafka/streams/consume/walk-messages.ts';
import type { Piece } from '../../../../src/kafka/streams/consume/walk-piece.ts';
import { startWalkThread, type WalkThread } from '../../../../src/kafka/streams/consume/walk-thread.ts';
import { type PlainRecord, writeBatch } from '../../records/batches/batches.ts';

const pieceBytes = 64 * 1024;
const threads: WalkThread[] = [];

afterAll(() => {
  for (const thread of threads) thread.close();
});

function start(source: FormatSource, more: Partial<ThreadOptions> = {}): WalkThread {
  const thread = startWalkThread({ source, printControl: false, readCommitted: false, pieceBytes, ...more });
  threads.push(thread);
  return thread;
}

function batch(base: bigint, values: readonly string[]): Buffer {
  const records = values.map(
    (value, index): PlainRecord => ({
      key: Buffer.from(`k${index}`),
      value: Buffer.from(value),
      headers: [],
      timestamp: index,
    }),
  );
  const bytes = writeBatch(records);
  writeBaseOffset(bytes, base);
  return bytes;
}

/** Runs of records in one piece of memory, as an answer has them. */
function answerOf(runs: readonly { readonly records: Buffer; readonly more?: Partial<WalkedRecords> }[]) {
  const memory = Buffer.allocUnsafeSlow(runs.reduce((sum, { records }) => sum + records.length + 7, 0));
  let at = 0;
  const chunks = runs.map(({ records, more }, partition): WalkedRecords => {
    const start = at + 7;
    records.copy(memory, start);
    at = start + records.length;
    return {
      ...{ topic: 'orders', partition, records: memory.subarray(start, at), from: 0n, to: 1_000_000n, end: undefined },
      ...{ logStartOffset: 0n, lastStableOffset: 9n, highWatermark: 10n, abortedTransactions: [] },
      ...more,
    };
  });
  return { chunks, memory: memory.buffer as ArrayBuffer };
}

interface Seen extends Omit<Piece, 'bytes'> {
  readonly partition: number;
  readonly text: string;
}

function seen({ partition }: WalkedRecords, { bytes, ...piece }: Piece): Seen {
  return { ...piece, partition, text: bytes.toString() };
}

async function walkThere(thread: WalkThread, answer: ReturnType<typeof answerOf>, limit: number): Promise<Seen[]> {
  const pieces: Seen[] = [];
  const memory = await thread.walk({ ...answer, limit }, (chunk, piece) => {
    pieces.push(seen(chunk, piece));
    return undefined;
  });
  expect(memory.byteLength).toBeGreaterThan(0);
  expect(answer.memory.byteLength).toBe(0);
  return pieces;
}

function walkHere(source: FormatSource, { chunks }: ReturnType<typeof answerOf>, limit: number): Seen[] {
  const walker = createWalker({ format: compileSource(source), printControl: false, readCommitted: false, pieceBytes });
  const pieces: Seen[] = [];
  for (const chunk of chunks) {
    const left = limit - pieces.reduce((sum, { count }) => sum + count, 0);
    if (left <= 0 || pieces.at(-1)?.damage !== undefined) break;
    for (const piece of walker.walk(chunk, left)) pieces.push(seen(chunk, piece));
  }
  return pieces;
}

const many = Array.from({ length: 5_000 }, (_, index) => `${index} ${'x'.repeat(index % 90)}`);

function runs() {
  const damaged = batch(7n, ['lost', 'lost too']);
  damaged[damaged.length - 2] = 0x7a;
  return [
    { records: batch(0n, many) },
    {
      records: Buffer.concat([batch(0n, ['a', 'b', 'c']), batch(3n, ['d', 'e'])]),
      more: { from: 1n, end: 4n, to: 5n, logStartOffset: 1n, lastStableOffset: 4n },
    },
    { records: batch(0n, ['y'.repeat(3_000_000), 'z']) },
    { records: Buffer.concat([batch(0n, ['whole']), damaged]), more: { highWatermark: 2n ** 60n } },
    { records: batch(0n, ['behind the damage']) },
  ];
}

describe('a thread that walks records', () => {
  for (const source of [
    { layout: '%t %p %o %[ %| %] %k=%v\\n' },
    { json: { pretty: true }, isYaml: false },
    { json: { metaOnly: true }, isYaml: true },
  ] as const satisfies readonly FormatSource[]) {
    it(`returns the same as the walker here, in the same pieces: ${JSON.stringify(source)}`, async () => {
      const thread = start(source);
      for (const limit of [Number.POSITIVE_INFINITY, 5_002, 17]) {
        const expected = walkHere(source, answerOf(runs()), limit);
        expect(await walkThere(thread, answerOf(runs()), limit)).toEqual(expected);
        expect(expected.length).toBeGreaterThan(limit === 17 ? 0 : 3);
        // A run that ends in the middle of a batch makes one piece, as its records fit into one.
        expect(expected.filter(({ partition }) => partition === 1).length).toBeLessThanOrEqual(1);
      }
    });
  }

  it('applies conditions, and reports what they have seen', async () => {
    const conditions = { where: ['value.matches("^4999 x+$")'], key: 'k4999' };
    const pieces = await walkThere(
      start({ layout: '%o ' }, { conditions }),
      answerOf([{ records: batch(0n, many) }]),
      9,
    );
    expect(pieces.map(({ text, count, reached }) => ({ text, count, reached }))).toEqual([
      { text: '4999 ', count: 1, reached: 1_000_000n },
    ]);
    expect(pieces[0]?.sifted).toMatchObject({ records: 5_000, undecided: 0, batches: 1 });
  });

  it('waits for the consumer of the pieces, and works only a few ahead', async () => {
    const thread = start({ layout: '%v\\n' });
    let taking = 0;
    const texts: string[] = [];
    await thread.walk(
      { ...answerOf([{ records: batch(0n, many) }, { records: batch(0n, many) }]), limit: 1e9 },
      async (_, piece) => {
        taking += 1;
        expect(taking).toBe(1);
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
        texts.push(piece.bytes.toString());
        taking -= 1;
      },
    );
    expect(texts.length).toBeGreaterThan(4);
    expect(texts.join('')).toBe([...many, ...many].map((value) => `${value}\n`).join(''));
  });

  it('waits for memory to come back before it makes a fourth piece', async () => {
    const workerData = {
      source: { layout: '%v\\n' },
      ...{ printControl: false, readCommitted: false, pieceBytes },
    } satisfies ThreadOptions;
    const worker = new Worker(new URL('../../../../src/kafka/streams/consume/walk-worker.ts', import.meta.url), {
      workerData,
    });
    const { chunks, memory } = answerOf([{ records: batch(0n, many) }]);
    const sent = chunks.map(({ records, ...chunk }) => ({
      ...{ ...chunk, start: records.byteOffset, length: records.length },
    }));
    worker.postMessage({ memory, chunks: sent, limit: 1e9 } satisfies ThreadTask, [memory]);
    onTestFinished(async () => {
      await worker.terminate();
    });
    let pieces = 0;
    await new Promise<void>((resolve) => {
      worker.on('message', (report: ThreadReport) => {
        if (report.type === 'walked') resolve();
        if (report.type !== 'piece') return;
        pieces += 1;
        if (pieces !== 3) return;
        // An empty walk is reported at once, after the earlier pieces.
        const nothing = new ArrayBuffer(8);
        worker.postMessage({ memory: nothing, chunks: [], limit: 1 } satisfies ThreadTask, [nothing]);
      });
    });
    expect(pieces).toBe(3);
  });

  it('passes on what the consumer throws', async () => {
    const thread = start({ layout: '%v' });
    const walk = thread.walk({ ...answerOf([{ records: batch(0n, ['a']) }]), limit: 1 }, () => {
      throw new Error('the sink is gone');
    });
    await expect(walk).rejects.toThrow('the sink is gone');
  });

  it('that ends during a walk is reported, not waited for', async () => {
    const thread = start({ layout: '%v' });
    const walk = thread.walk({ ...answerOf([{ records: batch(0n, many) }]), limit: 1e9 }, () => {
      thread.close();
      return undefined;
    });
    await expect(walk).rejects.toThrow('has ended');
  });

  it('reports when it is ready to walk', async () => {
    const thread = start({ layout: '%v' });
    await thread.ready;
    expect(await walkThere(thread, answerOf([{ records: batch(0n, ['a']) }]), 2)).toMatchObject([{ text: 'a' }]);
  });

  it('closed while it starts, is never ready', async () => {
    const thread = start({ layout: '%v' });
    thread.close();
    await expect(thread.ready).rejects.toThrow('has ended');
  });

  it('that cannot compile its format is never ready, and fails the walk', async () => {
    const thread = start({ layout: '%Q' });
    await expect(thread.ready).rejects.toThrow(/unknown verb "%Q"/);
    await expect(walkThere(thread, answerOf([{ records: batch(0n, ['a']) }]), 1)).rejects.toThrow(/unknown verb "%Q"/);
    expect(() => compileFormat('%Q')).toThrow(/unknown verb "%Q"/);
  });
});
