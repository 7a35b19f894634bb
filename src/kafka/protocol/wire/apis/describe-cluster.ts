import { api } from '../api.ts';
import { nullable, optional, since, struct } from '../fields.ts';
import { array, boolean, int8, int16, int32, string } from '../primitives.ts';

/** DescribeCluster (key 60). */
export const describeCluster = api({
  name: 'DescribeCluster',
  key: 60,
  versions: [0, 2],
  flexibleFrom: 0,
  target: 'any',
  repeatable: true,
  request: {
    includeClusterAuthorizedOperations: optional(boolean),
    endpointType: since(1, int8, 1),
    includeFencedBrokers: since(2, boolean),
  },
  response: {
    throttleTimeMs: optional(int32),
    errorCode: int16,
    errorMessage: nullable(string),
    endpointType: since(1, int8, 1),
    clusterId: string,
    controllerId: int32,
    brokers: array(
      struct({
        brokerId: int32,
        host: string,
        port: int32,
        rack: nullable(string),
        isFenced: since(2, boolean),
      }),
    ),
    clusterAuthorizedOperations: optional(int32, -2147483648),
  },
});
