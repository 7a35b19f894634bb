import { nullable, since, struct, until } from '../wire/fields.ts';
import { layout } from '../wire/layout.ts';
import { array, int16, int32, noUuid, string, uuid } from '../wire/primitives.ts';

/** DeleteTopics (key 20); by id since version 6. */
export const deleteTopics = layout({
  name: 'DeleteTopics',
  key: 20,
  min: 1,
  max: 6,
  flexibleFrom: 4,
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
