import { api } from '../api.ts';
import { nullable, optional, since, struct, tagged } from '../fields.ts';
import { array, boolean, int8, int16, int32, noUuid, string, uuid } from '../primitives.ts';

/** CreateTopics (key 19). */
export const createTopics = api({
  name: 'CreateTopics',
  key: 19,
  versions: [2, 7],
  flexibleFrom: 5,
  target: 'controller',
  // After a lost answer the topics may already exist, and a repeated request would fail.
  repeatable: false,
  changes: true,
  request: {
    topics: array(
      struct({
        name: string,
        numPartitions: int32,
        replicationFactor: int16,
        // Empty: the controller's choice.
        assignments: optional(array(struct({ partitionIndex: int32, brokerIds: array(int32) }))),
        configs: array(struct({ name: string, value: nullable(string) })),
      }),
    ),
    timeoutMs: int32,
    validateOnly: boolean,
  },
  response: {
    throttleTimeMs: since(2, int32),
    topics: array(
      struct({
        name: string,
        topicId: since(7, uuid, noUuid),
        errorCode: int16,
        errorMessage: nullable(string),
        topicConfigErrorCode: tagged(0, 5, int16),
        numPartitions: since(5, int32, -1),
        replicationFactor: since(5, int16, -1),
        configs: since(
          5,
          nullable(
            array(
              struct({
                name: string,
                value: nullable(string),
                readOnly: boolean,
                configSource: int8,
                isSensitive: boolean,
              }),
            ),
          ),
        ),
      }),
    ),
  },
});
