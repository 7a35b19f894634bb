import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { wording, wordingFile } from './wording.ts';

test('the collected texts are those of the sources (npm run generate)', async () => {
  expect(wording(), 'update it with: npm run generate').toBe(await readFile(wordingFile, 'utf8'));
});

test('the spelling is American, as in --color and topic analyze', async () => {
  const british =
    /(?:col|behavi|fav|hon|neighb)our|licence|(?:cancel|dial|label|signal)l(?:ed|ing)|(?:after|to)wards|catalogue/i;
  const guides = await readdir('docs/guides');
  for (const file of [wordingFile, 'README.md', 'CHANGELOG.md', ...guides.map((name) => `docs/guides/${name}`)]) {
    const found = (await readFile(file, 'utf8')).split('\n').filter((line) => british.test(line));
    expect(found, file).toEqual([]);
  }
});
