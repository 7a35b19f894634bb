import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { pipesWaitedFor, ReadRefusal, readOwnFile, readSmallFile, readStream } from '../../src/files/read.ts';
import { temporaryDirectory } from '../world.ts';

function makePipe(): string {
  const path = join(temporaryDirectory(), 'pipe');
  execFileSync('mkfifo', [path]);
  return path;
}

test.each([
  ['0 bytes', 0, 1],
  ['as many bytes as allowed', 200_000, 200_000],
])('a file of %s is read', async (_, length, limit) => {
  const path = join(temporaryDirectory(), 'file');
  const bytes = Buffer.from(Array.from({ length }, (_byte, at) => at % 251));
  writeFileSync(path, bytes);
  expect((await readSmallFile(path, limit)).equals(bytes)).toBe(true);
});

test('a file with one byte too many is refused', async () => {
  const path = join(temporaryDirectory(), 'file');
  writeFileSync(path, 'x'.repeat(1025));
  await expect(readSmallFile(path, 1024)).rejects.toThrow(new ReadRefusal('larger than 1 KiB'));
});

test('a device is read up to the limit', async () => {
  await expect(readSmallFile('/dev/zero', 1024)).rejects.toThrow(new ReadRefusal('larger than 1 KiB'));
  expect(await readSmallFile('/dev/null', 1024)).toHaveLength(0);
});

test('errors of the system keep their code', async () => {
  await expect(readSmallFile('/nowhere/at/all', 1)).rejects.toMatchObject({ code: 'ENOENT' });
  await expect(readSmallFile('/', 1)).rejects.toMatchObject({ code: 'EISDIR' });
});

/** Opens a pipe to write as soon as somebody reads it. */
async function openWriter(path: string): Promise<number> {
  for (;;) {
    try {
      return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}

test('a pipe is read until its writer closes it, also if that opens it later', async () => {
  const path = makePipe();
  const reading = readSmallFile(path, 1024);
  expect(pipesWaitedFor()).toEqual([path]);
  const writer = await openWriter(path);
  writeSync(writer, 'hunter2');
  closeSync(writer);
  expect([String(await reading), pipesWaitedFor()]).toEqual(['hunter2', []]);
});

test('a descriptor that was handed over is read once for all that ask', async () => {
  const descriptor = openSync(makePipe(), constants.O_RDWR | constants.O_NONBLOCK);
  writeSync(descriptor, 'x'.repeat(1025));
  const path = `/dev/fd/${descriptor}`;
  const refusal = new ReadRefusal('larger than 1 KiB');
  const both = [readSmallFile(path, 1024), readSmallFile(path, 1024)];
  await Promise.all(both.map((reading) => expect(reading).rejects.toThrow(refusal)));
  closeSync(descriptor);
});

test('a pipe that nobody writes to is given up when the signal is aborted', async () => {
  const stop = new AbortController();
  const path = makePipe();
  const refused = expect(readSmallFile(path, 1024, stop.signal)).rejects.toThrow('time is over');
  stop.abort(new Error('time is over'));
  await refused;
  expect(await readSmallFile(import.meta.filename, 1_000_000)).not.toHaveLength(0);
  // The thread that waits for a writer.
  closeSync(await openWriter(path));
});

test('nothing is opened once the signal has been aborted', async () => {
  const path = makePipe();
  await expect(readSmallFile(path, 1024, AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late');
  expect(() => openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)).toThrow('ENXIO');
});

test('a stream that does not end is given up when the signal is aborted', async () => {
  const stop = new AbortController();
  const reading = readStream(new PassThrough(), 1024, stop.signal);
  stop.abort(new Error('time is over'));
  await expect(reading).rejects.toThrow('time is over');
});

test('a stream with more than is allowed is refused before its end', async () => {
  const stream = new PassThrough();
  stream.write('x'.repeat(1025));
  await expect(readStream(stream, 1024)).rejects.toThrow(ReadRefusal);
});

test('a file of our own is read as text, up to the limit', () => {
  const path = join(temporaryDirectory(), 'file');
  writeFileSync(path, 'naïve');
  expect(readOwnFile(path, 6)).toBe('naïve');
  expect(() => readOwnFile(path, 5)).toThrow(ReadRefusal);
  expect(() => readOwnFile(join(path, 'x'), 5)).toThrow(expect.objectContaining({ code: 'ENOTDIR' }));
});

test.each(['a pipe', '/dev/null', '/'])('%s in the place of a file of our own is refused at once', (what) => {
  const path = what === 'a pipe' ? makePipe() : what;
  expect(() => readOwnFile(path, 1024)).toThrow(new ReadRefusal('it is not a regular file'));
});
