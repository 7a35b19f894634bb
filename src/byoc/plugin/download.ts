import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Download } from '../../cloud/http-download.ts';
import { CliError, exitCodes, rephrased, unreachableError } from '../../errors.ts';
import { shownUrl } from '../../net/shown-url.ts';
import type { PluginRelease } from './release.ts';
import { asideOf, writeHashed } from './store.ts';
import { firstEntry } from './unpack.ts';

/** The limit and the progress callback of a download. */
export interface DownloadOptions {
  /** The limit for the whole download, in milliseconds. */
  readonly limitMs: number;
  /** The maximum size of the packed plugin (default 4 GiB), so that an endless answer cannot fill the disk. */
  readonly maxBytes?: number;
  /** Called for every chunk, with numbers in bytes. */
  readonly onProgress?: (state: { readonly done: number; readonly total?: number }) => void;
}

/** Where plugins are downloaded from. */
export interface Downloads {
  /** Starts a download from any URL. */
  download(url: string): Promise<Download>;
}

/**
 * Downloads a packed plugin, writes the executable in it to `file`, and returns the executable's sha256.
 * @throws CliError if the download fails or times out, or does not match the install pack's sha256
 */
export async function downloadPlugin(
  cloud: Downloads,
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
    throw downloadError(release, error);
  } finally {
    limit.stop();
    await rm(packed, { force: true });
  }
}

async function unpack(packed: string, file: string): Promise<string> {
  return await writeHashed(file, firstEntry(gunzipped(packed)));
}

/** Reads a gzip file. An error of the file or its content is kept until the stream is read, however late that is. */
export function gunzipped(path: string): Readable {
  // Without a callback, an error before the first read would end the process.
  return pipeline(createReadStream(path), createGunzip(), () => undefined);
}

interface Limit {
  bound<T>(work: Promise<T>): Promise<T>;
  stop(): void;
}

function startLimit(release: PluginRelease, limitMs: number): Limit {
  const over = Promise.withResolvers<never>();
  over.promise.catch(() => undefined); // it may expire when nothing awaits it
  const timer = setTimeout(() => {
    over.reject(
      unreachableError(`the download timed out after ${limitMs / 1000}s`, {
        code: 'DOWNLOAD_TIMEOUT',
        target: shownUrl(release.location),
        hints: ['try again from a faster network; the limit is fixed'],
      }),
    );
  }, limitMs);
  return {
    async bound(work) {
      work.catch(() => undefined); // the limit may expire first
      return await Promise.race([work, over.promise]);
    },
    stop: () => clearTimeout(timer),
  };
}

async function* watch(download: Download, limit: Limit, options: DownloadOptions): AsyncGenerator<Uint8Array> {
  const { length: total } = download;
  const { maxBytes = 4 * 1024 ** 3 } = options;
  let done = 0;
  const chunks = download.chunks[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await limit.bound(chunks.next());
      if (next.done === true) break;
      done += next.value.length;
      if (done > maxBytes) throw tooLarge(maxBytes);
      options.onProgress?.({ done, ...(total === undefined ? {} : { total }) });
      yield next.value;
    }
  } finally {
    chunks.return?.()?.catch(() => undefined); // not awaited, because a silent server would block it
  }
  if (total !== undefined && done !== total) {
    throw unreachableError(`it was cut short after ${done} of ${total} bytes`, { code: 'DOWNLOAD_CUT' });
  }
}

function tooLarge(maxBytes: number): CliError {
  return new CliError(exitCodes.failure, `it is larger than ${maxBytes} bytes`, { code: 'PLUGIN_DAMAGED' });
}

function damaged({ packedSha256 }: PluginRelease, computed: string): CliError {
  return new CliError(exitCodes.failure, `its sha256 is ${computed}, but the install pack has ${packedSha256}`, {
    code: 'PLUGIN_MISMATCH',
    hints: ['try again, and tell the vendor if the problem persists; the download was deleted'],
  });
}

function downloadError(release: PluginRelease, error: unknown): unknown {
  const prefix = `unable to download the plugin ${release.version}`;
  if (error instanceof CliError && error.code === 'INTERRUPTED') return error;
  if (error instanceof CliError) return rephrased(error, `${prefix}: ${error.message}`);
  const reason = error instanceof Error ? error.message : String(error);
  // For example an error of zlib for invalid data, or of the file system for a full disk.
  return new CliError(exitCodes.failure, `${prefix}: ${reason}`, {
    code: 'PLUGIN_DAMAGED',
    cause: error,
    retryable: true,
  });
}
