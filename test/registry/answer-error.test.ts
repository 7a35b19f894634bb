import { expect, test } from 'vitest';
import { answerError } from '../../src/registry/api.ts';

function errorOf(status: number, body: object, what = 'GET http://r/subjects') {
  return answerError('list', what, { status, headers: {}, body: Buffer.from(JSON.stringify(body)) });
}

test.each([
  [40901, 'INCOMPATIBLE_SCHEMA', 6],
  [42208, 'INVALID_SUBJECT', 1],
  [42209, 'SCHEMA_TOO_LARGE', 1],
  [42210, 'INVALID_RULE_SET', 1],
  [42211, 'CONTEXT_NOT_EMPTY', 6],
  [42212, 'INVALID_ASSOCIATION', 1],
  [50003, 'TEMPORARY_FAILURE', 5],
  [50004, 'LEADER_NOT_KNOWN', 5],
])('%i of newer registries is %s with exit code %i', (number, code, exitCode) => {
  const error = errorOf(Math.trunc(number / 100), { error_code: number, message: 'no' });
  expect(error).toMatchObject({ code, exitCode, retryable: exitCode === 5 });
});

test('a registry that a shadow link fills refuses writes: exit 6', () => {
  const error = errorOf(412, { error_code: 412, message: 'Writes to Schema Registry are disabled' });
  expect(error).toMatchObject({ code: 'WRITES_DISABLED', exitCode: 6, retryable: false });
  expect(error.hints).toEqual(['if a shadow link copies this registry from another cluster, write to that one']);
});

test.each([
  ["Redpanda's", { message: 'Not found', code: 404 }],
  ["Confluent's", { error_code: 404, message: 'HTTP 404 Not Found' }],
])('a request that the web server of %s registry does not know is one that is not served', (_, body) => {
  const error = errorOf(404, body, 'GET http://r/contexts');
  expect(error).toMatchObject({ code: 'NOT_SERVED', exitCode: 1 });
  expect(error.hints).toContain('not every registry has modes and contexts');
});
