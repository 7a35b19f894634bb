import { describe, expect, test } from 'vitest';
import { openDownload } from '../../src/cloud/http-download.ts';
import type { Http, HttpRequest } from '../../src/net/http.ts';
import { HttpError } from '../../src/net/http-error.ts';
import type { HttpStream } from '../../src/net/http-stream.ts';
import { failure } from './client.ts';

type Scripted = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** An HTTP client that answers by URL; what was requested and which bodies were left. */
function httpOf(answers: Readonly<Record<string, Scripted>>) {
  const requests: HttpRequest[] = [];
  const left: string[] = [];
  const http: Http = {
    request: () => Promise.reject(new Error('not this')),
    close: () => undefined,
    async stream(request): Promise<HttpStream> {
      requests.push(request);
      const { status, headers = {}, body = '' } = answers[request.url] ?? { status: 404 };
      let isDone = body === '';
      const chunks: AsyncIterable<Uint8Array> = {
        [Symbol.asyncIterator]: () => ({
          async next() {
            if (isDone) return { done: true, value: undefined };
            isDone = true;
            return { done: false, value: Buffer.from(body) };
          },
          async return() {
            left.push(request.url);
            return { done: true, value: undefined };
          },
        }),
      };
      return { status, headers, chunks };
    },
  };
  return { http, requests, left };
}

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  for await (const chunk of chunks) text += Buffer.from(chunk).toString();
  return text;
}

const at = 'https://f/a?signature=secret';

describe('a download', () => {
  test.each([
    ['4', 4],
    [undefined, undefined],
    ['many', undefined],
  ])('with the content length %j has the length %j', async (length, expected) => {
    const headers: Record<string, string> = length === undefined ? {} : { 'content-length': length };
    const { http, requests } = httpOf({ [at]: { status: 200, headers, body: 'text' } });
    const download = await openDownload(http, at, false);
    expect(download.length).toBe(expected);
    expect(await textOf(download.chunks)).toBe('text');
    expect(requests).toEqual([{ method: 'GET', url: at }]);
  });

  test.each(['3', '5'])('that has not the promised %s bytes is an error without the query', async (length) => {
    const { http } = httpOf({ [at]: { status: 200, headers: { 'content-length': length }, body: 'text' } });
    const error = await failure(openDownload(http, at, false).then(({ chunks }) => textOf(chunks)));
    expect(error).toBeInstanceOf(HttpError);
    expect(error).toMatchObject({
      sent: true,
      message: `unable to download https://f/a: received 4 of ${length} bytes`,
    });
  });

  test.each([
    [401, 4, false],
    [403, 4, false],
    [404, 3, false],
    [400, 1, false],
    [206, 1, false],
    [429, 5, true],
    [503, 5, true],
    [501, 1, false],
    [304, 1, false],
  ])('that is answered with %d has exit code %d, retryable: %s', async (status, exitCode, retryable) => {
    const { http, left } = httpOf({ [at]: { status } });
    expect(await failure(openDownload(http, at, false))).toMatchObject({
      ...{ exitCode, retryable, code: `HTTP_${status}`, target: 'https://f/a' },
      message: `unable to download https://f/a: the server answered ${status}`,
    });
    expect(left).toEqual([at]);
  });
});

describe('a redirect', () => {
  const to = (location: string, status = 302): Scripted => ({ status, headers: { location } });

  test.each([300, 301, 307, 308, 399])('with %d is followed, also to a relative address', async (status) => {
    const { http, requests, left } = httpOf({ [at]: to('b', status), 'https://f/b': { status: 200, body: 'b' } });
    expect(await textOf((await openDownload(http, at, false)).chunks)).toBe('b');
    expect(requests.map(({ url }) => url)).toEqual([at, 'https://f/b']);
    expect(left).toEqual([at]);
  });

  test.each([
    ['a success', to('b', 299)],
    ['a refusal', to('b', 400)],
    ['no address', { status: 302 }],
    ['an invalid address', to('http://[')],
    ['an unencrypted address', to('http://127.0.0.1/b')],
  ])('is not followed with %s', async (_, answer) => {
    const { http, requests } = httpOf({ [at]: answer });
    expect(await failure(openDownload(http, at, false))).toMatchObject({ code: `HTTP_${answer.status}` });
    expect(requests).toHaveLength(1);
  });

  test('is followed from an unencrypted address on this machine to another', async () => {
    const here = 'http://127.0.0.1:1/a';
    const { http } = httpOf({ [here]: to('http://127.0.0.1:2/b'), 'http://127.0.0.1:2/b': { status: 200, body: 'b' } });
    expect(await textOf((await openDownload(http, here, false)).chunks)).toBe('b');
  });

  test('is followed five times, not six', async () => {
    const chain = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count + 1 }, (_, index) => [
          `https://f/${index}`,
          index === count ? { status: 200, body: 'end' } : to(`/${index + 1}`),
        ]),
      );
    expect(await textOf((await openDownload(httpOf(chain(5)).http, 'https://f/0', false)).chunks)).toBe('end');
    const { http, requests } = httpOf(chain(6));
    expect(await failure(openDownload(http, 'https://f/0', false))).toMatchObject({
      ...{ exitCode: 1, message: 'unable to download https://f/0: there are too many redirects' },
    });
    expect(requests).toHaveLength(6);
  });
});

test('an unencrypted address elsewhere is used only if that is allowed', async () => {
  const elsewhere = 'http://f.example/a';
  const { http, requests } = httpOf({ [elsewhere]: { status: 200, body: 'x' } });
  expect(await failure(openDownload(http, elsewhere, false))).toMatchObject({ exitCode: 2 });
  expect(requests).toEqual([]);
  expect(await textOf((await openDownload(http, elsewhere, true)).chunks)).toBe('x');
});

test.each([
  ['https://f/a', 'file:///etc/passwd', 'the address that the server redirects to is file:, not HTTP'],
  ['http://127.0.0.1/a', 'data:,x', 'the address that the server redirects to is data:, not HTTP'],
  ['file:///a', undefined, 'its address is file:, not HTTP'],
])('a download from %s with a redirect to %j is refused as not HTTP', async (url, location, reason) => {
  const headers: Record<string, string> = location === undefined ? {} : { location };
  const { http, requests } = httpOf({ [url]: { status: 302, headers } });
  expect(await failure(openDownload(http, url, false))).toMatchObject({
    ...{ exitCode: 1, code: 'NOT_HTTP', target: url, message: `unable to download ${url}: ${reason}` },
  });
  expect(requests.every((request) => request.url === url)).toBe(true);
});
