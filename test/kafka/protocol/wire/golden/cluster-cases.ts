import { apiVersions } from '../../../../../src/kafka/protocol/wire/apis/api-versions.ts';
import { describeCluster } from '../../../../../src/kafka/protocol/wire/apis/describe-cluster.ts';
import { describeLogDirs } from '../../../../../src/kafka/protocol/wire/apis/describe-log-dirs.ts';
import type { GoldenCase } from './case.ts';
import { quotaCases } from './quota-cases.ts';
import { transactionCases } from './transaction-cases.ts';

const found = { errorCode: 0, errorMessage: null };

/** DescribeLogDirs in each version: an error code since 3, the sizes of volumes since 4. */
function logDirs(): readonly GoldenCase[] {
  return [1, 2, 3, 4].map((version) => {
    const volume = version >= 4 ? { totalBytes: 1_000, usableBytes: 400 } : {};
    const unknown = version >= 4 ? { totalBytes: -1, usableBytes: -1 } : {};
    return {
      api: { ...describeLogDirs, min: version, max: version },
      request:
        version % 2 === 0
          ? { kafka: { topics: null } }
          : {
              kafka: { topics: [{ topic: 't-ä', partitions: [0, 3] }] },
            },
      answer: {
        kafka: {
          ...{ throttleTimeMs: 7, ...(version >= 3 && { errorCode: 31 }) },
          results: [
            {
              ...{ errorCode: 0, logDir: '/data/1', ...volume },
              topics: [
                {
                  name: 't-ä',
                  partitions: [
                    { partitionIndex: 0, partitionSize: 300, offsetLag: 0, isFutureKey: false },
                    { partitionIndex: 3, partitionSize: 12_345_678_901, offsetLag: 5, isFutureKey: true },
                  ],
                },
              ],
            },
            { errorCode: 56, logDir: '/data/2', topics: [], ...unknown },
          ],
        },
      },
    };
  });
}

/** DescribeCluster in each version, with what the principal may do: fenced brokers since 2. */
function clusters(): readonly GoldenCase[] {
  return [0, 1, 2].map((version) => {
    const fenced = (isFenced: boolean): object => (version >= 2 ? { isFenced } : {});
    return {
      api: { ...describeCluster, min: version, max: version },
      request: {
        kafka: {
          includeClusterAuthorizedOperations: true,
          ...(version >= 1 && { endpointType: 1 }),
          ...(version >= 2 && { includeFencedBrokers: true }),
        },
      },
      answer: {
        kafka: {
          ...{ throttleTimeMs: 7, ...found, clusterId: 'c', controllerId: 1 },
          ...(version >= 1 && { endpointType: 1 }),
          clusterAuthorizedOperations: 264,
          brokers: [
            { brokerId: 1, host: 'b1.example', port: 9092, rack: null, ...fenced(false) },
            { brokerId: 2, host: 'b2.example', port: 9093, rack: 'r', ...fenced(true) },
          ],
        },
      },
    };
  });
}

/** ApiVersions with the features of the cluster. */
const features: GoldenCase = {
  api: { ...apiVersions, min: 3 },
  request: {
    kafka: { clientSoftwareName: 'weir', clientSoftwareVersion: '1' },
  },
  answer: {
    kafka: {
      ...{ errorCode: 0, apiKeys: [{ apiKey: 18, minVersion: 0, maxVersion: 4 }], throttleTimeMs: 7 },
      supportedFeatures: [{ name: 'metadata.version', minVersion: 7, maxVersion: 27 }],
      finalizedFeaturesEpoch: 42,
      finalizedFeatures: [{ name: 'metadata.version', maxVersionLevel: 26, minVersionLevel: 26 }],
    },
  },
};

/** The messages about the cluster, its quotas and its transactions. */
export const clusterCases: readonly GoldenCase[] = [
  ...clusters(),
  ...logDirs(),
  ...quotaCases,
  ...transactionCases,
  features,
];
