import { spawnSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { onTestFinished, test } from 'vitest';
import { createPrinter } from '../../src/cli/output/output.ts';
import { directWriteTo } from '../../src/host/standard-output.ts';
import { runner, weir } from '../built.ts';

function scratch(): string {
  const directory = mkdtempSync(join(tmpdir(), 'weir-output-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}

/** Both ends of a pipe. */
function pipe(): readonly [reader: number, writer: number] {
  const path = join(scratch(), 'pipe');
  spawnSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(path, constants.O_WRONLY);
  onTestFinished(() => {
    closeSync(reader);
    closeSync(writer);
  });
  return [reader, writer];
}

test('a pipe takes what fits, without waiting for its reader', ({ expect }) => {
  const [reader, writer] = pipe();
  const write = directWriteTo(writer);
  expect(write(Buffer.from('weir\n'))).toBe(5);
  const read = Buffer.alloc(10);
  expect(readSync(reader, read)).toBe(5);
  expect(write(Buffer.alloc(1 << 20))).toBe(1 << 16);
  expect(write(Buffer.from('more'))).toBe(0);
});

test('the pipe of others stays as it was: a write to it still waits', ({ expect }) => {
  const [, writer] = pipe();
  directWriteTo(writer)(Buffer.from('weir\n'));
  const flags = readFileSync(`/proc/self/fdinfo/${writer}`, 'utf8');
  const octal = Number.parseInt(/^flags:\s+(\d+)/m.exec(flags)?.[1] ?? '', 8);
  expect(octal & constants.O_NONBLOCK).toBe(0);
});

test('a file is written where its descriptor stands', ({ expect }) => {
  const path = join(scratch(), 'out');
  const descriptor = openSync(path, 'w');
  writeSync(descriptor, 'before ');
  expect(directWriteTo(descriptor)(Buffer.from('weir '))).toBe(5);
  writeSync(descriptor, 'after');
  closeSync(descriptor);
  expect(readFileSync(path, 'utf8')).toBe('before weir after');
});

test('a full disk and a closed descriptor are left to the stream, which reports them', ({ expect }) => {
  const full = openSync('/dev/full', 'w');
  expect(directWriteTo(full)(Buffer.from('weir'))).toBe(0);
  closeSync(full);
  expect(directWriteTo(full)(Buffer.from('weir'))).toBe(0);
});

test.for([
  ['the disk is full', 'exec >/dev/full', 1, /^weir: unable to write to standard output: .*ENOSPC/],
  ['the reader is gone', 'exec > >(true); wait $!', 141, /^$/],
] as const)('a short output when %s', ([, redirect, code, text], { expect }) => {
  const line = `${redirect}; "$@" -X list; echo "$?" >&4`;
  const { stderr, output } = spawnSync('bash', ['-c', line, 'bash', runner, weir], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe', 'ignore', 'pipe'],
  });
  expect([Number(output[4]), stderr]).toEqual([code, expect.stringMatching(text)]);
});

test('a short output behind what fills the pipe waits for the reader, and comes whole', ({ expect }) => {
  const line = '(head -c 65536 /dev/zero; "$@" --version) | (sleep 0.2; tail -c 6)';
  const { stdout } = spawnSync('bash', ['-c', line, 'bash', runner, weir], { encoding: 'utf8' });
  expect(stdout).toBe('0.1.0\n');
});

test('what was not written directly goes to the stream, and everything after it', async ({ expect }) => {
  const direct: string[] = [];
  const streamed: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      streamed.push(String(chunk));
      done();
    },
  });
  const writeDirect = (bytes: Uint8Array): number => {
    const part = Buffer.from(bytes.subarray(0, 6 - direct.join('').length)).toString();
    direct.push(part);
    return part.length;
  };
  const printer = createPrinter({ stream, writeDirect, isTerminal: false, columns: undefined });
  for (const chunk of ['one ', 'two ', 'three']) await printer.write(chunk);
  await printer.flush();
  expect([direct, streamed]).toEqual([
    ['one ', 'tw'],
    ['o ', 'three'],
  ]);
});
