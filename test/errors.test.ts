import { expect, test } from 'vitest';
import {
  CliError,
  CliErrors,
  exitCodeOfItems,
  exitCodeOfResult,
  itemErrorOf,
  notFoundError,
  rephrased,
  unreachableError,
  usageError,
  withHints,
} from '../src/errors.ts';

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

test.each([
  [1, 'FAILURE'],
  [2, 'USAGE'],
  [3, 'NOT_FOUND'],
  [4, 'AUTH'],
  [5, 'UNREACHABLE'],
  [6, 'CONFLICT'],
  [10, 'CHECK_FAILED'],
  [129, 'FAILURE'],
  [130, 'INTERRUPTED'],
])('an error with exit code %i has the code %s if it has no other', (exitCode, code) => {
  const plain = { code, hints: [], target: undefined, retryable: false, retryAfterMs: undefined };
  expect(new CliError(exitCode, 'm')).toMatchObject({ exitCode, ...plain });
  expect(new CliError(exitCode, 'm', { code: 'OTHER' })).toMatchObject({ exitCode, code: 'OTHER' });
  expect('cause' in new CliError(exitCode, 'm')).toBe(false);
});

test('the makers of errors set the exit code, and the caller sets everything else', () => {
  expect(usageError('m', { target: 't' })).toMatchObject({ exitCode: 2, code: 'USAGE', target: 't', retryable: false });
  expect(usageError('m', { code: 'CONFIG_INVALID' }).code).toBe('CONFIG_INVALID');
  expect(notFoundError('m', { hints: ['h'] })).toMatchObject({ exitCode: 3, code: 'NOT_FOUND', hints: ['h'] });
  expect(unreachableError('m')).toMatchObject({ exitCode: 5, code: 'UNREACHABLE', retryable: true });
  expect(unreachableError('m', { retryable: false }).retryable).toBe(false);
});

test('collected errors have the properties of the first, and the different hints of all', () => {
  const second = new CliError(4, 'other', { hints: ['a', 'b'] });
  expect(new CliErrors([told, second])).toMatchObject({
    ...{ exitCode: 5, message: 'no answer\nother', code: 'TOLD', target: 't', retryable: true, hints: ['a', 'b'] },
    errors: [told, second],
  });
  expect(new CliErrors([second])).toMatchObject({ exitCode: 4, code: 'AUTH', target: undefined, retryable: false });
  expect(new CliErrors([])).toMatchObject({ exitCode: 1, message: '', hints: [] });
});

test('more hints may make an error worth a repetition', () => {
  expect(withHints(usageError('m'), ['h'], true)).toMatchObject({ retryable: true, hints: ['h'] });
  expect(withHints(told, [], false).retryable).toBe(false);
});

test('the error of a whole request is that of each of its items', () => {
  expect(itemErrorOf(told)).toEqual({
    ...{ code: 'TOLD', number: null, message: 'no answer', retryable: true, exit_code: 5 },
  });
});

test.each<[readonly (number | null)[], number]>([
  [[], 0],
  [[null], 0],
  [[null, 3], 3],
  [[3, 3], 3],
  [[3, 4], 1],
])('items that end with %j end the command with %i', (codes, exitCode) => {
  const failed = codes.map((code) => (code === null ? null : itemErrorOf(new CliError(code, 'm'))));
  expect(exitCodeOfItems(failed)).toBe(exitCode);
});

const notFound = itemErrorOf(new CliError(3, 'gone'));
const conflict = itemErrorOf(new CliError(6, 'taken'));

test.each<[unknown, number]>([
  [[{ error: null }, { name: 'a' }], 0],
  [[{ error: notFound }, { error: null }], 3],
  [[{ error: notFound }, { error: conflict }], 1],
  [{ error: conflict }, 6],
  [{ changes: [{ error: null }, { error: conflict }], filters: [{ error: conflict }] }, 6],
  [{ filters: [{ error: notFound }], deletions: [{ error: conflict }] }, 1],
  // What a row has inside, such as the partitions of a topic, is the command's to judge.
  [[{ error: null, partitions: [{ error: notFound }] }], 0],
  [{ error: 'text of an answer' }, 0],
  [undefined, 0],
])('the exit code of the result %j is %d', (result, exitCode) => {
  expect(exitCodeOfResult(result)).toBe(exitCode);
});
