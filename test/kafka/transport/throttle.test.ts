import { expect, test } from 'vitest';
import { throttleOf } from '../../../src/kafka/transport/throttle.ts';

const metadata = { key: 3, flexibleFrom: 9 };
const answer = (hex: string): Buffer => Buffer.from(hex, 'hex');

test.each([
  ['is read behind the empty header', metadata, answer('00000000fa'), 250],
  ['is none when it is 0', metadata, answer('0000000000'), 0],
  ['is not believed when it is negative', metadata, answer('00ffffffff'), 0],
  ['is not looked for in versions without tagged fields', { key: 3, flexibleFrom: 10 }, answer('000000fa00'), 0],
  ['is not looked for in an answer that is too short', metadata, answer('0000'), 0],
  ['is not looked for behind a header that has fields', metadata, answer('01000000fa'), 0],
  ['is not looked for where it does not come first: Produce', { key: 0, flexibleFrom: 9 }, answer('00000000fa'), 0],
])('the throttle time %s', (_rule, api, bytes, expected) => {
  expect(throttleOf(api, 9, bytes)).toBe(expected);
});
