import { constants, deflateRawSync, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { beforeEach, describe, expect, it, test } from 'vitest';
import { crc32c } from '../../src/kafka/records/batches/crc32c.ts';
import { type Arrival, type Reaction, startScriptedBroker } from '../services/scripted-broker.ts';
import { skipPauses } from '../skipped-pauses.ts';
import { type Outcome, run } from '../world.ts';
import { topicAnswer } from './cluster/topics/topic-answer.ts';
import { batchAt, fetchAnswer, offsetsAnswer } from './record-answers.ts';

/** Generous, for busy machines: hostile input must not take longer than valid input. */
const hangMs = 10_000;

/** `topic consume foo -o :end` from a broker that answers every Fetch with these bytes. */
async function consume(records: Buffer, react?: (arrival: Arrival) => Reaction, end = 4n): Promise<Outcome> {
  const fetched = react ?? (() => fetchAnswer({ records, highWatermark: end }));
  await using broker = await startScriptedBroker({
    Metadata: () => topicAnswer([broker], { leaders: [1] }),
    ListOffsets: (arrival) => offsetsAnswer(arrival, 0n, end),
    Fetch: fetched,
  });
  const words = ['topic', 'consume', 'foo', '-o', ':end', '-f', '%v,', '-X', 'globals.retry_timeout=1s'];
  let interrupt = (): void => undefined;
  const timer = setTimeout(() => interrupt(), hangMs);
  try {
    const done = run(words, {
      env: { WEIR_BROKERS: `${broker.address.host}:${broker.address.port}` },
      onStart: (kill) => {
        interrupt = () => kill('SIGINT');
      },
    });
    return await done;
  } finally {
    clearTimeout(timer);
  }
}

/** Sets the correct length and checksum, so that the damage is only in the content. */
function sealed(batch: Buffer): Buffer {
  batch.writeInt32BE(batch.length - 12, 8);
  batch.writeUInt32BE(crc32c(batch, 21), 17);
  return batch;
}

/** A whole batch of four records, `a` to `d`, changed by `change`. */
function changed(change: (batch: Buffer) => Buffer | undefined): Buffer {
  const batch = Buffer.from(batchAt(0n, ['a', 'b', 'c', 'd']));
  return change(batch) ?? batch;
}

/** A batch with the compression `code` in its header and these bytes as records. */
function packed(code: number, bytes: Buffer): Buffer {
  const batch = Buffer.concat([batchAt(0n, ['a', 'b', 'c', 'd']).subarray(0, 61), bytes]);
  batch.writeInt16BE(code, 21);
  return sealed(batch);
}

const recordsAt = 61;

/** The damage, the bytes, and the error message. */
const damages: readonly (readonly [name: string, records: Buffer, message: RegExp])[] = [
  ['a length of 0', changed((batch) => setLength(batch, 0)), /length 0 is too small/],
  ['a negative length', changed((batch) => setLength(batch, -1)), /length -1 is too small/],
  ['a length of 2 GB', changed((batch) => setLength(batch, 0x7fffffff)), /larger than the fetch size/],
  ['a batch that is cut off', changed((batch) => batch.subarray(0, -1)), /sent only \d+ of the \d+ bytes/],
  ['a header that is cut off', changed((batch) => sealed(batch.subarray(0, 40))), /shorter than a batch header/],
  ['one flipped bit', changed((batch) => setByte(batch, 70, 0xa5)), /the checksum is \w{8}, expected \w{8}/],
  ['a magic byte of 3', changed((batch) => setByte(batch, 16, 3)), /unsupported magic byte 3/],
  ['magic 1 over a batch', changed((batch) => setByte(batch, 16, 1)), /offset 0/],
  ['magic 0 over a batch', changed((batch) => setByte(batch, 16, 0)), /offset 0/],
  ['a codec that is none', packed(7, Buffer.from('x')), /unsupported compression type 7/],
  ['a negative count', changed((batch) => sealed(setCount(batch, -1))), /invalid record count -1/],
  ['a count of 2 billion', changed((batch) => sealed(setCount(batch, 0x7fffffff))), /offset 0/],
  ['one record too many', changed((batch) => sealed(setCount(batch, 5))), /offset 0/],
  ['one record too few', changed((batch) => sealed(setCount(batch, 3))), /more data than its records/],
  ['a record of negative length', changed((batch) => sealed(setByte(batch, recordsAt, 1))), /offset 0/],
  ['a record that is too long', changed((batch) => sealed(setByte(batch, recordsAt, 0x7e))), /offset 0/],
  ['a length without an end', changed((batch) => sealed(batch.fill(0xff, recordsAt))), /offset 0/],
  ['a key beyond its record', changed((batch) => sealed(setByte(batch, recordsAt + 4, 0x7e))), /offset 0/],
  ['a value beyond its record', changed((batch) => sealed(setByte(batch, recordsAt + 5, 0x7e))), /offset 0/],
  ['more headers than there are', changed((batch) => sealed(setByte(batch, recordsAt + 7, 0x7e))), /offset 0/],
  ['a negative number of headers', changed((batch) => sealed(setByte(batch, recordsAt + 7, 1))), /offset 0/],
  ['gzip that is none', packed(1, Buffer.from('not gzip at all')), /offset 0/],
  ['snappy that is none', packed(2, Buffer.alloc(50, 0xff)), /snappy/],
  ['lz4 that is none', packed(3, Buffer.alloc(50, 0xff)), /lz4/],
  ['zstd that is none', packed(4, Buffer.alloc(50, 0xff)), /offset 0/],
  ['gzip that is cut off', packed(1, gzipSync(Buffer.alloc(5000)).subarray(0, 20)), /offset 0/],
  ['raw deflate', packed(1, deflateRawSync(Buffer.alloc(100))), /offset 0/],
  ['snappy that says it is 4 GB', packed(2, Buffer.from([0xff, 0xff, 0xff, 0xff, 0x0f, 0])), /snappy length/],
  ['an endless lz4 block', packed(3, Buffer.from('04224d186040820400008000ffffff', 'hex')), /offset 0/],
];

function setLength(batch: Buffer, length: number): Buffer {
  batch.writeInt32BE(length, 8);
  return batch;
}

function setCount(batch: Buffer, count: number): Buffer {
  batch.writeInt32BE(count, 57);
  return batch;
}

function setByte(batch: Buffer, at: number, value: number): Buffer {
  batch[at] = value;
  return batch;
}

describe('a Fetch answer with', () => {
  beforeEach(skipPauses);

  it.each(damages)('%s ends the command with topic, partition and offset', async (_, records, message) => {
    const { stdout, stderr, exitCode } = await consume(records);
    expect(stderr).toMatch(/^weir: .*"foo" partition 0.* offset 0/);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/\n {4}at /);
    expect({ exitCode, isPart: 'a,b,c,d,'.startsWith(stdout) }).toEqual({ exitCode: 1, isPart: true });
  });

  it.each(damages)('good records and then %s prints the good ones first', async (_, records, message) => {
    const moved = Buffer.from(records);
    if (moved.length >= 8) moved.writeBigInt64BE(2n, 0);
    const good = batchAt(0n, ['x', 'y']);
    let sent = 0;
    const react = (): Reaction => {
      sent += 1;
      return fetchAnswer({ records: sent === 1 ? Buffer.concat([good, moved]) : moved, highWatermark: 100n });
    };
    const { stdout, stderr, exitCode } = await consume(records, react, 100n);
    expect(stderr).toMatch(/^weir: .*"foo" partition 0.* offset 2/);
    // The place has moved.
    expect(stderr).toMatch(new RegExp(message.source.replace('offset 0', 'offset 2')));
    expect({ exitCode, begins: stdout.slice(0, 4) }).toEqual({ exitCode: 1, begins: 'x,y,' });
  });
});

describe('a decompression bomb', () => {
  const zeros = Buffer.alloc(300 * 2 ** 20);
  const bombs: readonly (readonly [string, number, () => Buffer])[] = [
    ['gzip', 1, () => gzipSync(zeros, { level: 1 })],
    ['zstd', 4, () => zstdCompressSync(zeros, { params: { [constants.ZSTD_c_compressionLevel]: 1 } })],
    ['lz4', 3, () => lz4Bomb(2 ** 21)],
    ['snappy', 2, () => snappyBomb(300 * 2 ** 20)],
  ];
  it.each(bombs)('of %s is refused with bounded memory', async (_, code, bomb) => {
    const bytes = bomb();
    const before = process.memoryUsage.rss();
    let most = before;
    const look = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss());
    }, 5);
    const { stderr, exitCode } = await consume(packed(code, bytes));
    clearInterval(look);
    expect(stderr).toMatch(/"foo" partition 0.* offset 0.*(decompresses to more than|invalid snappy length)/);
    expect(exitCode).toBe(1);
    // The limit is 64 MiB unpacked; a doubling buffer may hold twice that while it grows.
    expect((most - before) / 2 ** 20).toBeLessThan(300);
  });
});

/** A frame whose only block repeats one byte: each length byte adds 255. */
function lz4Bomb(lengthBytes: number): Buffer {
  const head = Buffer.from('04224d18', 'hex');
  const block = Buffer.concat([Buffer.from([0x1f, 0, 1, 0]), Buffer.alloc(lengthBytes, 255), Buffer.of(0)]);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(block.length);
  // Version 1, independent blocks of at most 4 MiB; the next byte is the hash of these two.
  return Buffer.concat([head, Buffer.from([0x60, 0x70, 0x73]), size, block, Buffer.alloc(4)]);
}

/** A literal, then copies of 64 bytes. */
function snappyBomb(size: number): Buffer {
  const length: number[] = [];
  let rest = size;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) length.push((rest & 0x7f) | 0x80);
  length.push(rest);
  const copies = Buffer.alloc(Math.ceil(size / 64) * 3);
  for (let at = 0; at < copies.length; at += 3) copies.set([0xfe, 1, 0], at);
  return Buffer.concat([Buffer.from(length), Buffer.from([0, 0x78]), copies]);
}

// In real time: some answers are asked for again without a pause, until a limit ends that.
describe('whatever a broker sends as records', () => {
  it('is printed or refused with a message, without a crash or a hang', { timeout: 120_000 }, async () => {
    const batches = Buffer.concat([batchAt(0n, ['a', 'b']), batchAt(2n, ['c', 'd'])]);
    const change = fc.record({ at: fc.nat(batches.length - 1), byte: fc.nat(255) });
    const mutation = fc.record({
      changes: fc.array(change, { minLength: 1, maxLength: 4 }),
      cut: fc.option(fc.nat(batches.length), { nil: batches.length }),
      isSealed: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(mutation, async ({ changes, cut, isSealed }) => {
        const bytes = Buffer.from(batches);
        for (const { at, byte } of changes) bytes[at] = byte;
        // With valid checksums, the damage reaches the records.
        if (isSealed) for (const start of [0, batches.length / 2]) resealAt(bytes, start, batches.length / 2);
        const { stderr, exitCode } = await consume(bytes.subarray(0, cut));
        expect([0, 1, 5]).toContain(exitCode);
        if (exitCode !== 0) expect(stderr).toMatch(/^weir: .*"?foo/);
        expect(stderr).not.toMatch(/\n {4}at |RangeError|TypeError|stopping/);
      }),
      { numRuns: 60 },
    );
  });

  it('as a whole answer, too', { timeout: 120_000 }, async () => {
    const answer = fetchAnswer({ records: batchAt(0n, ['a', 'b', 'c', 'd']), highWatermark: 4n });
    const mutation = fc.record({
      at: fc.nat(answer.length - 1),
      byte: fc.nat(255),
      cut: fc.option(fc.nat(answer.length), { nil: answer.length }),
    });
    await fc.assert(
      fc.asyncProperty(mutation, async ({ at, byte, cut }) => {
        const bytes = Buffer.from(answer);
        bytes[at] = byte;
        const { stderr, exitCode } = await consume(bytes, () => bytes.subarray(0, cut));
        expect([0, 1, 3, 4, 5]).toContain(exitCode);
        expect(stderr).not.toMatch(/\n {4}at |RangeError|TypeError/);
      }),
      { numRuns: 50 },
    );
  });
});

test('a leader that names a replica that does not exist, again and again, ends the command', async () => {
  const answer = fetchAnswer({ records: Buffer.alloc(0), highWatermark: 4n, preferredReadReplica: 81 });
  const { stderr, exitCode } = await consume(answer, () => answer);
  expect({ stderr, exitCode }).toEqual({ stderr: expect.stringContaining('81'), exitCode: 5 });
});

function resealAt(bytes: Buffer, start: number, length: number): void {
  bytes.writeUInt32BE(crc32c(bytes, start + 21, start + length), start + 17);
}
