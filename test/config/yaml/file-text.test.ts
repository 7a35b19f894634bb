import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isWritable, maxFileBytes, readFileText } from '../../../src/config/yaml/file-text.ts';
import { emptyDirectory } from '../sources/sources.ts';

function fileWith(content: string | Uint8Array, mode = 0o600): string {
  const path = join(emptyDirectory(), 'a.yaml');
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}

test.each([
  [0o600, false],
  [0o640, true],
  [0o604, true],
  [0o644, true],
  [0o622, false],
  [0o611, false],
])('a file of mode %o is readable by others: %s', (mode, readableByOthers) => {
  const path = fileWith('a: é\t\r\n', mode);
  expect(readFileText(path)).toEqual({ path, text: 'a: é\t\r\n', readableByOthers });
});

test('a file may have as many bytes as allowed, and not one more', () => {
  expect(maxFileBytes).toBe(256 * 1024);
  expect(readFileText(fileWith('x'.repeat(maxFileBytes)))?.text).toHaveLength(maxFileBytes);
  const path = fileWith('x'.repeat(maxFileBytes + 1));
  expect(() => readFileText(path)).toThrow(`unable to read ${path}: it is larger than 262144 bytes`);
});

test.each<[string, Uint8Array, number]>([
  ['a control character', Buffer.from('a\nb\n\u0001'), 3],
  ['a zero byte in the first line', Buffer.from('a\0\nb'), 1],
  [
    'a wrong byte at the start of a line',
    Buffer.concat([Buffer.from('é\nb\n'), Buffer.from([0xff]), Buffer.from('\n')]),
    3,
  ],
  [
    'a wrong byte at the end of a line',
    Buffer.concat([Buffer.from('a\nb'), Buffer.from([0xc3]), Buffer.from('\nc\n')]),
    2,
  ],
  ['a byte order mark and a wrong byte', Buffer.from([0xef, 0xbb, 0xbf, 0x0a, 0xff]), 2],
])('%s is an error that names its line', (_, bytes, line) => {
  const path = fileWith(bytes);
  expect(() => readFileText(path)).toThrow(
    expect.objectContaining({
      exitCode: 2,
      target: path,
      message: `unable to read ${path}:${line}: it is not UTF-8 text`,
    }),
  );
});

test('nothing is read where there is no file, and /dev/null is empty', () => {
  const directory = emptyDirectory();
  writeFileSync(join(directory, 'file'), '');
  symlinkSync('nothing', join(directory, 'dangling'));
  for (const name of ['none', 'none/below', 'file/below', 'dangling']) {
    expect(readFileText(join(directory, name))).toBeUndefined();
  }
  expect(readFileText('/dev/null')).toEqual({ path: '/dev/null', text: '', readableByOthers: false });
});

test.each<[string, (path: string) => void]>([
  ['a directory', (path) => mkdirSync(path)],
  ['a pipe', (path) => execFileSync('mkfifo', [path])],
  ['a link to a device', (path) => symlinkSync('/dev/zero', path)],
])('%s is not read', (_, make) => {
  const path = join(emptyDirectory(), 'a.yaml');
  make(path);
  expect(() => readFileText(path)).toThrow(`unable to read ${path}: it is not a regular file`);
});

test('another fault of the system is an error in plain words', () => {
  const path = join(emptyDirectory(), 'loop');
  symlinkSync('loop', path);
  expect(() => readFileText(path)).toThrow(`unable to read ${path}: its symbolic links form a loop`);
});

test.each([
  ['a\tb\r\n é', true],
  ['a\u0000', false],
  ['\u001fa', false],
  ['\u007f', true],
  ['', true],
])('the text %j can be written: %s', (text, expected) => expect(isWritable(text)).toBe(expected));
