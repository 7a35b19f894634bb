import { api } from '../api.ts';
import { nullable, since, struct, until } from '../fields.ts';
import { array, int16, int32, noUuid, string, uuid } from '../primitives.ts';

/** DeleteTopics (key 20); by id since version 6. */
export const deleteTopics = api({
  name: 'DeleteTopics',
  key: 20,
  versions: [1, 6],
  flexibleFrom: 4,
  target: 'controller',
  // After a lost answer the topics may already be deleted, and a repeated request would fail.
  repeatable: false,
  changes: true,
  request: {
    topics: since(6, array(struct({ name: nullable(string), topicId: uuid }))),
    topicNames: until(5, array(string)),
    timeoutMs: int32,
  },
  response: {
    throttleTimeMs: since(1, int32),
    responses: array(
      struct({
        name: nullable(string, 6),
        topicId: since(6, uuid, noUuid),
        errorCode: int16,
        errorMessage: since(5, nullable(string)),
      }),
    ),
  },
});
