import { api, type ResponseOf } from '../../../src/kafka/protocol/wire/api.ts';
import { struct } from '../../../src/kafka/protocol/wire/fields.ts';
import { array, int16, int32, int64, string } from '../../../src/kafka/protocol/wire/primitives.ts';

const replicas = array(struct({ replicaId: int32, logEndOffset: int64 }));

/** DescribeQuorum v0 (KIP-595): metadata names any broker as the controller, this names the active one. */
export const describeQuorum = api({
  name: 'DescribeQuorum',
  key: 55,
  versions: [0, 0],
  flexibleFrom: 0,
  target: 'any',
  repeatable: true,
  request: { topics: array(struct({ topicName: string, partitions: array(struct({ partitionIndex: int32 })) })) },
  response: {
    errorCode: int16,
    topics: array(
      struct({
        topicName: string,
        partitions: array(
          struct({
            partitionIndex: int32,
            errorCode: int16,
            leaderId: int32,
            leaderEpoch: int32,
            highWatermark: int64,
            currentVoters: replicas,
            observers: replicas,
          }),
        ),
      }),
    ),
  },
});

/** The request about the metadata log. */
export const metadataLog = { topics: [{ topicName: '__cluster_metadata', partitions: [{ partitionIndex: 0 }] }] };

/** The leader of the metadata log, which is the controller; -1 during an election. */
export function quorumLeader({ topics }: ResponseOf<typeof describeQuorum>): number {
  const partition = topics[0]?.partitions[0];
  return partition?.errorCode === 0 ? partition.leaderId : -1;
}
