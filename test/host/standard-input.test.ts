import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { openChunks } from '../../src/host/standard-input.ts';
import { temporaryDirectory } from '../world.ts';

const node = resolve('node_modules/node/bin/node');
const module = resolve('src/host/standard-input.ts');
/** Test data that is larger than every buffer and nowhere repetitive. */
const bytes = Buffer.from(Array.from({ length: 400_000 }, (_, index) => `${index}\n`).join(''));

/** Starts a process that copies its standard input to its standard output through `openChunks`. */
function copier(input: string) {
  const script = `
    const { openChunks } = await import(${JSON.stringify(module)});
    const chunks = openChunks(0);
    process.on('SIGUSR2', () => chunks.destroy());
    process.stdout.write('begins\\n');
    for await (const chunk of chunks) {
      const copy = Buffer.from(chunk);
      chunk.fill(0);
      process.stdout.write(copy) || await new Promise((resolve) => process.stdout.once('drain', resolve));
    }`;
  const words = ['--no-warnings', '--input-type=module', '-e', script];
  const quoted = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  return spawn('sh', ['-c', `${input} exec ${node} ${quoted}`], { stdio: ['pipe', 'pipe', 'inherit'] });
}

describe('a file', () => {
  test.each([0, 1, 5, 1 << 20, (1 << 20) + 1, bytes.length])('of %i bytes is read completely', async (length) => {
    const path = join(temporaryDirectory(), 'input');
    writeFileSync(path, bytes.subarray(0, length));
    const descriptor = openSync(path, 'r');
    const parts: Buffer[] = [];
    for await (const chunk of openChunks(descriptor) ?? []) parts.push(Buffer.from(chunk));
    closeSync(descriptor);
    expect(Buffer.concat(parts).equals(bytes.subarray(0, length))).toBe(true);
  });

  test('is read from the current position of its descriptor', async () => {
    const path = join(temporaryDirectory(), 'input');
    writeFileSync(path, 'first\nsecond\n');
    const descriptor = openSync(path, 'r');
    readSync(descriptor, Buffer.alloc(6));
    const parts: Buffer[] = [];
    for await (const chunk of openChunks(descriptor) ?? []) parts.push(Buffer.from(chunk));
    closeSync(descriptor);
    expect(Buffer.concat(parts).toString()).toBe('second\n');
  });

  test('that cannot be read is an error', async () => {
    const descriptor = openSync(join(temporaryDirectory(), 'input'), 'w');
    const reading = openChunks(descriptor)?.[Symbol.asyncIterator]().next();
    await expect(reading).rejects.toThrow('EBADF');
    closeSync(descriptor);
  });
});

test('a directory is an error, not an empty input', async () => {
  const descriptor = openSync(temporaryDirectory(), 'r');
  const reading = openChunks(descriptor)?.[Symbol.asyncIterator]().next();
  await expect(reading).rejects.toThrow('EISDIR');
  closeSync(descriptor);
});

test('anything other than a file or a pipe is left to a stream', () => {
  const descriptor = openSync('/dev/null', 'r');
  expect(openChunks(descriptor)).toBeUndefined();
  closeSync(descriptor);
});

describe.each([
  ['a socket', ''],
  ['a pipe', 'cat |'],
])('%s', (_what, input) => {
  test('is read completely into memory that is reused', async () => {
    const { stdin, stdout } = copier(input);
    const all = buffer(stdout);
    stdin.end(bytes);
    expect((await all).equals(Buffer.concat([Buffer.from('begins\n'), bytes]))).toBe(true);
  });

  test('returns available data immediately', async () => {
    const { stdin, stdout } = copier(input);
    for (const line of ['begins\n', 'one\n', 'two\n']) {
      if (line !== 'begins\n') stdin.write(line);
      const [chunk] = (await once(stdout, 'data')) as [Buffer];
      expect(chunk.toString()).toBe(line);
    }
    stdin.end();
  });
});

test('a waiting read of a pipe ends when it is destroyed, so that the process can exit', async () => {
  const child = copier('');
  await once(child.stdout, 'data');
  child.kill('SIGUSR2');
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
  child.stdin.destroy();
});
