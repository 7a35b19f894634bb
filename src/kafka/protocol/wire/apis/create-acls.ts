import { api } from '../api.ts';
import { nullable, optional, struct } from '../fields.ts';
import { array, int8, int16, int32, string } from '../primitives.ts';

/** CreateAcls (key 30) (KIP-140, prefixed patterns since KIP-290). An ACL that already exists is created again. */
export const createAcls = api({
  name: 'CreateAcls',
  key: 30,
  versions: [1, 3],
  flexibleFrom: 2,
  target: 'any',
  repeatable: true,
  changes: true,
  request: {
    creations: array(
      struct({
        resourceType: int8,
        resourceName: string,
        resourcePatternType: int8,
        principal: string,
        host: string,
        operation: int8,
        permissionType: int8,
      }),
    ),
  },
  response: {
    throttleTimeMs: optional(int32),
    results: array(
      struct({
        errorCode: int16,
        errorMessage: nullable(string),
      }),
    ),
  },
});
