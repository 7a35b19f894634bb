import { expect, test } from 'vitest';
import { fetch as weirFetch } from '../../../src/kafka/protocol/fetch.ts';
import { listOffsets as weirListOffsets } from '../../../src/kafka/protocol/list-offsets.ts';
import { produce as weirProduce } from '../../../src/kafka/protocol/produce.ts';
import { api } from '../../../src/kafka/wire/api.ts';
import { fetch } from '../../../src/kafka/wire/apis/fetch.ts';
import { listOffsets } from '../../../src/kafka/wire/apis/list-offsets.ts';
import { produce } from '../../../src/kafka/wire/apis/produce.ts';
import { nullable, since, struct, tagged } from '../../../src/kafka/wire/fields.ts';
import { array, bytes, int16, int32, int64, string } from '../../../src/kafka/wire/primitives.ts';
import { createSink, written } from '../../../src/kafka/wire/sink.ts';
import { MalformedBytes, sourceOf } from '../../../src/kafka/wire/source.ts';
import { crossed } from './crossed.ts';

test('the model and the client agree on Produce', () => {
  const records = Buffer.from('some records');
  const partition = { index: 3, errorCode: 6, baseOffset: 2 ** 40, logAppendTimeMs: 5n, logStartOffset: 1 };
  crossed(weirProduce, produce, {
    request: { acks: -1, timeoutMs: 77, topics: [{ topic: 't', partitions: [{ partition: 3, records }] }] },
    // From version 13 a topic is named by its id.
    reads: ({ acks, timeoutMs, topicData: [topic] }, version) =>
      acks === -1 &&
      timeoutMs === 77 &&
      (version >= 13 || topic?.name === 't') &&
      topic?.partitionData[0]?.records?.equals(records),
    answer: { responses: [{ name: 't', partitionResponses: [partition] }], throttleTimeMs: 9 },
    decoded: ({ partitions: [one], throttleMs }) =>
      one?.partition === 3 && one.errorCode === 6 && one.baseOffset === 2n ** 40n && throttleMs === 9,
  });
});

test('the model and the client agree on Fetch', () => {
  const partitions = [{ partition: 1, leaderEpoch: 4, offset: 12n, maxBytes: 55 }];
  const answered = {
    partitionIndex: 1,
    errorCode: 0,
    highWatermark: 9,
    lastStableOffset: 8,
    logStartOffset: 2,
    abortedTransactions: [{ producerId: 5n, firstOffset: 6 }],
    preferredReadReplica: 3,
    records: Buffer.from('abc'),
    divergingEpoch: { epoch: 1, endOffset: 2 },
  };
  crossed(weirFetch, fetch, {
    request: {
      maxWaitMs: 1,
      minBytes: 2,
      maxBytes: 3,
      readCommitted: true,
      rack: 'r',
      topics: [{ topic: 't', partitions }],
    },
    reads: ({ maxBytes, isolationLevel, rackId, topics: [topic] }, version) =>
      maxBytes === 3 &&
      isolationLevel === 1 &&
      rackId === (version >= 11 ? 'r' : '') &&
      topic?.partitions[0]?.fetchOffset === 12n &&
      topic.partitions[0].partitionMaxBytes === 55,
    answer: { errorCode: 0, sessionId: 0, throttleTimeMs: 4, responses: [{ topic: 't', partitions: [answered] }] },
    decoded: ({ throttleMs, partitions: [one] }, version) =>
      throttleMs === 4 &&
      one?.records.toString() === 'abc' &&
      one.lastStableOffset === 8n &&
      one.abortedTransactions[0]?.firstOffset === 6n &&
      one.preferredReadReplica === (version >= 11 ? 3 : -1),
  });
});

test('the model and the client agree on offsets', () => {
  const found = { partitionIndex: 2, errorCode: 1, timestamp: -9_007_199_254_740_993n, offset: 88, leaderEpoch: 3 };
  crossed(weirListOffsets, listOffsets, {
    request: {
      isolation: 'committed',
      topics: [{ name: 't', partitions: [{ partition: 2, time: -3n, leaderEpoch: 6 }] }],
    },
    reads: ({ topics: [topic] }) => topic?.partitions[0]?.timestamp === -3n,
    answer: { topics: [{ name: 't', partitions: [found] }] },
    decoded: ({ topics: [topic] }) =>
      topic?.partitions[0]?.offset === 88n && topic.partitions[0].timestamp === -9_007_199_254_740_993n,
  });
});

const sample = api({
  name: 'Sample',
  key: 1,
  versions: [0, 2],
  flexibleFrom: 2,
  target: 'any',
  repeatable: true,
  request: {
    name: nullable(string, 1),
    items: array(struct({ id: int32, more: since(1, int16, -7) })),
    maybe: nullable(struct({ at: int64 })),
    data: nullable(bytes),
    time: since(2, int64, -1n),
    extra: tagged(3, 2, string),
  },
  response: {},
});

test('fields depend on versions, null is undefined, tagged fields are read and unknown tags are skipped', () => {
  const full = { name: 'n', items: [{ id: 1, more: 2 }], maybe: { at: -5n }, data: Buffer.of(1), time: 8n, extra: 'e' };
  const round = (version: number, value: typeof full) => {
    const sink = createSink();
    sample.request(version).write(sink, value);
    return sample.request(version).read(sourceOf(written(sink)));
  };
  expect(round(2, full)).toEqual(full);
  expect(round(1, full)).toEqual({ ...full, time: -1n, extra: undefined });
  expect(round(0, full)).toEqual({ ...full, items: [{ id: 1, more: -7 }], time: -1n, extra: undefined });
  const none = { items: [], name: undefined, maybe: undefined, data: undefined, extra: undefined };
  const sink = createSink();
  sample.request(2).write(sink, none);
  expect(sample.request(2).read(sourceOf(written(sink)))).toEqual({ ...none, time: -1n });
  const unknown = Buffer.concat([written(sink).subarray(0, -1), Buffer.from('0209020102' + '0302026b', 'hex')]);
  expect(sample.request(2).read(sourceOf(unknown)).extra).toBe('k');
});

test('requests with wrong lengths are rejected', () => {
  for (const hex of ['7fff', '0001' + '61' + '7fffffff', 'ffff', '0000' + 'ffffff00']) {
    expect(() => sample.request(0).read(sourceOf(Buffer.from(hex, 'hex'))), hex).toThrow(MalformedBytes);
  }
});
