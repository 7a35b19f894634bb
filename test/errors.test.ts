import { expect, test } from 'vitest';
import { CliError, CliErrors, rephrased, usageError, withHints } from '../src/errors.ts';

const details = { code: 'TOLD', hints: ['a'], target: 't', retryable: true, retryAfterMs: 7 };
const told = new CliError(5, 'no answer', details);

test('a rephrased error keeps all other properties and the original error as its cause', () => {
  const again = rephrased(told, 'unable to read x: no answer');
  expect(again).toMatchObject({ exitCode: 5, message: 'unable to read x: no answer', ...details, cause: told });
  expect(rephrased(told, 'm', { exitCode: 4, hints: [], retryable: false })).toMatchObject({
    ...details,
    exitCode: 4,
    hints: [],
    retryable: false,
  });
});

test('additional hints follow the existing ones', () => {
  expect(withHints(told, ['b'])).toMatchObject({ ...details, message: 'no answer', hints: ['a', 'b'] });
});

test('several errors with additional hints remain several errors', () => {
  const several = new CliErrors([usageError('one', { hints: ['a'] }), usageError('two')]);
  const advised = withHints(several, ['b']);
  expect(advised).toBeInstanceOf(CliErrors);
  expect(advised).toMatchObject({ exitCode: 2, message: 'one\ntwo', hints: ['a', 'b'] });
});
