import { expect, test } from 'vitest';
import { parseExactJson, parseJson } from '../../src/net/json.ts';

const million = 1_000_000;
const list = (item: string, count: number) => Buffer.from(`[${Array(count).fill(item).join(',')}]`);

test.each([
  ['empty objects', list('{}', 1.5 * million)],
  ['numbers', list('1', 2.1 * million)],
  ['lists within lists', Buffer.alloc(6 * million, '[')],
  ['numbers after a string that ends with a backslash', Buffer.concat([list('"\\\\"', 1), list('1', 2.1 * million)])],
])('a response with more than two million values is refused: %s', (_, body) => {
  for (const parse of [parseJson, parseExactJson])
    expect(() => parse(body)).toThrow(expect.objectContaining({ code: 'ANSWER_TOO_LARGE', retryable: false }));
});

test('what stands in strings is not counted', () => {
  const text = `${',[{'.repeat(2 * million)}\\"`;
  const [one] = parseJson(Buffer.from(JSON.stringify([text]))) as readonly string[];
  expect(one === text).toBe(true);
  expect(parseJson(Buffer.from(`"${'{'.repeat(6 * million)}`))).toBeUndefined();
});

test('a number with more than a thousand digits is no JSON of an API, and costs no time', () => {
  const body = Buffer.from(`{"n":${'7'.repeat(5 * million)}}`);
  expect(parseExactJson(body)).toBeUndefined();
  expect(parseExactJson(Buffer.from(`[${'7'.repeat(1000)}]`))).toEqual([BigInt('7'.repeat(1000))]);
});
