import { createInterface } from 'node:readline';
import { execa } from 'execa';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linesOf, newTopic, weir } from '../../commands/topic/records-world.ts';
import { services } from '../../services/services.ts';
import { consoleReads } from './console-tools.ts';
import { pythonPeer } from './python-peer.ts';

/** A read from an offset, with a size limit for answers, in bytes. */
interface Reading {
  readonly start: number;
  readonly committed: boolean;
  readonly maxBytes: number;
  readonly maxPartitionBytes: number;
}

const seed = Number(process.env.WEIR_TEST_SEED ?? 20_270_114);
const layout = '%o=%v\\n';
let topic: string;
let peer: ReturnType<typeof pythonPeer>;
/** Every record with its offset, as weir reads it regardless of transactions. */
let all: readonly string[];
/** The offset of the last record before the last stable offset. */
let stable: number;

beforeAll(async () => {
  topic = await newTopic();
  peer = pythonPeer('random', [topic, String(seed)]);
  for await (const line of createInterface({ input: peer.stdout })) if (line === 'open') break;
  all = await weirReads({ start: 0, committed: false, maxBytes: 1 << 20, maxPartitionBytes: 1 << 20 });
  stable = Number.parseInt(all.find((line) => line.endsWith('=stable')) ?? '', 10);
});

afterAll(async () => {
  peer.stdin.end();
  await peer;
});

async function weirReads({ start, committed, maxBytes, maxPartitionBytes }: Reading): Promise<readonly string[]> {
  const sizes = ['--fetch-max-bytes', `${maxBytes}`, '--fetch-max-partition-bytes', `${maxPartitionBytes}`];
  const isolation = committed ? ['--read-committed'] : [];
  const words = ['topic', 'consume', topic, '-o', `${start}:end`, '-f', layout, ...sizes, ...isolation];
  const { stdout, stderr, exitCode } = await weir(words);
  // Where an open transaction ends the read, it is named.
  const open = /^topic ".*" partition 0 stops at offset \d+: a transaction of ".*" is open, \d+ more offsets?\n$/;
  expect({ stderr: stderr.replace(open, ''), exitCode }).toEqual({ stderr: '', exitCode: 0 });
  return linesOf(stdout);
}

async function kcatReads({ start, committed, maxPartitionBytes }: Reading): Promise<readonly string[]> {
  const settings = [
    `isolation.level=read_${committed ? 'committed' : 'uncommitted'}`,
    `fetch.message.max.bytes=${maxPartitionBytes}`,
    ...['fetch.wait.max.ms=10', 'check.crcs=true'],
  ].flatMap((setting) => ['-X', setting]);
  const place = ['-C', '-t', topic, '-p', '0', '-o', String(start), '-e', '-q', '-f', '%o=%s\\n'];
  const { stdout } = await execa('kcat', ['-b', services().plaintext, ...settings, ...place]);
  return linesOf(stdout);
}

/** It ends only by count: the last record shows that nothing else came before it. */
async function javaReads(reading: Reading, count = 0): Promise<readonly string[]> {
  const { start, committed, maxBytes, maxPartitionBytes } = reading;
  const properties = [`fetch.max.bytes=${maxBytes}`, `max.partition.fetch.bytes=${maxPartitionBytes}`];
  const lines = await consoleReads(topic, { start, committed, count, properties });
  expect(lines.at(-1)).toMatch(committed ? /=stable$/ : /=last$/);
  return lines;
}

/** Fails with the whole log if weir reads something else. */
async function compared(reading: Reading, reads: Promise<readonly string[]>): Promise<void> {
  const theirs = await reads;
  const ours = await weirReads(reading);
  if (ours.join() === theirs.join()) return;
  expect({ reading, read: ours, log: await describeLog() }).toEqual({ reading, read: theirs });
}

/** Any read that shows a record: the last one that each way of reading shows comes last of all. */
function anyReading(): fc.Arbitrary<Reading> {
  const size = fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 600 }), fc.integer({ min: 1, max: 20_000 }));
  return fc.record({
    start: fc.noBias(fc.nat(stable)),
    committed: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
    maxBytes: size,
    maxPartitionBytes: size,
  });
}

/** The log of a failure: its records and markers. */
async function describeLog(): Promise<string> {
  const marks = '%o:%x%a{control-bit}%a{transactional-bit} ';
  const words = ['topic', 'consume', topic, '-o', ':end', '--print-control-records', '-f', marks];
  return `WEIR_TEST_SEED=${seed}, offset:producer, control, transactional: ${(await weir(words)).stdout}`;
}

describe('a random log of transactions, read from any offset with any fetch size', () => {
  it('has committed and aborted records', async () => {
    const committed = await weirReads({ start: 0, committed: true, maxBytes: 1 << 20, maxPartitionBytes: 1 << 20 });
    expect(all.at(-1)).toMatch(/=last$/);
    expect(committed.at(-1)).toMatch(/=stable$/);
    expect(committed.length).toBeGreaterThan(1);
    expect(all.length).toBeGreaterThan(committed.length + 1);
  });

  it('is the same for weir and for kcat', async () => {
    await fc.assert(
      fc.asyncProperty(anyReading(), (reading) => compared(reading, kcatReads(reading))),
      { numRuns: 25, seed, endOnFailure: true },
    );
  });

  it('is the same for weir and for the console consumer', async () => {
    const readings = fc.sample(anyReading(), { numRuns: 2, seed: seed + 1 });
    const expected = await Promise.all(readings.map(weirReads));
    await Promise.all(readings.map((reading, index) => compared(reading, javaReads(reading, expected[index]?.length))));
  });
});
