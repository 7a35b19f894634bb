import { describe, expect, test } from 'vitest';
import { answerError, failedOperation, readProblem } from '../../../src/cloud/api/api-error.ts';
import { isMissing } from '../../../src/cloud/api/error-words.ts';
import { isPassing } from '../../../src/net/http-error.ts';
import { parseJson } from '../../../src/net/json.ts';
import type { ApiError } from '../../../src/net/json-api/error.ts';

const what = 'GET http://h/v1/x';

/** The error for a response with this status, and this body as JSON. */
function refusal(status: number, body: unknown = {}, headers: Readonly<Record<string, string>> = {}): ApiError {
  return answerError('read it', what, { status, headers, body: Buffer.from(JSON.stringify(body)) });
}

describe('a response without a body', () => {
  test.each([
    [400, 1, 'INVALID_ARGUMENT', false],
    [401, 4, 'UNAUTHENTICATED', false],
    [403, 4, 'PERMISSION_DENIED', false],
    [404, 3, 'NOT_FOUND', false],
    [409, 6, 'ALREADY_EXISTS', false],
    [418, 1, 'HTTP_418', false],
    [429, 5, 'RESOURCE_EXHAUSTED', true],
    [499, 1, 'CANCELLED', false],
    [500, 5, 'INTERNAL', true],
    [501, 5, 'UNIMPLEMENTED', false],
    [502, 5, 'HTTP_502', true],
    [503, 5, 'UNAVAILABLE', true],
    [504, 5, 'DEADLINE_EXCEEDED', true],
  ])('and the status %d has exit code %d, the code %s, retryable: %s', (status, exitCode, code, retryable) => {
    const error = refusal(status);
    expect(error).toMatchObject({ status, exitCode, code, retryable, target: what });
    expect(error.message).toBe(`unable to read it: the server gave no reason (${what}: ${status} ${code})`);
    expect(isPassing(status)).toBe(retryable);
    expect(isMissing(error)).toBe(status === 404);
  });
});

test.each([
  [401, ['log in again with: weir cloud login']],
  [403, ['check which login is in use with: weir cloud auth list']],
  [404, []],
])('the status %d has the advice %j', (status, hints) => {
  expect(refusal(status).hints).toEqual(hints);
});

test.each([
  [429, 7_000],
  [503, 7_000],
  [500, undefined],
  [400, undefined],
])('Retry-After counts only for 429 and 503: %d', (status, expected) => {
  expect(refusal(status, {}, { 'retry-after': '7' }).retryAfterMs).toBe(expected);
});

test('a precondition that failed is a conflict, whatever its status', () => {
  expect(refusal(400, { code: 9, message: 'not empty' })).toMatchObject({ exitCode: 6, code: 'FAILED_PRECONDITION' });
});

test('the message, the code and the reason of the server are in the error', () => {
  const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'REASON_TAKEN' }];
  const error = refusal(409, { code: 'ALREADY_EXISTS', message: 'the name is taken', details });
  expect(error.message).toBe(`unable to read it: the name is taken (${what}: 409 ALREADY_EXISTS, REASON_TAKEN)`);
});

test.each([
  ['text/plain; charset=utf-8', '  bad\n\n gateway ', 'bad gateway'],
  ['text/plain', 'x'.repeat(300), 'x'.repeat(200)],
  ['text/html', '<html>', 'the server gave no reason'],
  [undefined, 'bad gateway', 'the server gave no reason'],
])('a response of the type %s is quoted only as plain text: %j', (type, text, shown) => {
  const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
  const error = answerError('read it', what, { status: 502, headers, body: Buffer.from(text) });
  expect(error.message).toBe(`unable to read it: ${shown} (${what}: 502 HTTP_502)`);
});

describe('the details of a problem', () => {
  const read = (type: string, content: object, message = 'm') =>
    readProblem({ message, details: [{ '@type': type, ...content }] });

  test.each(['ErrorInfo', 'google.rpc.ErrorInfo', 'type.googleapis.com/google.rpc.ErrorInfo'])(
    'have the type %s',
    (type) => {
      expect(read(type, { reason: 'WHY' }).reason).toBe('WHY');
    },
  );

  test.each(['OtherErrorInfo', 'google.rpc.Info', 'ErrorInfo.x'])('are ignored with the type %s', (type) => {
    expect(read(type, { reason: 'WHY' }).reason).toBe('');
  });

  test.each<[string, object, readonly string[]]>([
    ['BadRequest', { field_violations: [{ field: 'name', description: 'too long' }] }, ['field name: too long']],
    ['BadRequest', { field_violations: 'x' }, []],
    ['QuotaFailure', { violations: [{ subject: 'org', description: 'used up' }] }, ['quota of org: used up']],
    ['Help', { links: [{ description: 'Docs', url: 'https://a' }] }, ['Docs: https://a']],
    ['Help', { links: [{ url: 'https://a' }] }, ['see: https://a']],
  ])('of the type %s are hints: %j', (type, content, hints) => {
    expect(read(type, content).hints).toEqual(hints);
  });

  test('are not repeated when the message has them', () => {
    const field_violations = [
      { field: 'name', description: 'too long' },
      { field: 'zone', description: 'unknown' },
    ];
    expect(read('BadRequest', { field_violations }, 'invalid: name: too long').hints).toEqual(['field zone: unknown']);
  });
});

test.each([
  [{ code: 8, message: 'no quota', details: [{ '@type': 'ErrorInfo', reason: 'QUOTA' }] }, 'no quota', 'QUOTA'],
  [{ code: 13, message: 'broken' }, 'broken', 'INTERNAL'],
  [null, 'the server gave no reason', 'OPERATION_FAILED'],
])('an operation that ended with %j is an error with its message and code', (problem, message, code) => {
  const error = failedOperation('operation o', 'o', problem);
  expect(error).toMatchObject({ exitCode: 1, status: 0, code, target: 'o' });
  const words = { QUOTA: ' (RESOURCE_EXHAUSTED, QUOTA)', INTERNAL: ' (INTERNAL)' }[code] ?? '';
  expect(error.message).toBe(`operation o failed: ${message}${words}`);
  expect(isMissing(error)).toBe(false);
});

test('only an error of the control plane can mean that a resource does not exist', () => {
  expect(isMissing(Object.assign(new Error('x'), { status: 404 }))).toBe(false);
});

test.each([
  ['{"a":1}', { a: 1 }],
  ['', undefined],
  ['<html>', undefined],
])('the body %j is parsed to %j', (text, value) => {
  expect(parseJson(Buffer.from(text))).toEqual(value);
});
