import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readTextFile } from '../../src/commands/text-file.ts';
import type { Context } from '../../src/context.ts';
import { temporaryDirectory } from '../world.ts';

const cwd = temporaryDirectory();
writeFileSync(join(cwd, 'text'), 'grün\n');
writeFileSync(join(cwd, 'bytes'), Buffer.from([0xff, 0xfe]));
mkdirSync(join(cwd, 'folder'));

function contextOf(input: Buffer): Context {
  const host = { cwd, home: undefined, stdin: { stream: Readable.from([input]) } };
  return { host, signal: new AbortController().signal } as unknown as Context;
}

test('a text is read from a file or from standard input', async () => {
  expect(await readTextFile(contextOf(Buffer.from('')), 'text')).toBe('grün\n');
  expect(await readTextFile(contextOf(Buffer.from('given')), '-')).toBe('given');
});

test.each([
  ['nothing', 2, 'unable to read nothing: '],
  ['folder', 1, 'unable to read folder: it is a '],
  ['bytes', 2, 'unable to use bytes: it is not UTF-8 text'],
  ['-', 2, 'unable to use standard input: it is not UTF-8 text'],
])('%s has exit %i: %s', async (file, exitCode, message) => {
  const work = readTextFile(contextOf(Buffer.from([0xff, 0xfe])), file);
  await expect(work).rejects.toMatchObject({
    ...{ exitCode, message: expect.stringContaining(message), target: message.includes('use') ? undefined : file },
  });
});
