import { alterPartitionReassignments } from '../../../../../src/kafka/protocol/wire/apis/alter-partition-reassignments.ts';
import { createPartitions } from '../../../../../src/kafka/protocol/wire/apis/create-partitions.ts';
import { deleteRecords } from '../../../../../src/kafka/protocol/wire/apis/delete-records.ts';
import { describeConfigs } from '../../../../../src/kafka/protocol/wire/apis/describe-configs.ts';
import { electLeaders } from '../../../../../src/kafka/protocol/wire/apis/elect-leaders.ts';
import { incrementalAlterConfigs } from '../../../../../src/kafka/protocol/wire/apis/incremental-alter-configs.ts';
import { listPartitionReassignments } from '../../../../../src/kafka/protocol/wire/apis/list-partition-reassignments.ts';
import type { GoldenCase } from './case.ts';

const refused = { errorCode: 31, errorMessage: 'no' };
const doneCode = { errorCode: 0, errorMessage: null };

const configs: readonly GoldenCase[] = [
  {
    api: incrementalAlterConfigs,
    request: {
      kafka: {
        resources: [
          {
            ...{ resourceType: 2, resourceName: 'a-ä' },
            configs: [
              { name: 'retention.ms', configOperation: 0, value: '1' },
              { name: 'segment.ms', configOperation: 1, value: null },
              { name: 'cleanup.policy', configOperation: 2, value: 'compact' },
              { name: 'x', configOperation: 3, value: '' },
            ],
          },
          { resourceType: 4, resourceName: '1', configs: [] },
        ],
        validateOnly: true,
      },
    },
    answer: {
      kafka: {
        throttleTimeMs: 7,
        responses: [
          { ...doneCode, resourceType: 2, resourceName: 'a-ä' },
          { ...refused, resourceType: 4, resourceName: '1' },
        ],
      },
    },
  },
  {
    api: { ...describeConfigs, min: 3 },
    request: {
      kafka: {
        resources: [{ resourceType: 2, resourceName: 'a', configurationKeys: ['b'] }],
        ...{ includeSynonyms: true, includeDocumentation: false },
      },
    },
    answer: {
      kafka: {
        throttleTimeMs: 7,
        results: [
          {
            ...{ ...doneCode, resourceType: 2, resourceName: 'a' },
            configs: [
              {
                ...{ name: 'b', value: 'v', readOnly: true, configSource: 1, isSensitive: true, configType: 2 },
                documentation: null,
                synonyms: [
                  { name: 'b', value: 'v', source: 1 },
                  { name: 'log.b', value: null, source: 0 },
                ],
              },
            ],
          },
          { ...refused, resourceType: 2, resourceName: 'c', configs: [] },
        ],
      },
    },
  },
];

const records: readonly GoldenCase[] = [
  {
    api: deleteRecords,
    request: {
      kafka: { topics: [{ name: 'a', partitions: [{ partitionIndex: 3, offset: -1 }] }], timeoutMs: 9 },
    },
    answer: {
      kafka: {
        throttleTimeMs: 7,
        topics: [
          {
            name: 'a',
            partitions: [
              { partitionIndex: 3, lowWatermark: 5, errorCode: 0 },
              { partitionIndex: 4, lowWatermark: -1, errorCode: 1 },
            ],
          },
        ],
      },
    },
  },
];

const partitions: readonly GoldenCase[] = [
  {
    api: createPartitions,
    request: {
      kafka: { topics: [{ name: 'a', count: 5, assignments: null }], timeoutMs: 9, validateOnly: true },
    },
    answer: {
      kafka: {
        throttleTimeMs: 7,
        results: [
          { name: 'a', ...doneCode },
          { name: 'b', ...refused },
        ],
      },
    },
  },
  {
    api: electLeaders,
    request: {
      kafka: { electionType: 1, topicPartitions: [{ topic: 'a', partitions: [1, 2] }], timeoutMs: 9 },
    },
    answer: {
      kafka: {
        ...{ throttleTimeMs: 7, errorCode: 41 },
        replicaElectionResults: [
          {
            topic: 'a',
            partitionResult: [
              { partitionId: 1, ...doneCode },
              { partitionId: 2, ...refused },
            ],
          },
        ],
      },
    },
  },
  {
    api: electLeaders,
    request: {
      kafka: { electionType: 0, topicPartitions: [], timeoutMs: 0 },
    },
    answer: {
      kafka: { throttleTimeMs: 0, errorCode: 0, replicaElectionResults: [] },
    },
  },
];

const reassignments: readonly GoldenCase[] = [
  ...[0, 1].map((version): GoldenCase => {
    const change = version === 0 ? {} : { allowReplicationFactorChange: true };
    return {
      api: { ...alterPartitionReassignments, min: version, max: version },
      request: {
        kafka: {
          ...{ timeoutMs: 9, ...change },
          topics: [
            {
              name: 'a',
              partitions: [
                { partitionIndex: 1, replicas: [3, 2] },
                { partitionIndex: 2, replicas: null },
              ],
            },
          ],
        },
      },
      answer: {
        kafka: {
          ...{ throttleTimeMs: 7, ...refused, ...change },
          responses: [
            {
              name: 'a',
              partitions: [
                { partitionIndex: 1, ...doneCode },
                { partitionIndex: 2, ...refused },
              ],
            },
          ],
        },
      },
    };
  }),
  {
    api: listPartitionReassignments,
    request: {
      kafka: { timeoutMs: 9, topics: [{ name: 'a', partitionIndexes: [1] }] },
    },
    answer: {
      kafka: {
        ...{ throttleTimeMs: 7, ...doneCode },
        topics: [
          {
            name: 'a',
            partitions: [{ partitionIndex: 1, replicas: [1, 2, 3], addingReplicas: [3], removingReplicas: [1] }],
          },
        ],
      },
    },
  },
  {
    api: listPartitionReassignments,
    request: { kafka: { timeoutMs: 0, topics: null } },
    answer: {
      kafka: { throttleTimeMs: 0, ...refused, topics: [] },
    },
  },
];

/** The messages about topics: configs, records, partitions and reassignments. */
export const topicCases: readonly GoldenCase[] = [...configs, ...records, ...partitions, ...reassignments];
