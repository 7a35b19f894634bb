import { expect, test } from 'vitest';
import { briefUrl, shownUrl } from '../../src/net/shown-url.ts';
import { client, failed, web } from './http-peers.ts';

test.each([
  ['https://h/a', 'https://h/a', 'https://h/a'],
  ['https://u:s3cret@h:1/a@b?signature=x#y', 'https://h:1/a@b', 'https://h:1/a@b?signature=x#y'],
  ['https://u:p@s3cret@h', 'https://h', 'https://h'],
  ['https:u:s3cret@h/a', 'https:h/a', 'https:h/a'],
  ['HTTP:\\\\u:s3cret@h/a', 'HTTP:\\\\h/a', 'HTTP:\\\\h/a'],
  ['https://h?q=a@b', 'https://h', 'https://h?q=a@b'],
  ['no url', 'no url', 'no url'],
])('%s is shown as %s', (url, shown, withQuery) => {
  expect(shownUrl(url)).toBe(shown);
  expect(shownUrl(url, { withQuery: true })).toBe(withQuery);
});

test('a URL in a message is cut after 300 letters, and keeps its query before', () => {
  const url = `https://h/${'a'.repeat(286)}?b=c`;
  expect(url).toHaveLength(300);
  expect(briefUrl(url)).toBe(url);
  expect(briefUrl(`https://u:s3cret@h/${'a'.repeat(10_000)}`)).toBe(`https://h/${'a'.repeat(289)}…`);
});

test('the errors and the trace of a request do not show its password', async () => {
  const url = (await web((_, response) => response.end('abc'))).replace('://', '://user:s3cret@');
  const events: unknown[] = [];
  const { http } = client({}, { trace: (event) => void events.push(event) });
  const { error } = await failed(http.request({ method: 'GET', url, maxBytes: 1 }));
  expect(error.message).toMatch(/^the response to GET http:\/\/127/);
  for await (const _ of (await http.stream({ method: 'GET', url })).chunks);
  expect(events).toHaveLength(2);
  expect(JSON.stringify(events)).not.toContain('s3cret');
});
