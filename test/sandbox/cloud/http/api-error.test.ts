import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiError, type CodeName, codes, errorBody } from '../../../../src/sandbox/cloud/http/api-error.ts';
import { type Plane, startPlane } from '../plane.ts';

let plane: Plane;
beforeAll(async () => {
  plane = await startPlane();
});
afterAll(() => plane.stop());

const mapping: readonly (readonly [CodeName, number, number])[] = [
  ['CANCELLED', 1, 499],
  ['UNKNOWN', 2, 500],
  ['INVALID_ARGUMENT', 3, 400],
  ['DEADLINE_EXCEEDED', 4, 504],
  ['NOT_FOUND', 5, 404],
  ['ALREADY_EXISTS', 6, 409],
  ['PERMISSION_DENIED', 7, 403],
  ['RESOURCE_EXHAUSTED', 8, 429],
  ['FAILED_PRECONDITION', 9, 400],
  ['ABORTED', 10, 409],
  ['OUT_OF_RANGE', 11, 400],
  ['UNIMPLEMENTED', 12, 501],
  ['INTERNAL', 13, 500],
  ['UNAVAILABLE', 14, 503],
  ['DATA_LOSS', 15, 500],
  ['UNAUTHENTICATED', 16, 401],
];

test.each(mapping)('%s is number %d and status %d', async (code, number, status) => {
  expect([Object.keys(codes).indexOf(code) + 1, codes[code]]).toEqual([number, status]);
  await plane.fault('clusters.list', { kind: 'status', status, code, reason: 'REASON_X', message: 'said so' });
  const answer = await plane.api('GET', '/v1/clusters');
  expect(answer.status).toBe(status);
  expect(answer.body).toMatchObject({ code, message: 'said so', details: [{ reason: 'REASON_X' }] });
});

test('an error has its reason, field violations and links as google.rpc messages', () => {
  const error = new ApiError('INVALID_ARGUMENT', 'no', {
    reason: 'REASON_INVALID_INPUT',
    violations: [{ field: 'cluster.name', description: 'is required' }],
    links: [{ description: 'read this', url: 'https://docs.example' }],
  });
  expect(errorBody(error)).toEqual({
    code: 'INVALID_ARGUMENT',
    message: 'no',
    details: [
      {
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason: 'REASON_INVALID_INPUT',
        domain: 'redpanda.com/controlplane',
        metadata: {},
      },
      {
        '@type': 'type.googleapis.com/google.rpc.BadRequest',
        field_violations: [{ field: 'cluster.name', description: 'is required', reason: '' }],
      },
      {
        '@type': 'type.googleapis.com/google.rpc.Help',
        links: [{ description: 'read this', url: 'https://docs.example' }],
      },
    ],
  });
});
