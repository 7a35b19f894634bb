import { expect, it } from 'vitest';
import { createReader, createWriter, noUuid } from '../../../src/kafka/protocol/codec.ts';
import { metadata } from '../../../src/kafka/protocol/metadata.ts';

/** The answer of a broker in this version about a topic with one partition. */
function answerOf(version: number): Buffer {
  const writer = createWriter(version >= 9);
  writer.int32(0);
  writer.array([7], (id) => {
    writer.int32(id);
    writer.string('b');
    writer.int32(9092);
    writer.nullableString('r');
    writer.tags();
  });
  writer.nullableString('c');
  writer.int32(7);
  writer.array(['t'], (name) => {
    writer.int16(0);
    writer.string(name);
    if (version >= 10) writer.uuid(noUuid);
    writer.boolean(true);
    writer.array([3], (partition) => {
      writer.int16(0);
      writer.int32(partition);
      writer.int32(7);
      if (version >= 7) writer.int32(5);
      for (const list of [[7, 8], [7], [8]]) writer.array(list, writer.int32);
      writer.tags();
    });
    if (version >= 8) writer.int32(0);
    writer.tags();
  });
  if (version >= 8 && version <= 10) writer.int32(0);
  if (version >= 13) writer.int16(0);
  writer.tags();
  return writer.finish();
}

it.each([5, 6, 7, 8, 9, 10, 11, 12, 13])('Metadata v%i is read field by field', (version) => {
  const reader = createReader(answerOf(version), version >= 9);
  expect(metadata.decode(reader, version)).toEqual({
    ...{ throttleMs: 0, errorCode: 0, clusterId: 'c', controllerId: 7 },
    brokers: [{ id: 7, host: 'b', port: 9092, rack: 'r' }],
    topics: [
      {
        ...{ errorCode: 0, name: 't', id: noUuid, internal: true },
        partitions: [
          {
            ...{ errorCode: 0, partition: 3, leader: 7, leaderEpoch: version >= 7 ? 5 : -1 },
            ...{ replicas: [7, 8], isr: [7], offlineReplicas: [8] },
          },
        ],
      },
    ],
  });
  expect(reader.remaining).toBe(0);
});
