import { expect, it } from 'vitest';
import type { Client } from '../../../../src/kafka/protocol/client/client.ts';
import { noUuid } from '../../../../src/kafka/protocol/wire/primitives.ts';
import { createTopicIds } from '../../../../src/kafka/streams/groups/topic-ids.ts';

/** The names of a cluster whose topics have these ids, and how often it was asked. */
function scene(ids: Record<string, string>) {
  let asked = 0;
  const requestOnce = async () => {
    asked += 1;
    return { topics: Object.entries(ids).map(([name, topicId]) => ({ name, topicId })) };
  };
  return { ids: createTopicIds({ requestOnce } as unknown as Client), asked: () => asked };
}

it('partitions get the name of their topic, in order, and the cluster is asked only for unknown ids', async () => {
  const { ids, asked } = scene({ a: 'id-a', b: 'id-b' });
  const items = [{ topicId: 'id-b', partitions: [10, 9, 2] }];
  const named = [{ topicId: 'id-b', topic: 'b', partitions: [2, 9, 10] }];
  expect(await ids.named(items, ['a', 'b'])).toEqual(named);
  expect(await ids.named(items, ['a', 'b'])).toEqual(named);
  expect(asked()).toBe(1);
});

it('an id that the cluster does not know is left out and asked about again', async () => {
  const known: Record<string, string> = {};
  const { ids, asked } = scene(known);
  const items = [{ topicId: 'id-a', partitions: [0] }];
  expect(await ids.named(items, ['a'])).toEqual([]);
  known.a = 'id-a';
  expect(await ids.named(items, ['a'])).toEqual([{ topicId: 'id-a', topic: 'a', partitions: [0] }]);
  expect(asked()).toBe(2);
});

it('a topic without an id gives its name to nothing', async () => {
  const { ids } = scene({ old: noUuid });
  expect(await ids.named([{ topicId: noUuid, partitions: [0] }], ['old'])).toEqual([]);
});
