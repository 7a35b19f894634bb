import { expect, it } from 'vitest';
import { partitionOfKey } from '../../../../src/kafka/records/batches/partitioner.ts';
import { compileParser } from '../../../../src/kafka/records/language/parse.ts';
import { produce } from '../../../../src/kafka/streams/produce/produce.ts';
import { createVirtualClock } from '../../../simulation/virtual-clock.ts';
import { fakeClient } from './fake-client.ts';
import { requestOf } from './producing.ts';

it('a plan counts records by partition; those without a key, which may go anywhere, together', async () => {
  const client = fakeClient(createVirtualClock(1), { leaders: () => [1, 1, 1] });
  const input = (async function* lines() {
    yield Buffer.from('{"value":"a"}\n{"key":"","value":"b"}\n{"key":"","value":"c"}\n{"key":"k","value":"d"}\n');
  })();
  const request = requestOf([], { parser: compileParser('json'), input });
  const rows = await client.clock.runUntil(produce(client, request).then((production) => production.plan()));
  const partitionOf = (key: string): number => partitionOfKey(Buffer.from(key), 0, key.length, 3);
  const counts = new Map<number | null, number>([[null, 1]]);
  for (const key of ['', '', 'k']) counts.set(partitionOf(key), (counts.get(partitionOf(key)) ?? 0) + 1);
  expect(rows.map(({ partition, records }) => [partition, records])).toEqual(
    [...counts].sort(([left], [right]) => (left ?? -1) - (right ?? -1)),
  );
  expect(client.batches).toEqual([]);
});

it('a plan is in the order of partitions, with the records that may go to any of them first', async () => {
  const client = fakeClient(createVirtualClock(1), { leaders: () => Array.from({ length: 12 }, () => 1) });
  const input = (async function* lines() {
    for (let key = 0; key < 200; key += 1) yield Buffer.from(`{"key":"${key}","value":"a"}\n`);
    yield Buffer.from('{"value":"a"}\n');
  })();
  const request = requestOf([], { parser: compileParser('json'), input });
  const rows = await client.clock.runUntil(produce(client, request).then((production) => production.plan()));
  expect(rows.map(({ partition }) => partition)).toEqual([null, ...Array.from({ length: 12 }, (_, at) => at)]);
});
