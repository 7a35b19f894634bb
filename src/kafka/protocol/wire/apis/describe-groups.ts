import { api } from '../api.ts';
import { nullable, since, struct } from '../fields.ts';
import { array, boolean, bytes, int16, int32, string } from '../primitives.ts';

/** The value of authorized operations that were not requested. */
export const noOperations = -2_147_483_648;

/** DescribeGroups (key 15): groups of the classic protocol. */
export const describeGroups = api({
  name: 'DescribeGroups',
  key: 15,
  versions: [0, 6],
  flexibleFrom: 5,
  target: 'coordinator',
  repeatable: true,
  request: { groups: array(string), includeAuthorizedOperations: since(3, boolean) },
  response: {
    throttleTimeMs: since(1, int32),
    groups: array(
      struct({
        errorCode: int16,
        errorMessage: since(6, nullable(string)),
        groupId: string,
        groupState: string,
        protocolType: string,
        protocolData: string,
        members: array(
          struct({
            memberId: string,
            groupInstanceId: since(4, nullable(string)),
            clientId: string,
            clientHost: string,
            memberMetadata: bytes,
            memberAssignment: bytes,
          }),
        ),
        authorizedOperations: since(3, int32, noOperations),
      }),
    ),
  },
});
