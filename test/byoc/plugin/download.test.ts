import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { downloadPlugin, gunzipped } from '../../../src/byoc/plugin/download.ts';
import type { PluginRelease } from '../../../src/byoc/plugin/release.ts';
import { firstEntry } from '../../../src/byoc/plugin/unpack.ts';
import type { Download } from '../../../src/cloud/http-download.ts';
import { tarOf } from '../../../src/sandbox/cloud/install-packs.ts';
import { temporaryDirectory } from '../../world.ts';

const content = Buffer.from('#!/bin/sh\nexit 0\n'.repeat(5000));
const packed = gzipSync(tarOf({ name: 'byoc', mode: 0o755, content }));
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

const release: PluginRelease = {
  version: '25.2.1',
  target: { os: 'linux', arch: 'amd64' },
  location: 'https://files.example/byoc.tar.gz?X-Signature=secret',
  sha256Prefix: sha256(content).slice(0, 32),
  packedSha256: sha256(packed),
};

async function* pieces(...all: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* all;
}

const serve = (download: Download) => ({ download: async () => download });

test('the content is written, its SHA-256 returned, and every piece reported', async () => {
  const file = join(temporaryDirectory(), 'plugin');
  const seen: number[] = [];
  const cloud = serve({ length: packed.length, chunks: pieces(packed.subarray(0, 40), packed.subarray(40)) });
  const options = { limitMs: 60_000, onProgress: ({ done }: { done: number }) => seen.push(done) };
  expect(await downloadPlugin(cloud, release, file, options)).toBe(sha256(content));
  expect(Buffer.compare(readFileSync(file), content)).toBe(0);
  expect(seen).toEqual([40, packed.length]);
  expect(readdirSync(join(file, '..'))).toEqual(['plugin']);
});

test('an endless download is given up at the limit, even if the server is silent', async () => {
  const directory = temporaryDirectory();
  const silent = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => undefined) }) };
  const download = downloadPlugin(serve({ length: 9, chunks: silent }), release, join(directory, 'plugin'), {
    limitMs: 50,
  });
  await expect(download).rejects.toMatchObject({
    exitCode: 5,
    code: 'DOWNLOAD_TIMEOUT',
    message: 'unable to download the plugin 25.2.1: the download timed out after 0.05s',
    target: 'https://files.example/byoc.tar.gz',
  });
  expect(readdirSync(directory)).toEqual([]);
});

test.each<[string, Download, number, RegExp]>([
  [
    'cut short',
    { length: packed.length, chunks: pieces(packed.subarray(0, 99)) },
    5,
    /cut short after 99 of \d+ bytes/,
  ],
  [
    'cut short, its length unknown',
    { length: undefined, chunks: pieces(packed.subarray(0, 99)) },
    1,
    /but the install pack has/,
  ],
  ['something else', { length: undefined, chunks: pieces(Buffer.from('<html>')) }, 1, /its sha256 is [0-9a-f]{64}/],
])('a download that is %s is not kept', async (_, download, exitCode, message) => {
  const directory = temporaryDirectory();
  const failing = downloadPlugin(serve(download), release, join(directory, 'plugin'), { limitMs: 60_000 });
  await expect(failing).rejects.toMatchObject({ exitCode, message: expect.stringMatching(message) });
  expect(readdirSync(directory)).toEqual([]);
});

test('a download that is cut short, too large or not the promised one has its own code', async () => {
  const failing = async (download: Download, part: Partial<PluginRelease> = {}, maxBytes = 1e9) => {
    const file = join(temporaryDirectory(), 'plugin');
    return await downloadPlugin(serve(download), { ...release, ...part }, file, { limitMs: 60_000, maxBytes }).catch(
      ({ code }) => code,
    );
  };
  expect(await failing({ length: packed.length, chunks: pieces(packed.subarray(0, 9)) })).toBe('DOWNLOAD_CUT');
  expect(await failing({ length: undefined, chunks: pieces(packed) }, { packedSha256: 'x' })).toBe('PLUGIN_MISMATCH');
  expect(await failing({ length: undefined, chunks: pieces(packed) }, {}, 5)).toBe('PLUGIN_DAMAGED');
});

test('a download without an end is given up when it is too large, and not kept', async () => {
  const directory = temporaryDirectory();
  let sent = 0;
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (;;) {
      sent += 1000;
      yield Buffer.alloc(1000);
    }
  }
  const options = { limitMs: 60_000, maxBytes: 5_000 };
  const download = downloadPlugin(
    serve({ length: undefined, chunks: endless() }),
    release,
    join(directory, 'plugin'),
    options,
  );
  await expect(download).rejects.toThrow('unable to download the plugin 25.2.1: it is larger than 5000 bytes');
  expect(sent).toBe(6_000);
  expect(readdirSync(directory)).toEqual([]);
});

test('without a promised SHA-256, a file that is not gzip is reported', async () => {
  const directory = temporaryDirectory();
  const plain = { ...release, packedSha256: undefined };
  const download = serve({ length: undefined, chunks: pieces(Buffer.from('<html>')) });
  await expect(downloadPlugin(download, plain, join(directory, 'plugin'), { limitMs: 60_000 })).rejects.toMatchObject({
    exitCode: 1,
    code: 'PLUGIN_DAMAGED',
  });
});

test.each([
  ['that is not gzip', 'plugin.tar.gz', 'incorrect header check'],
  ['that does not exist', 'none.tar.gz', 'ENOENT'],
])('the error of a file %s waits for the reader', async (_, name, message) => {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, 'plugin.tar.gz'), '<html>');
  const plain = gunzipped(join(directory, name));
  await new Promise((resolve) => plain.once('close', resolve));
  await expect(firstEntry(plain).next()).rejects.toThrow(message);
});
