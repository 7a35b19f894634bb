import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { CliError, exitCodes, rephrased, unreachableError } from '../../errors.ts';
import type { Cloud, Download } from '../cloud.ts';
import { type PluginRelease, showLocation } from './release.ts';
import { asideOf, writeHashed } from './store.ts';
import { firstEntry } from './unpack.ts';

/** How a download is watched and bounded. */
export interface DownloadOptions {
  /** How long all of it may take, in milliseconds. */
  readonly limitMs: number;
  /** Called for every piece, in bytes. */
  readonly onProgress?: (state: { readonly done: number; readonly total?: number }) => void;
}

/**
 * Downloads a packed plugin and writes the executable inside to `file`; reports its sha256.
 * @throws CliError when it cannot be had whole in time, or is not what the install pack promises
 */
export async function downloadPlugin(
  cloud: Pick<Cloud, 'download'>,
  release: PluginRelease,
  file: string,
  options: DownloadOptions,
): Promise<string> {
  const packed = asideOf(file);
  const limit = startLimit(release, options.limitMs);
  try {
    const download = await limit.bound(cloud.download(release.location));
    const sha256 = await writeHashed(packed, watch(download, limit, options));
    if (release.packedSha256 !== undefined && release.packedSha256 !== sha256) throw damaged(release, sha256);
    return await unpack(packed, file);
  } catch (error) {
    throw told(release, error);
  } finally {
    limit.stop();
    await rm(packed, { force: true });
  }
}

async function unpack(packed: string, file: string): Promise<string> {
  const archive = createReadStream(packed);
  const plain = createGunzip();
  archive.on('error', (error) => plain.destroy(error));
  return await writeHashed(file, firstEntry(archive.pipe(plain)));
}

interface Limit {
  bound<T>(work: Promise<T>): Promise<T>;
  stop(): void;
}

function startLimit(release: PluginRelease, limitMs: number): Limit {
  const over = Promise.withResolvers<never>();
  over.promise.catch(() => undefined); // it may pass while nobody waits
  const timer = setTimeout(() => {
    over.reject(
      unreachableError(`it did not end within ${limitMs / 1000}s`, {
        code: 'DOWNLOAD_TIMEOUT',
        target: showLocation(release.location),
        hints: ['the limit is fixed; try again from a faster network'],
      }),
    );
  }, limitMs);
  return {
    async bound(work) {
      work.catch(() => undefined); // the limit may be told first
      return await Promise.race([work, over.promise]);
    },
    stop: () => clearTimeout(timer),
  };
}

async function* watch(download: Download, limit: Limit, options: DownloadOptions): AsyncGenerator<Uint8Array> {
  const { length: total } = download;
  let done = 0;
  const chunks = download.chunks[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await limit.bound(chunks.next());
      if (next.done === true) break;
      done += next.value.length;
      options.onProgress?.({ done, ...(total === undefined ? {} : { total }) });
      yield next.value;
    }
  } finally {
    chunks.return?.()?.catch(() => undefined); // not awaited: a silent server would hold it
  }
  if (total !== undefined && done !== total) {
    throw unreachableError(`it was cut short after ${done} of ${total} bytes`, { code: 'DOWNLOAD_CUT' });
  }
}

function damaged({ packedSha256 }: PluginRelease, computed: string): CliError {
  return new CliError(exitCodes.failure, `its sha256 is ${computed}, and the install pack promises ${packedSha256}`, {
    code: 'PLUGIN_MISMATCH',
    hints: ['it was not kept and not started; try again, and tell the vendor if it stays so'],
  });
}

function told(release: PluginRelease, error: unknown): unknown {
  const prefix = `unable to download the plugin ${release.version}`;
  if (error instanceof CliError && error.code === 'INTERRUPTED') return error;
  if (error instanceof CliError) return rephrased(error, `${prefix}: ${error.message}`);
  const reason = error instanceof Error ? error.message : String(error);
  // What zlib says about a gzip that is none, or a disk that is full.
  return new CliError(exitCodes.failure, `${prefix}: ${reason}`, {
    code: 'PLUGIN_DAMAGED',
    cause: error,
    retryable: true,
  });
}
