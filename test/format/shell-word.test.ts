import { expect, test } from 'vitest';
import { commandText, shellWord } from '../../src/format/shell-word.ts';

test.each([
  ['ana', 'ana'],
  ['svc-1@example.com', 'svc-1@example.com'],
  ['', "''"],
  ['a b', "'a b'"],
  ["o'neil", "'o'\\''neil'"],
  ['$HOME', "'$HOME'"],
  ['*', "'*'"],
  ['=ls', "'=ls'"],
  ['a=b', 'a=b'],
])('%j is %s in a shell', (text, word) => {
  expect(shellWord(text)).toBe(word);
});

test('a command line that a message shows has each name as one word', () => {
  expect(commandText`see it with: weir topic describe ${'$(id)'} -p ${7}`).toBe(
    "see it with: weir topic describe '$(id)' -p 7",
  );
});
