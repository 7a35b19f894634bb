import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { record } from './record.ts';
import { scenes } from './scenes.ts';
import { drawTerminal, palettes } from './svg.ts';

test('a command in a terminal becomes a picture with its colors, columns and text', async () => {
  const line = String.raw`test -t 1 && printf '\033[31mfailed\033[0m  %s\n日本 a<b 1795680973489\n' "$COLUMNS"`;
  const screen = await record([line], { columns: 40, env: { PATH: process.env.PATH, COLUMNS: '40' }, cwd: '.' });
  const picture = drawTerminal(screen.slice(-2), 'One & two', 40, palettes.dark);
  expect(picture).toContain('<title>One &amp; two</title>');
  expect(picture).toContain('<tspan x="16" textLength="50.4" style="fill:#ff7b72">failed</tspan>');
  expect(picture).toContain('<tspan x="83.2" textLength="16.8">40</tspan>');
  // Two columns for each of the wide characters; the time is the same in every run.
  expect(picture).toContain('<tspan x="16" textLength="184.8">日本 a&lt;b 1795255200000</tspan>');
});

test('the README or a guide shows each picture, for light and dark pages', () => {
  const names = scenes.flatMap(({ name }) => Object.keys(palettes).map((look) => `docs/images/${name}-${look}.svg`));
  expect(globSync('docs/images/*-{light,dark}.svg').sort()).toEqual(expect.arrayContaining(names.toSorted()));
  const pages = ['README.md', ...globSync('docs/guides/*.md')].map((page) => readFileSync(page, 'utf8')).join('');
  for (const name of names) expect(pages).toContain(`${name.replace('docs/', '')}"`);
});
