import { expect, test } from 'vitest';
import { adminAreas, adminLeaves } from './admin-areas.ts';

test('every command of the Admin API belongs to exactly one file of fault tests', () => {
  const areasOf = (path: string) => Object.values(adminAreas).filter((area) => area.test(path)).length;
  const astray = adminLeaves.map(({ path }) => path.join(' ')).filter((path) => areasOf(path) !== 1);
  expect(astray).toEqual([]);
});

test.each(Object.entries(adminAreas))('the area %s has commands', (_, area) => {
  expect(adminLeaves.some(({ path }) => area.test(path.join(' ')))).toBe(true);
});
