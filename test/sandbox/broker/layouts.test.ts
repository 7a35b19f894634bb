import { expect, test } from 'vitest';
import { describeProducers as weirDescribeProducers } from '../../../src/kafka/protocol/describe-producers.ts';
import { fetch as weirFetch } from '../../../src/kafka/protocol/fetch.ts';
import { findCoordinator as weirFindCoordinator } from '../../../src/kafka/protocol/find-coordinator.ts';
import { initProducerId as weirInitProducerId } from '../../../src/kafka/protocol/init-producer-id.ts';
import { listOffsets as weirListOffsets } from '../../../src/kafka/protocol/list-offsets.ts';
import { metadata as weirMetadata } from '../../../src/kafka/protocol/metadata.ts';
import { offsetForLeaderEpoch as weirEpochs } from '../../../src/kafka/protocol/offset-for-leader-epoch.ts';
import { produce as weirProduce } from '../../../src/kafka/protocol/produce.ts';
import { api } from '../../../src/kafka/wire/api.ts';
import { describeProducers } from '../../../src/kafka/wire/apis/describe-producers.ts';
import { fetch } from '../../../src/kafka/wire/apis/fetch.ts';
import { findCoordinator } from '../../../src/kafka/wire/apis/find-coordinator.ts';
import { initProducerId } from '../../../src/kafka/wire/apis/init-producer-id.ts';
import { listOffsets } from '../../../src/kafka/wire/apis/list-offsets.ts';
import { metadata } from '../../../src/kafka/wire/apis/metadata.ts';
import { offsetForLeaderEpoch } from '../../../src/kafka/wire/apis/offset-for-leader-epoch.ts';
import { produce } from '../../../src/kafka/wire/apis/produce.ts';
import { nullable, since, struct, tagged } from '../../../src/kafka/wire/fields.ts';
import { array, bytes, int16, int32, int64, string } from '../../../src/kafka/wire/primitives.ts';
import { createSink, written } from '../../../src/kafka/wire/sink.ts';
import { MalformedBytes, sourceOf } from '../../../src/kafka/wire/source.ts';
import { crossed } from './crossed.ts';

test('the model and the client agree on Produce and InitProducerId', () => {
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
  crossed(weirInitProducerId, initProducerId, {
    request: { transactionalId: 'x', transactionTimeoutMs: 5, current: { producerId: 7n, producerEpoch: 2 } },
    reads: ({ transactionalId, producerId, producerEpoch }, version) =>
      transactionalId === 'x' && (version < 3 ? producerId === -1n : producerId === 7n && producerEpoch === 2),
    answer: { errorCode: 0, producerId: 8_998_247_152_353_553_356n, producerEpoch: 12 },
    decoded: ({ producerId, producerEpoch }) => producerId === 8_998_247_152_353_553_356n && producerEpoch === 12,
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

test('the model and the client agree on offsets and epochs', () => {
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
  const end = { errorCode: 0, partition: 2, leaderEpoch: 5, endOffset: 44 };
  crossed(weirEpochs, offsetForLeaderEpoch, {
    request: { topics: [{ topic: 't', partitions: [{ partition: 2, currentLeaderEpoch: 7, leaderEpoch: 5 }] }] },
    reads: ({ topics: [topic] }) => topic?.partitions[0]?.currentLeaderEpoch === 7,
    answer: { topics: [{ topic: 't', partitions: [end] }] },
    decoded: ({ partitions: [one] }) => one?.endOffset === 44n && one.leaderEpoch === 5,
  });
});

test('the model and the client agree on Metadata, FindCoordinator and DescribeProducers', () => {
  const partition = { errorCode: 5, partitionIndex: 0, leaderId: -1, leaderEpoch: 3, replicaNodes: [1], isrNodes: [] };
  crossed(weirMetadata, metadata, {
    request: { topics: ['t'], createMissing: true },
    reads: ({ topics, allowAutoTopicCreation }) => topics?.[0]?.name === 't' && allowAutoTopicCreation,
    answer: {
      brokers: [{ nodeId: 1, host: 'h', port: 9092, rack: undefined }],
      clusterId: 'c',
      controllerId: 1,
      topics: [{ errorCode: 0, name: 't', partitions: [partition] }],
    },
    decoded: ({ brokers, clusterId, topics: [topic] }, version) =>
      brokers[0]?.host === 'h' &&
      clusterId === 'c' &&
      topic?.partitions[0]?.errorCode === 5 &&
      topic.partitions[0].leaderEpoch === (version >= 7 ? 3 : -1),
  });
  const coordinator = { nodeId: 4, host: 'h', port: 1, errorCode: 0, errorMessage: undefined };
  crossed(weirFindCoordinator, findCoordinator, {
    request: { keyType: 'group', keys: ['g'] },
    reads: ({ key, coordinatorKeys }, version) => (version >= 4 ? coordinatorKeys[0] : key) === 'g',
    answer: { ...coordinator, coordinators: [{ key: 'g', ...coordinator }] },
    decoded: ({ coordinators: [one] }) => one?.nodeId === 4 && one.host === 'h',
  });
  const producer = {
    producerId: 1n,
    producerEpoch: 2,
    lastSequence: 3,
    lastTimestamp: 4n,
    coordinatorEpoch: -1,
    currentTxnStartOffset: 6,
  };
  crossed(weirDescribeProducers, describeProducers, {
    request: { topics: [{ topic: 't', partitions: [0] }] },
    reads: ({ topics: [topic] }) => topic?.partitionIndexes[0] === 0,
    answer: { topics: [{ name: 't', partitions: [{ partitionIndex: 0, errorCode: 0, activeProducers: [producer] }] }] },
    decoded: ({ partitions: [one] }) => one?.producers[0]?.currentTransactionStart === 6n,
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
