import { test } from 'vitest';
import { createPartitions as weirCreatePartitions } from '../../../src/kafka/protocol/create-partitions.ts';
import { createTopics as weirCreateTopics } from '../../../src/kafka/protocol/create-topics.ts';
import { deleteTopics as weirDeleteTopics } from '../../../src/kafka/protocol/delete-topics.ts';
import { describeCluster as weirDescribeCluster } from '../../../src/kafka/protocol/describe-cluster.ts';
import { describeConfigs as weirDescribeConfigs } from '../../../src/kafka/protocol/describe-configs.ts';
import { createPartitions } from '../../../src/kafka/wire/apis/create-partitions.ts';
import { createTopics } from '../../../src/kafka/wire/apis/create-topics.ts';
import { deleteTopics } from '../../../src/kafka/wire/apis/delete-topics.ts';
import { describeCluster } from '../../../src/kafka/wire/apis/describe-cluster.ts';
import { describeConfigs } from '../../../src/kafka/wire/apis/describe-configs.ts';
import { crossed } from './crossed.ts';

const failed = { errorCode: 3, errorMessage: 'gone' };

test('the model and the client agree on DescribeConfigs', () => {
  const synonym = { name: 's', value: 'v', source: 5 };
  const config = { readOnly: true, configSource: 4, isSensitive: false, synonyms: [synonym, synonym], configType: 2 };
  const configs = [
    { name: 'a', value: '1', ...config },
    { name: 'b', value: undefined, ...config, documentation: 'text', isSensitive: true },
  ];
  crossed(weirDescribeConfigs, describeConfigs, {
    request: { resources: ['t', 'u'].map((name) => ({ type: 2, name, keys: name === 't' ? ['a', 'b'] : undefined })) },
    reads: ({ resources: [first, second] }) =>
      first?.resourceName === 't' &&
      first.configurationKeys?.join() === 'a,b' &&
      second?.resourceType === 2 &&
      second.configurationKeys === undefined,
    answer: {
      throttleTimeMs: 4,
      results: ['t', 'u'].map((resourceName) => ({ ...failed, resourceType: 2, resourceName, configs })),
    },
    decoded: ({ throttleMs, resources: [first, second] }) =>
      throttleMs === 4 &&
      first?.errorMessage === 'gone' &&
      second?.name === 'u' &&
      second.errorCode === 3 &&
      second.configs.map(({ key, source, sensitive }) => `${key} ${source} ${sensitive}`).join() ===
        'a STATIC_BROKER_CONFIG false,b STATIC_BROKER_CONFIG true',
  });
});

test('the model and the client agree on CreateTopics, DeleteTopics and CreatePartitions', () => {
  const names = ['t', 'u'];
  const config = { name: 'a', value: '1', readOnly: true, configSource: 4, isSensitive: false };
  crossed(weirCreateTopics, createTopics, {
    request: {
      topics: names.map((name) => ({ name, partitions: 3, replicas: 2, configs: [['a', 'b'] as const] })),
      timeoutMs: 7,
      validateOnly: true,
    },
    reads: ({ topics: [, topic], timeoutMs, validateOnly }) =>
      topic?.name === 'u' &&
      topic.numPartitions === 3 &&
      topic.replicationFactor === 2 &&
      topic.configs[0]?.value === 'b' &&
      timeoutMs === 7 &&
      validateOnly,
    answer: {
      throttleTimeMs: 4,
      topics: names.map((name) => ({ name, ...failed, numPartitions: 5, replicationFactor: 1, configs: [config] })),
    },
    decoded: ({ topics: [, topic] }, version) =>
      topic?.name === 'u' && topic.errorMessage === 'gone' && topic.partitions === (version >= 5 ? 5 : -1),
  });
  crossed(weirDeleteTopics, deleteTopics, {
    request: { topics: names, timeoutMs: 7 },
    reads: ({ topics, topicNames, timeoutMs }, version) =>
      (version >= 6 ? topics[1]?.name : topicNames[1]) === 'u' && timeoutMs === 7,
    answer: { throttleTimeMs: 4, responses: names.map((name) => ({ name, ...failed })) },
    decoded: ({ topics: [, topic] }, version) =>
      topic?.name === 'u' && topic.errorCode === 3 && topic.errorMessage === (version >= 5 ? 'gone' : undefined),
  });
  crossed(weirCreatePartitions, createPartitions, {
    request: { topics: names.map((name) => ({ name, count: 9 })), timeoutMs: 7, validateOnly: true },
    reads: ({ topics: [, topic], timeoutMs, validateOnly }) =>
      topic?.name === 'u' && topic.count === 9 && topic.assignments === undefined && timeoutMs === 7 && validateOnly,
    answer: { throttleTimeMs: 4, results: names.map((name) => ({ name, ...failed })) },
    decoded: ({ topics: [, topic] }) => topic?.name === 'u' && topic.errorMessage === 'gone',
  });
});

test('the model and the client agree on DescribeCluster', () => {
  crossed(weirDescribeCluster, describeCluster, {
    request: { fencedBrokers: true },
    reads: ({ endpointType, includeFencedBrokers }, version) =>
      endpointType === 1 && includeFencedBrokers === version >= 2,
    answer: {
      throttleTimeMs: 4,
      ...failed,
      clusterId: 'c',
      controllerId: 2,
      brokers: [1, 2].map((brokerId) => ({ brokerId, host: 'h', port: 9092, rack: 'r', isFenced: true })),
    },
    decoded: ({ throttleMs, clusterId, controllerId, brokers: [, broker] }, version) =>
      throttleMs === 4 &&
      clusterId === 'c' &&
      controllerId === 2 &&
      broker?.id === 2 &&
      broker.rack === 'r' &&
      broker.fenced === version >= 2,
  });
});
