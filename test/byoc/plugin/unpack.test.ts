import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstEntry } from '../../../src/byoc/plugin/unpack.ts';
import { tarOf } from '../../../src/sandbox/cloud/install-packs.ts';
import { temporaryDirectory } from '../../world.ts';

async function* pieces(bytes: Uint8Array, size = 700): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function unpack(bytes: Uint8Array, size?: number): Promise<Buffer> {
  const found: Uint8Array[] = [];
  for await (const chunk of firstEntry(pieces(bytes, size))) found.push(chunk);
  return Buffer.concat(found);
}

const archive = (name: string, content: Uint8Array) => tarOf({ name, mode: 0o755, content });

/** Changes a byte of the header and makes its checksum right again. */
function altered(tar: Buffer, at: number, text: string): Buffer {
  const changed = Buffer.from(tar);
  changed.write(text, at, 'latin1');
  changed.write('        ', 148, 'latin1');
  const sum = changed.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  changed.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return changed;
}

test('the first entry comes out byte by byte, however the archive arrives', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 3000 }), fc.integer({ min: 1, max: 1500 }), async (content, size) => {
      expect(Buffer.compare(await unpack(archive('byoc', content), size), content)).toBe(0);
    }),
    { numRuns: 50 },
  );
});

test('only the first entry is taken', async () => {
  const both = Buffer.concat([
    archive('a', Buffer.from('first')).subarray(0, 1024),
    archive('b', Buffer.from('second')),
  ]);
  expect((await unpack(both)).toString()).toBe('first');
});

test.each(['ustar', 'pax', 'gnu'])('an archive that tar itself made is read: %s', async (format) => {
  const directory = temporaryDirectory();
  const name = `byoc-${'x'.repeat(format === 'ustar' ? 10 : 150)}`;
  writeFileSync(join(directory, name), 'the executable');
  execFileSync('tar', [`--format=${format}`, '-cf', 'all.tar', name], { cwd: directory });
  expect((await unpack(readFileSync(join(directory, 'all.tar')))).toString()).toBe('the executable');
});

test('a link is refused', async () => {
  const directory = temporaryDirectory();
  symlinkSync('/etc/passwd', join(directory, 'byoc'));
  execFileSync('tar', ['-cf', 'all.tar', 'byoc'], { cwd: directory });
  await expect(unpack(readFileSync(join(directory, 'all.tar')))).rejects.toThrow(/is not a regular file/);
});

const good = archive('byoc', Buffer.from('#!/bin/sh\n'));
test.each<[string, Buffer, RegExp]>([
  ['a name that leaves it', archive('../../bin/sh', Buffer.from('x')), /has an unsafe path/],
  ['an absolute name', archive('/bin/sh', Buffer.from('x')), /has an unsafe path/],
  ['a hard link', altered(good, 156, '1'), /not a regular file/],
  ['a directory', altered(good, 156, '5'), /not a regular file/],
  ['a device', altered(good, 156, '3'), /not a regular file/],
  ['a size beyond all measure', altered(good, 124, '77777777777\0'), /has an invalid size/],
  ['a size that is none', altered(good, 124, 'zzzzzzzzzzz\0'), /has an invalid size/],
  ['a wrong checksum', Buffer.concat([Buffer.from('X'), good.subarray(1)]), /damaged/],
  ['zeros', Buffer.alloc(2048), /it is empty/],
  ['nothing', Buffer.alloc(0), /cut short/],
  ['an end in the middle', good.subarray(0, 515), /cut short/],
  ['text', Buffer.from('no such thing\n'.repeat(100)), /damaged/],
])('an archive with %s is refused', async (_, bytes, message) => {
  await expect(unpack(bytes)).rejects.toThrow(message);
  await expect(unpack(bytes)).rejects.toMatchObject({ exitCode: 1, code: 'PLUGIN_DAMAGED' });
});

test.each(['0', '\0', '7'])('an entry of the type %j is a regular file', async (type) => {
  expect((await unpack(altered(good, 156, type))).toString()).toBe('#!/bin/sh\n');
});

test('headers without end are refused', async () => {
  const header = altered(archive('pax', Buffer.alloc(0)).subarray(0, 512), 156, 'x');
  const endless = Buffer.concat([...Array(17).fill(header), archive('byoc', Buffer.from('x'))]);
  await expect(unpack(endless)).rejects.toThrow(
    'unable to unpack the plugin: its first entry has more than 16 headers',
  );
  expect((await unpack(endless.subarray(512 * 2))).toString()).toBe('x');
});
