import { api } from '../api.ts';
import { nullable, optional, struct } from '../fields.ts';
import { array, int8, int16, int32, string } from '../primitives.ts';

/** DeleteAcls (key 31) (KIP-140, prefixed patterns since KIP-290). Repeating a request is harmless: its second answer leaves out the ACLs that the first request has deleted. */
export const deleteAcls = api({
  name: 'DeleteAcls',
  key: 31,
  versions: [1, 3],
  flexibleFrom: 2,
  target: 'any',
  repeatable: true,
  changes: true,
  request: {
    filters: array(
      struct({
        resourceTypeFilter: int8,
        resourceNameFilter: nullable(string),
        patternTypeFilter: int8,
        principalFilter: nullable(string),
        hostFilter: nullable(string),
        operation: int8,
        permissionType: int8,
      }),
    ),
  },
  response: {
    throttleTimeMs: optional(int32),
    filterResults: array(
      struct({
        errorCode: int16,
        errorMessage: nullable(string),
        matchingAcls: array(
          struct({
            errorCode: int16,
            errorMessage: nullable(string),
            resourceType: int8,
            resourceName: string,
            patternType: int8,
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
