import { api } from '../api.ts';
import { nullable, since, struct, tagged, until } from '../fields.ts';
import { array, int16, int32, int64, noUuid, records, string, uuid } from '../primitives.ts';

/** The first version that names topics by their ids (KIP-516). */
export const topicIdsFrom = 13;

/** Produce (key 0) from version 3, which carries record batches of format 2. */
export const produce = api({
  name: 'Produce',
  key: 0,
  versions: [3, topicIdsFrom],
  flexibleFrom: 9,
  target: 'leader',
  // Without sequence numbers it must not be repeated after a lost answer.
  repeatable: false,
  expectsAnswer: ({ acks }) => acks !== 0,
  request: {
    transactionalId: nullable(string),
    // When the broker answers: 0 never, 1 once the leader has the records, -1 once every in-sync replica has them.
    acks: int16,
    timeoutMs: int32,
    topicData: array(
      struct({
        name: until(topicIdsFrom - 1, string),
        topicId: since(topicIdsFrom, uuid, noUuid),
        partitionData: array(struct({ index: int32, records: nullable(records) })),
      }),
    ),
  },
  response: {
    responses: array(
      struct({
        name: until(topicIdsFrom - 1, string),
        topicId: since(topicIdsFrom, uuid, noUuid),
        partitionResponses: array(
          struct({
            index: int32,
            errorCode: int16,
            baseOffset: int64,
            logAppendTimeMs: since(2, int64, -1n),
            logStartOffset: since(5, int64, -1n),
            recordErrors: since(8, array(struct({ batchIndex: int32, batchIndexErrorMessage: nullable(string) }))),
            errorMessage: since(8, nullable(string)),
            currentLeader: tagged(0, 10, struct({ leaderId: int32, leaderEpoch: int32 })),
          }),
        ),
      }),
    ),
    throttleTimeMs: since(1, int32),
    nodeEndpoints: tagged(0, 10, array(struct({ nodeId: int32, host: string, port: int32, rack: nullable(string) }))),
  },
});
