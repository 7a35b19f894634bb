import { api } from '../api.ts';
import { between, nullable, since, struct } from '../fields.ts';
import { array, boolean, int16, int32, noUuid, string, uuid } from '../primitives.ts';

/** Metadata (key 3). All topics are requested by an empty list in version 0 and by null in later versions. */
export const metadata = api({
  name: 'Metadata',
  key: 3,
  versions: [0, 13],
  client: [5, 13],
  flexibleFrom: 9,
  target: 'any',
  repeatable: true,
  request: {
    topics: nullable(array(struct({ topicId: since(10, uuid, noUuid), name: nullable(string, 10) })), 1),
    allowAutoTopicCreation: since(4, boolean, true),
    includeClusterAuthorizedOperations: between([8, 10], boolean),
    includeTopicAuthorizedOperations: since(8, boolean),
  },
  response: {
    throttleTimeMs: since(3, int32),
    brokers: array(struct({ nodeId: int32, host: string, port: int32, rack: since(1, nullable(string)) })),
    clusterId: since(2, nullable(string)),
    controllerId: since(1, int32, -1),
    topics: array(
      struct({
        errorCode: int16,
        name: nullable(string, 12),
        topicId: since(10, uuid, noUuid),
        isInternal: since(1, boolean),
        partitions: array(
          struct({
            errorCode: int16,
            partitionIndex: int32,
            leaderId: int32,
            leaderEpoch: since(7, int32, -1),
            replicaNodes: array(int32),
            isrNodes: array(int32),
            offlineReplicas: since(5, array(int32)),
          }),
        ),
        topicAuthorizedOperations: since(8, int32, -2147483648),
      }),
    ),
    clusterAuthorizedOperations: between([8, 10], int32, -2147483648),
    errorCode: since(13, int16),
  },
});
