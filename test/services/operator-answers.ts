import { alterPartitionReassignments } from '../../src/kafka/protocol/wire/apis/alter-partition-reassignments.ts';
import { alterUserScramCredentials } from '../../src/kafka/protocol/wire/apis/alter-user-scram-credentials.ts';
import { createPartitions } from '../../src/kafka/protocol/wire/apis/create-partitions.ts';
import { deleteGroups } from '../../src/kafka/protocol/wire/apis/delete-groups.ts';
import { deleteRecords } from '../../src/kafka/protocol/wire/apis/delete-records.ts';
import { configSources, describeConfigs, resourceTypes } from '../../src/kafka/protocol/wire/apis/describe-configs.ts';
import { describeGroups } from '../../src/kafka/protocol/wire/apis/describe-groups.ts';
import { describeLogDirs } from '../../src/kafka/protocol/wire/apis/describe-log-dirs.ts';
import { describeUserScramCredentials } from '../../src/kafka/protocol/wire/apis/describe-user-scram-credentials.ts';
import { electLeaders } from '../../src/kafka/protocol/wire/apis/elect-leaders.ts';
import { findCoordinator } from '../../src/kafka/protocol/wire/apis/find-coordinator.ts';
import { incrementalAlterConfigs } from '../../src/kafka/protocol/wire/apis/incremental-alter-configs.ts';
import { listOffsets, offsetTimes } from '../../src/kafka/protocol/wire/apis/list-offsets.ts';
import { listPartitionReassignments } from '../../src/kafka/protocol/wire/apis/list-partition-reassignments.ts';
import { metadata } from '../../src/kafka/protocol/wire/apis/metadata.ts';
import { offsetCommit } from '../../src/kafka/protocol/wire/apis/offset-commit.ts';
import { offsetFetch } from '../../src/kafka/protocol/wire/apis/offset-fetch.ts';
import { answerOf, requestIn } from './answer.ts';
import { type AnnouncedRange, versionsAnswer } from './scripted-answers.ts';
import type { Arrival, Script } from './scripted-broker.ts';

/** The APIs of operators, each in the one version of the answers below. */
const announced: readonly AnnouncedRange[] = [
  [15, 5, 5], // DescribeGroups
  [21, 2, 2], // DeleteRecords
  [27, 1, 1], // WriteTxnMarkers
  [32, 4, 4], // DescribeConfigs
  [37, 3, 3], // CreatePartitions
  [42, 2, 2], // DeleteGroups
  [43, 2, 2], // ElectLeaders
  [44, 1, 1], // IncrementalAlterConfigs
  [45, 0, 0], // AlterPartitionReassignments
  [46, 0, 0], // ListPartitionReassignments
  [47, 0, 0], // OffsetDelete
  [48, 1, 1], // DescribeClientQuotas
  [49, 1, 1], // AlterClientQuotas
  [66, 0, 0], // ListTransactions
];

/** The answer to ApiVersions of a broker with these APIs, except those in `changed`. */
export const operatorVersions = (changed: readonly AnnouncedRange[] = []): Buffer =>
  versionsAnswer([...announced, ...changed]);

/** A partition in metadata. */
export interface ToldPartition {
  readonly partition: number;
  readonly leader: number;
  readonly replicas?: readonly number[];
}

/** A topic in metadata. */
export interface ToldTopic {
  readonly name: string;
  readonly errorCode?: number;
  readonly partitions: readonly ToldPartition[];
}

/** A listener in metadata. */
export interface ToldBroker {
  readonly id: number;
  readonly host: string;
  readonly port: number;
}

/** Metadata v9. */
export function clusterAnswer(
  brokers: readonly ToldBroker[],
  topics: readonly ToldTopic[],
  controllerId: number = brokers[0]?.id ?? -1,
): Buffer {
  return answerOf(metadata, 9, {
    brokers: brokers.map(({ id, host, port }) => ({ nodeId: id, host, port })),
    clusterId: 'scripted',
    controllerId,
    topics: topics.map(({ name, errorCode = 0, partitions }) => ({
      errorCode,
      name,
      partitions: partitions.map(({ partition, leader, replicas = [1] }) => ({
        errorCode: leader < 0 ? 5 : 0,
        partitionIndex: partition,
        leaderId: leader,
        leaderEpoch: 0,
        replicaNodes: replicas,
        isrNodes: replicas,
      })),
    })),
  });
}

/** A row of an answer: what it is about, and its error code. */
export type Coded<Key> = readonly [key: Key, code: number];

/** The partitions of an answer, each with its error code. */
const codedPartitions = (all: readonly Coded<number>[]) =>
  all.map(([partitionIndex, errorCode]) => ({ partitionIndex, errorCode }));

/** CreatePartitions v3. */
export const grownAnswer = (all: readonly Coded<string>[]): Buffer =>
  answerOf(createPartitions, 3, { results: all.map(([name, errorCode]) => ({ name, errorCode })) });

/** AlterUserScramCredentials v0. */
export const alteredUsersAnswer = (all: readonly Coded<string>[]): Buffer =>
  answerOf(alterUserScramCredentials, 0, { results: all.map(([user, errorCode]) => ({ user, errorCode })) });

/** DescribeUserScramCredentials v0: each user with a SCRAM-SHA-256 credential. */
export const usersAnswer = (all: readonly Coded<string>[]): Buffer =>
  answerOf(describeUserScramCredentials, 0, {
    errorCode: 0,
    results: all.map(([user, errorCode]) => ({
      user,
      errorCode,
      credentialInfos: errorCode === 0 ? [{ mechanism: 1, iterations: 4096 }] : [],
    })),
  });

/** IncrementalAlterConfigs v1 for resources of a type. */
export const alteredConfigsAnswer = (
  all: readonly Coded<string>[],
  resourceType: number = resourceTypes.topic,
): Buffer =>
  answerOf(incrementalAlterConfigs, 1, {
    responses: all.map(([resourceName, errorCode]) => ({ errorCode, resourceType, resourceName })),
  });

/** DescribeConfigs v4: every resource of a type has one config with this value. */
export const configsAnswer = (
  all: readonly Coded<string>[],
  value: string,
  resourceType: number = resourceTypes.topic,
  name = 'a',
): Buffer => {
  const { DYNAMIC_BROKER_CONFIG, DYNAMIC_TOPIC_CONFIG } = configSources;
  const configSource = resourceType === resourceTypes.broker ? DYNAMIC_BROKER_CONFIG : DYNAMIC_TOPIC_CONFIG;
  const configs = [{ name, value, readOnly: false, configSource, isSensitive: false, synonyms: [], configType: 2 }];
  return answerOf(describeConfigs, 4, {
    results: all.map(([resourceName, errorCode]) => ({ errorCode, resourceType, resourceName, configs })),
  });
};

/** DeleteRecords v2, with the new log start. */
export const trimmedAnswer = (all: readonly Coded<number>[], lowWatermark = 5n, name = 'foo'): Buffer =>
  answerOf(deleteRecords, 2, {
    topics: [{ name, partitions: codedPartitions(all).map((row) => ({ ...row, lowWatermark })) }],
  });

/** ListOffsets v5: the same offset of every partition. */
export const offsetsAnswer = (all: readonly Coded<number>[], offset: bigint): Buffer => {
  const found = { timestamp: -1n, offset, leaderEpoch: 0 };
  const partitions = codedPartitions(all).map((row) => ({ ...row, ...found }));
  return answerOf(listOffsets, 5, { topics: [{ name: 'foo', partitions }] });
};

/** ElectLeaders v2; `errorCode` is the code of the whole answer. */
export const electedAnswer = (all: readonly Coded<number>[], errorCode = 0): Buffer =>
  answerOf(electLeaders, 2, {
    errorCode,
    replicaElectionResults: [
      { topic: 'foo', partitionResult: all.map(([partitionId, code]) => ({ partitionId, errorCode: code })) },
    ],
  });

/** AlterPartitionReassignments v0; `errorCode` is the code of the whole answer. */
export const reassignedAnswer = (all: readonly Coded<number>[], errorCode = 0, errorMessage?: string): Buffer =>
  answerOf(alterPartitionReassignments, 0, {
    errorCode,
    errorMessage,
    responses: [{ name: 'foo', partitions: codedPartitions(all) }],
  });

/** ListPartitionReassignments v0: these partitions of `foo` move from broker 1 to broker 2. */
export const ongoingAnswer = (all: readonly number[], errorCode = 0): Buffer => {
  const move = { replicas: [1, 2], addingReplicas: [2], removingReplicas: [1] };
  const partitions = all.map((partitionIndex) => ({ partitionIndex, ...move }));
  return answerOf(listPartitionReassignments, 0, { errorCode, topics: [{ name: 'foo', partitions }] });
};

/** DescribeLogDirs v4: refused. */
export const noLogDirsAnswer = (): Buffer => answerOf(describeLogDirs, 4, { errorCode: 31, results: [] });

/** Whether a ListOffsets request asks where logs start. */
export const asksForStart = (arrival: Pick<Arrival, 'body' | 'version'>): boolean =>
  requestIn(listOffsets, arrival).topics.some(({ partitions }) =>
    partitions.some(({ timestamp }) => timestamp === offsetTimes.earliest),
  );

/** FindCoordinator v4: one broker for all keys. */
export const coordinatorsAnswer = (keys: readonly string[], { id, host, port }: ToldBroker): Buffer =>
  answerOf(findCoordinator, 4, {
    coordinators: keys.map((key) => ({ key, nodeId: id, host, port, errorCode: 0 })),
  });

/** DescribeGroups v5: classic groups without members. */
export const groupsAnswer = (all: readonly Coded<string>[]): Buffer => {
  const group = {
    groupState: 'Empty',
    protocolType: 'consumer',
    protocolData: '',
    members: [],
    authorizedOperations: 0,
  };
  return answerOf(describeGroups, 5, {
    groups: all.map(([groupId, errorCode]) => ({ errorCode, groupId, ...group })),
  });
};

/** OffsetFetch v7: the same offset of every partition. */
export const committedAnswer = (all: readonly number[], committedOffset: bigint, errorCode = 0): Buffer => {
  const partitions = all.map((partitionIndex) => ({ partitionIndex, committedOffset, metadata: '', errorCode: 0 }));
  return answerOf(offsetFetch, 7, { topics: [{ name: 'foo', partitions }], errorCode });
};

/** OffsetCommit v8. */
export const commitAnswer = (all: readonly Coded<number>[]): Buffer =>
  answerOf(offsetCommit, 8, { topics: [{ name: 'foo', partitions: codedPartitions(all) }] });

/** DeleteGroups v2. */
export const deletedGroupsAnswer = (all: readonly Coded<string>[]): Buffer =>
  answerOf(deleteGroups, 2, { results: all.map(([groupId, errorCode]) => ({ groupId, errorCode })) });

/** A script of a broker that answers all of these, and ApiVersions. */
export const operatorScript = (script: Script): Script => ({ ApiVersions: operatorVersions(), ...script });
