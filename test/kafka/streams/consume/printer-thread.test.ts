import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openFilter } from '../../../../src/kafka/records/filter/filter.ts';
import { compileFormat } from '../../../../src/kafka/records/language/format.ts';
import type { FetchedChunk } from '../../../../src/kafka/streams/consume/answer.ts';
import { createPosition, surveyBatches } from '../../../../src/kafka/streams/consume/position.ts';
import {
  openRecordPrinter,
  type PrintOptions,
  type PrintTools,
} from '../../../../src/kafka/streams/consume/printer.ts';
import { startWalkThread, type WalkThread } from '../../../../src/kafka/streams/consume/walk-thread.ts';
import { dataBytes } from './control-batches.ts';
import { layout, scriptedThread } from './scripted-thread.ts';

const many = 1_000_000n;

/** One answer: a partition's records in memory of their own. */
function answerOf(base: bigint, ...values: readonly string[]): readonly FetchedChunk[] {
  const records = Buffer.from(new Uint8Array(dataBytes(base, 7n, ...values)).buffer);
  return [
    {
      position: createPosition({ topic: 't', partition: 0, offset: base, end: undefined }),
      ...{ from: base, to: surveyBatches(records).end?.offset ?? base, jumps: 0, records, logStartOffset: 0n },
      ...{ lastStableOffset: 10n * many, highWatermark: 10n * many, abortedTransactions: [] },
    },
  ];
}

function printerWith(tools: Partial<PrintTools>, options: Partial<PrintOptions> = {}) {
  const written: string[] = [];
  const sink = {
    write(bytes: Uint8Array) {
      written.push(Buffer.from(bytes).toString());
      return undefined;
    },
  };
  const printer = openRecordPrinter(
    {
      ...{ format: compileFormat(layout), formatSource: { layout }, limit: Number.POSITIVE_INFINITY },
      ...{ printControl: false, readCommitted: false, ...options },
    },
    { sink, memory: { release: () => undefined }, ...tools },
  );
  return { printer, text: () => written.join('') };
}

describe('a printer that expects many records', () => {
  it('prints the first answer here, and the next ones there when its thread is ready, in order', async () => {
    const { thread, ready, seen } = scriptedThread();
    const { printer, text } = printerWith({ startThread: async () => thread });
    printer.expect(many);
    await printer.print(answerOf(0n, 'a', 'b'));
    const second = printer.print(answerOf(2n, 'c'));
    await nextTurn();
    expect({ text: text(), walked: seen.walked }).toEqual({ text: 'a b ', walked: 0 });
    ready.resolve();
    await second;
    await printer.print(answerOf(3n, 'd', 'e'));
    await printer.print(answerOf(5n, 'f'));
    expect({ text: text(), walked: seen.walked }).toEqual({ text: 'a b c d e f ', walked: 3 });
    expect(printer.count).toBe(6);
    await printer.close();
    expect(seen.closed).toBe(1);
  });

  it('leaves even the first answer to the thread when it is long', async () => {
    const { thread, ready, seen } = scriptedThread();
    const { printer, text } = printerWith({ startThread: async () => thread });
    printer.expect(many);
    const printing = printer.print(answerOf(0n, 'x'.repeat(2 << 20)));
    await nextTurn();
    expect(text()).toBe('');
    ready.resolve();
    await printing;
    expect({ length: text().length, walked: seen.walked }).toEqual({ length: (2 << 20) + 1, walked: 1 });
    await printer.close();
  });

  it('with conditions, starts a thread only after it has looked at many records, and works on meanwhile', async () => {
    const { thread, ready, seen } = scriptedThread();
    let starts = 0;
    const startThread: PrintTools['startThread'] = async () => {
      starts += 1;
      return thread;
    };
    const source = { where: ['value != "a"'] };
    const filter = { source, filter: await openFilter(source), onSifted: () => undefined };
    const { printer, text } = printerWith({ startThread }, { filter });
    printer.expect(many);
    const none = answerOf(0n, ...Array.from({ length: 49_999 }, () => 'a'));
    await printer.print(none);
    // What was looked at counts as printed, so that groups commit it.
    expect({ starts, printed: none[0]?.position.printed }).toEqual({ starts: 0, printed: 49_999n });
    await printer.print(answerOf(49_999n, 'b'));
    expect(starts).toBe(1);
    await printer.print(answerOf(50_000n, 'c', 'a'));
    expect({ text: text(), walked: seen.walked }).toEqual({ text: 'b c ', walked: 0 });
    ready.resolve();
    await nextTurn();
    await printer.print(answerOf(50_002n, 'd'));
    expect(seen.walked).toBe(1);
    await printer.close();
  });

  it('ends the answer it is at before it hands over', async () => {
    const { thread, ready, seen } = scriptedThread();
    const blocked = Promise.withResolvers<void>();
    let text = '';
    const sink = {
      write(bytes: Uint8Array) {
        text += Buffer.from(bytes).toString();
        return blocked.promise;
      },
    };
    const { printer } = printerWith({ sink, startThread: async () => thread });
    printer.expect(many);
    const [first, second] = [answerOf(0n, 'a'), answerOf(0n, 'b')];
    const printing = printer.print([...first, ...second]);
    ready.resolve();
    await nextTurn();
    expect({ text, walked: seen.walked }).toEqual({ text: 'a ', walked: 0 });
    blocked.resolve();
    await printing;
    expect({ text, walked: seen.walked }).toEqual({ text: 'a b ', walked: 0 });
    await printer.print(answerOf(2n, 'c'));
    expect({ text, walked: seen.walked }).toEqual({ text: 'a b c ', walked: 1 });
    await printer.close();
  });

  it('starts a thread when an answer shows that many records follow', async () => {
    let starts = 0;
    const { printer } = printerWith({
      async startThread() {
        starts += 1;
        return scriptedThread().thread;
      },
    });
    const [chunk] = answerOf(0n, 'a');
    if (chunk === undefined) throw new Error('the answer is empty');
    await printer.print([{ ...chunk, highWatermark: 1000n }]);
    await printer.print([{ ...chunk, position: createPosition({ ...chunk.position, end: 1000n }) }]);
    expect(starts).toBe(0);
    await printer.print([chunk]);
    expect(starts).toBe(1);
    await printer.close();
  });

  it('returns the memory of every answer, whichever thread printed it, and keeps to its limit', async () => {
    const { thread, ready } = scriptedThread();
    const released: ArrayBufferLike[] = [];
    const memory = { release: (freed: ArrayBufferLike) => void released.push(freed) };
    const { printer, text } = printerWith({ memory, startThread: async () => thread }, { limit: 1_000_000 });
    printer.expect(many);
    const answers = [answerOf(0n, 'a', 'b'), answerOf(2n, 'c'), answerOf(3n, 'd')];
    for (const answer of answers) {
      await printer.print(answer);
      ready.resolve();
      await nextTurn();
    }
    expect(text()).toBe('a b c d ');
    expect(released).toEqual(answers.map((answer) => answer[0]?.records.buffer));
    await printer.close();
  });

  it('has the thread print no more than what is left of the limit', async () => {
    const { thread, ready, limits } = scriptedThread();
    const { printer } = printerWith({ startThread: async () => thread }, { limit: 600_000 });
    printer.expect(many);
    await printer.print(answerOf(0n, 'a', 'b'));
    ready.resolve();
    await nextTurn();
    await printer.print(answerOf(2n, 'c'));
    await printer.print(answerOf(3n, 'd'));
    expect(limits).toEqual([599_998, 599_997]);
    await printer.close();
  });

  it('prints here what is in memory that cannot be transferred to a thread', async () => {
    const { thread, ready, seen } = scriptedThread();
    const { printer, text } = printerWith({ startThread: async () => thread });
    printer.expect(many);
    ready.resolve();
    await nextTurn();
    const shared = answerOf(0n, 'a').map((chunk) => {
      const records = Buffer.from(new SharedArrayBuffer(chunk.records.length));
      chunk.records.copy(records);
      return { ...chunk, records };
    });
    await printer.print(shared);
    expect({ text: text(), walked: seen.walked }).toEqual({ text: 'a ', walked: 0 });
    await printer.close();
  });

  it('starts only one thread, and none if few records are left or the format counts', async () => {
    let starts = 0;
    const startThread = async () => {
      starts += 1;
      const { thread, ready } = scriptedThread();
      ready.resolve();
      return thread;
    };
    const { printer } = printerWith({ startThread });
    printer.expect(1000n);
    expect(starts).toBe(0);
    await printer.print(answerOf(0n, 'a'));
    printer.expect(many);
    await printer.print(answerOf(1n, 'b'));
    expect(starts).toBe(1);
    printerWith({ startThread }, { formatSource: { layout: '%i' } }).printer.expect(many);
    printerWith({ startThread }, { limit: 1000 }).printer.expect(many);
    expect(starts).toBe(1);
    await printer.close();
  });

  it('continues here if the thread cannot be started', async () => {
    const { printer, text } = printerWith({ startThread: () => Promise.reject(new Error('no memory for a thread')) });
    printer.expect(many);
    await printer.print(answerOf(0n, 'a'));
    await nextTurn();
    await printer.print(answerOf(1n, 'b'));
    expect(text()).toBe('a b ');
    await printer.close();
  });

  it('continues here if the thread ends before it is ready, and cleans up after it', async () => {
    const { thread, ready, seen } = scriptedThread();
    const { printer, text } = printerWith({ startThread: async () => thread });
    printer.expect(many);
    await printer.print(answerOf(0n, 'a'));
    ready.reject(new Error('the thread ran out of memory'));
    await nextTurn();
    await printer.print(answerOf(1n, 'b'));
    expect({ text: text(), ...seen }).toEqual({ text: 'a b ', walked: 0, closed: 1 });
    await printer.close();
  });

  it('closed while a thread is started or not ready yet, closes it', async () => {
    for (const turns of [0, 1]) {
      const { thread, seen } = scriptedThread();
      const start = Promise.withResolvers<WalkThread>();
      const { printer } = printerWith({ startThread: () => start.promise });
      printer.expect(many);
      if (turns === 1) start.resolve(thread);
      await nextTurn();
      await printer.close();
      start.resolve(thread);
      await nextTurn();
      expect(seen).toEqual({ walked: 0, closed: 1 });
      await printer.close();
      expect(seen).toEqual({ walked: 0, closed: 1 });
      await expect(printer.print(answerOf(0n, 'a'))).rejects.toThrow('the printer is closed');
    }
  });
});

describe('a printer with a real thread', () => {
  const startThread = async (options: Parameters<typeof startWalkThread>[0]) => {
    const thread = startWalkThread(options);
    onTestFinished(() => thread.close());
    return thread;
  };

  /** A printer that has handed over. */
  async function handedOver(write: (bytes: Uint8Array) => Promise<void> | undefined) {
    let thread: WalkThread | undefined;
    const { printer } = printerWith({
      sink: { write },
      async startThread(options) {
        thread = await startThread(options);
        return thread;
      },
    });
    printer.expect(many);
    await nextTurn();
    await thread?.ready;
    await nextTurn();
    return printer;
  }

  it('reports what the sink throws, once, and closes', async () => {
    let writes = 0;
    const printer = await handedOver(() => {
      writes += 1;
      return Promise.reject(new Error('the disk is full'));
    });
    const answer = answerOf(0n, 'a', 'b');
    await expect(printer.print(answer)).rejects.toThrow('the disk is full');
    await printer.close();
    expect({ writes, printed: answer[0]?.position.printed, count: printer.count }).toEqual({
      ...{ writes: 1, printed: 0n, count: 0 },
    });
  });

  it('closed during the write of a piece, counts only that piece', async () => {
    const [begun, blocked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const printer = await handedOver(() => {
      begun.resolve();
      return blocked.promise;
    });
    const first = answerOf(0n, 'a', 'b');
    const second = first.map((chunk) => ({ ...chunk, position: createPosition({ ...chunk.position, partition: 1 }) }));
    const printing = printer.print([...first, ...second]);
    printing.catch(() => undefined); // checked below
    await begun.promise;
    const closing = printer.close();
    await nextTurn();
    expect(first[0]?.position.printed).toBe(0n);
    blocked.resolve();
    await closing;
    // The error depends on whether the second piece was already under way.
    await expect(printing).rejects.toThrow();
    const printed = [...first, ...second].map(({ position }) => position.printed);
    expect({ printed, count: printer.count }).toEqual({ printed: [2n, 0n], count: 2 });
  });
});
