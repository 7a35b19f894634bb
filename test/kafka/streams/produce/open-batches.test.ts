import { expect, test } from 'vitest';
import { viewOver } from '../../../../src/bytes/arena.ts';
import { createBatchWriter } from '../../../../src/kafka/records/batches/batch-writer.ts';
import { createStickyPartitioner } from '../../../../src/kafka/records/batches/partitioner.ts';
import { createLane, type Lane } from '../../../../src/kafka/streams/produce/lane.ts';
import {
  type OpenBatches,
  sealAll,
  sealLargest,
  takeLines,
} from '../../../../src/kafka/streams/produce/open-batches.ts';
import type { ProduceTopic } from '../../../../src/kafka/streams/produce/topics.ts';
import { appendTo } from '../../records/batches/batches.ts';

/** A lane whose open batch has one record of that many megabytes. */
function laneHolding(partition: number, megabytes: number): Lane {
  const lane = createLane('foo', partition, 1);
  const writer = createBatchWriter({ compression: 'none', maxBytes: 2 ** 30 });
  appendTo(writer, [{ key: null, value: Buffer.alloc(megabytes * 2 ** 20), headers: [], timestamp: 1 }]);
  lane.open = { writer, createdAt: 0, createdWallMs: 0, numbers: [1, 1] };
  return lane;
}

test('when memory is short only the largest batches are sent, as many as needed: the others continue to grow', () => {
  const lanes = [1, 2, 1, 3, 1, 2, 1].map((megabytes, partition) => laneHolding(partition, megabytes));
  const added: Lane[] = [];
  const state = {
    ...{ identity: { producerId: 1n, producerEpoch: 0 }, open: new Set(lanes), bufferedBytes: 0 },
    sender: { add: (lane: Lane) => added.push(lane) },
  };
  sealLargest(state as unknown as OpenBatches);
  // The answers to these will free half of 12 MB.
  expect(added.map(({ partition }) => partition)).toEqual([3, 1, 5]);
  expect([...state.open].map(({ partition }) => partition)).toEqual([0, 2, 4, 6]);
});

test('closed batches no longer count as open, however many there were', () => {
  const lanes = [createLane('foo', 0, 1)];
  const state = {
    ...{ identity: { producerId: 1n, producerEpoch: 0 }, lanes: new Set(lanes), open: new Set<Lane>(), writers: [] },
    ...{ openBytes: 0, freeBytes: 0, bufferedBytes: 0, clock: { now: () => 0, wallTime: () => 0 } },
    request: { compression: 'none', maxMessageBytes: 2 ** 20 },
    sender: { add: () => undefined, isQuick: () => false },
  } as unknown as OpenBatches;
  for (let batches = 1; batches <= 3; batches += 1) {
    const bytes = Buffer.from('a\nb\n');
    const lines = { bytes, view: viewOver(bytes), at: 0, count: 0, terminator: 10 };
    takeLines(state, lines, { name: 'foo', lanes } as unknown as ProduceTopic, 0);
    expect(state.openBytes).toBe(lanes[0]?.open?.writer.size);
    sealAll(state);
    expect(state.openBytes).toBe(0);
  }
});

test('with --partition, lines go to that partition only', () => {
  const lanes = [0, 1, 2].map((partition) => createLane('foo', partition, 1));
  const state = {
    ...{ identity: { producerId: 1n, producerEpoch: 0 }, lanes: new Set(lanes), open: new Set<Lane>(), writers: [] },
    ...{ openBytes: 0, freeBytes: 0, bufferedBytes: 0, clock: { now: () => 0, wallTime: () => 0 } },
    request: { compression: 'none', maxMessageBytes: 2 ** 20, partition: 1 },
    sender: { add: () => undefined, isQuick: () => false },
  } as unknown as OpenBatches;
  const bytes = Buffer.from('a\nb\n');
  const topic = { name: 'foo', lanes, sticky: createStickyPartitioner(() => 0), available: [0, 1, 2] };
  takeLines(
    state,
    { bytes, view: viewOver(bytes), at: 0, count: 0, terminator: 10 },
    topic as unknown as ProduceTopic,
    0,
  );
  expect(lanes.map((lane) => lane.open?.writer.count)).toEqual([undefined, 2, undefined]);
});
