import { CliError, exitCodes } from '../errors.ts';
import type { Http } from '../net/http.ts';
import { HttpError, isPassing } from '../net/http-error.ts';
import { shownUrl } from '../net/shown-url.ts';
import { checkPlainHttp } from './plain-http.ts';

const mostRedirects = 5;

/** A download in progress. */
export interface Download {
  /** The size in bytes; undefined if the server does not send it. */
  readonly length: number | undefined;
  /** The content. Each chunk must arrive within `globals.request_timeout_overhead`; throws if it is cut short. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/**
 * Starts a download without a token: the file is public, or its URL is signed.
 * @throws CliError (exit 3, 4 or 5) if the server refuses it
 */
export async function openDownload(http: Http, url: string, insecureHttp: boolean): Promise<Download> {
  let at = url;
  for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
    checkHttp(at, url);
    checkPlainHttp(at, { insecureHttp });
    const { status, headers, chunks } = await http.stream({ method: 'GET', url: at });
    if (status === 200) {
      const length = Number(headers['content-length'] ?? Number.NaN);
      return { length: Number.isNaN(length) ? undefined : length, chunks: whole(chunks, at, length) };
    }
    await chunks[Symbol.asyncIterator]().return?.();
    const next = headers.location;
    if (status < 300 || status > 399 || next === undefined || !URL.canParse(next, at)) throw refused(at, status);
    const target = new URL(next, at);
    if (new URL(at).protocol === 'https:' && target.protocol === 'http:') throw refused(at, status);
    at = target.href;
  }
  throw new CliError(exitCodes.failure, `unable to download ${shownUrl(url)}: there are too many redirects`);
}

/** Rejects an address, perhaps that of a redirect, that is not one for HTTP, such as `file:///etc/passwd`. */
function checkHttp(at: string, url: string): void {
  const { protocol } = new URL(at);
  if (/^https?:$/.test(protocol)) return;
  const where = at === url ? 'its address' : 'the address that the server redirects to';
  throw new CliError(exitCodes.failure, `unable to download ${shownUrl(url)}: ${where} is ${protocol}, not HTTP`, {
    code: 'NOT_HTTP',
    target: shownUrl(url),
  });
}

/** Yields the chunks; throws at the end if bytes are missing. */
async function* whole(chunks: AsyncIterable<Uint8Array>, url: string, length: number): AsyncGenerator<Uint8Array> {
  let received = 0;
  for await (const chunk of chunks) {
    received += chunk.length;
    yield chunk;
  }
  if (Number.isNaN(length) || received === length) return;
  throw new HttpError(`unable to download ${shownUrl(url)}: received ${received} of ${length} bytes`, { sent: true });
}

function refused(url: string, status: number): CliError {
  const exitCode = isPassing(status) ? exitCodes.unreachable : (exitCodesByStatus.get(status) ?? exitCodes.failure);
  return new CliError(exitCode, `unable to download ${shownUrl(url)}: the server answered ${status}`, {
    code: `HTTP_${status}`,
    target: shownUrl(url),
    retryable: isPassing(status),
  });
}

const exitCodesByStatus: ReadonlyMap<number, number> = new Map([
  [401, exitCodes.auth],
  [403, exitCodes.auth],
  [404, exitCodes.notFound],
]);
