import { api } from '../api.ts';
import { nullable, optional, struct } from '../fields.ts';
import { array, int8, int16, int32, string } from '../primitives.ts';

/** DescribeAcls (key 29) (KIP-140, prefixed patterns since KIP-290). A request has one filter. */
export const describeAcls = api({
  name: 'DescribeAcls',
  key: 29,
  versions: [1, 3],
  flexibleFrom: 2,
  target: 'any',
  repeatable: true,
  request: {
    resourceTypeFilter: int8,
    resourceNameFilter: nullable(string),
    patternTypeFilter: int8,
    principalFilter: nullable(string),
    hostFilter: nullable(string),
    operation: int8,
    permissionType: int8,
  },
  response: {
    throttleTimeMs: optional(int32),
    errorCode: int16,
    errorMessage: nullable(string),
    resources: array(
      struct({
        resourceType: int8,
        resourceName: string,
        patternType: int8,
        acls: array(
          struct({
            principal: string,
            host: string,
            operation: int8,
            permissionType: int8,
          }),
        ),
      }),
    ),
  },
});
