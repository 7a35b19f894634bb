import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { askPassword, readSecret } from '../../src/cli/secret.ts';
import type { Context } from '../../src/context.ts';
import { temporaryDirectory } from '../world.ts';

const home = temporaryDirectory();
const flags = { stdin: '--stdin', file: '--file' };

/** A context without a terminal, whose working directory was deleted. */
function contextWith(input: string | Buffer = '', signal = new AbortController().signal): Context {
  const host = {
    ...{ home, stdin: { stream: Readable.from([Buffer.from(input)]) } },
    get cwd(): string {
      throw new Error('no working directory');
    },
  };
  return { host, signal, flags: { noInput: true } } as unknown as Context;
}

const fromInput = (input: string | Buffer) =>
  readSecret(contextWith(input), { what: 'key', stdin: true, file: undefined, flags });

function fromFile(content: string | Buffer) {
  const file = join(home, 'secret');
  writeFileSync(file, content);
  return readSecret(contextWith(), { what: 'key', stdin: false, file, flags });
}

const largest = 'x'.repeat(64 * 1024);

test.each([
  ['a', 'a'],
  ['a\n', 'a'],
  ['a\r\n', 'a'],
  ['a\n\n', 'a'],
  [' a ', ' a '],
  ['é\n', 'é'],
  [largest, largest],
])('the secret %#', async (content, secret) => {
  expect(await fromInput(content)).toBe(secret);
  expect(await fromFile(content)).toBe(secret);
});

test.each([
  ['', 'it is empty'],
  ['\n', 'it is empty'],
  ['a\nb', 'it has more than one line'],
  ['a\rb', 'it has more than one line'],
  ['a\0', 'it has more than one line'],
])('%j is not a secret', async (content, reason) => {
  await expect(fromInput(content)).rejects.toMatchObject({
    ...{ exitCode: 2, message: `invalid key from --stdin: ${reason}` },
  });
  await expect(fromFile(content)).rejects.toThrow(`invalid key from --file: ${reason}`);
});

test('a secret has at most 64 KiB', async () => {
  await expect(fromInput(`${largest}x`)).rejects.toMatchObject({
    ...{ exitCode: 2, message: 'the secret on standard input is longer than 64 KiB' },
  });
  await expect(fromFile(`${largest}x`)).rejects.toMatchObject({
    ...{ exitCode: 2, target: '--file', message: 'unable to read the file given with --file: larger than 64 KiB' },
  });
});

test('a file that does not exist is named by its flag, in plain words', async () => {
  const source = { what: 'key', stdin: false, file: '~/nowhere', flags } as const;
  await expect(readSecret(contextWith(), source)).rejects.toMatchObject({
    ...{ exitCode: 2, target: '--file', message: 'unable to read the file given with --file: no such file' },
  });
});

test('a file in the home directory needs no working directory', async () => {
  writeFileSync(join(home, 'mine'), 'm');
  expect(await readSecret(contextWith(), { what: 'key', stdin: false, file: '~/mine', flags })).toBe('m');
});

test('both flags at once are refused', async () => {
  await expect(readSecret(contextWith('a'), { what: 'key', stdin: true, file: 'x', flags })).rejects.toMatchObject({
    ...{ exitCode: 2, message: '--stdin and --file are mutually exclusive' },
  });
});

test('without a flag and without a terminal, the error names the flags', async () => {
  const source = { what: 'key', stdin: false, file: undefined, flags } as const;
  await expect(readSecret(contextWith(), source)).rejects.toMatchObject({
    ...{ exitCode: 2, hints: ['pass it with --stdin or --file FILE'] },
    message: 'the key is missing, and there is no terminal to prompt for it',
  });
  expect(await askPassword(contextWith(), 'key')).toBeUndefined();
});

test('the reason to stop is the error, wherever the secret comes from', async () => {
  const reason = new Error('too late');
  const context = contextWith('a', AbortSignal.abort(reason));
  await expect(readSecret(context, { what: 'key', stdin: true, file: undefined, flags })).rejects.toBe(reason);
  await expect(readSecret(context, { what: 'key', stdin: false, file: '/none', flags })).rejects.toBe(reason);
});
