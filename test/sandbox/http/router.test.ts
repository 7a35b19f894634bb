import { expect, test } from 'vitest';
import { findRoute } from '../../../src/sandbox/http/router.ts';

const route = { method: 'GET', path: '/a/{id}' };

test.each([
  ['GET', '/a/x%2Fy', { id: 'x/y' }],
  ['GET', '/a/', undefined],
  ['GET', '/a/%', undefined],
  ['GET', '/a', undefined],
  ['GET', '/b/x', undefined],
  ['GET', '/a/x/y', undefined],
  ['POST', '/a/x', 'other-method'],
])('%s %s is found as %j', (method, path, expected) => {
  const match = findRoute([route], method, path);
  expect(typeof match === 'object' ? match.params : match).toEqual(expected);
});
