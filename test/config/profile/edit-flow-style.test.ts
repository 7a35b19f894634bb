import { expect, test } from 'vitest';
import { setOption } from '../../../src/config/profile/edit.ts';
import { parseProfileFile } from '../../../src/config/profile/file.ts';

test.each([
  ['a list on one line', 'brokers: [a:1, b:2] # seeds', 'brokers: [c:1] # seeds'],
  ['a list on several lines', 'brokers: [\n        a:1,\n        b:2,\n      ] # seeds', 'brokers: [c:1] # seeds'],
  ['an empty list', 'brokers: [] # none', 'brokers: [c:1] # none'],
])('%s in flow style is replaced whole', async (_, before, after) => {
  const fileWith = (line: string) => `profiles:\n  - name: a\n    options:\n      ${line}\n      user: u # me\n`;
  const edited = await setOption(await parseProfileFile('/f', fileWith(before)), 'a', ['brokers', ['c:1']]);
  expect(edited.text).toBe(fileWith(after));
});

test('a new option follows a list in flow style on several lines', async () => {
  const text = 'profiles:\n  - name: a\n    options:\n      brokers: [\n        a:1\n      ]\n';
  const edited = await setOption(await parseProfileFile('/f', text), 'a', ['user', 'u']);
  expect(edited.text).toBe(`${text}      user: u\n`);
});
