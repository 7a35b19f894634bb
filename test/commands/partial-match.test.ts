import { expect, test } from 'vitest';
import { partialMatch } from '../../src/commands/partial-match.ts';

test.each([
  ['^fd-', "the pattern must match the whole name; did you mean '^fd-.*'?"],
  ['orders$', "the pattern must match the whole name; did you mean '.*orders$'?"],
  ['d-ord', "the pattern must match the whole name; did you mean '.*d-ord.*'?"],
  ['fd*', "the pattern must match the whole name; did you mean 'fd.*'?"],
  ['none', undefined],
])('a pattern that matches a part of a name is completed: %s', (pattern, hint) => {
  expect(partialMatch([pattern], ['fd-orders'])).toBe(hint);
});
