import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { wording, wordingFile } from './wording.ts';

test('the collected texts are those of the sources (npm run generate)', async () => {
  expect(wording(), 'update it with: npm run generate').toBe(await readFile(wordingFile, 'utf8'));
});
