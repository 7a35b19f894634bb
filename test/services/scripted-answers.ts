import type { Layout } from '../../src/kafka/protocol/wire/api.ts';
import { alterUserScramCredentials } from '../../src/kafka/protocol/wire/apis/alter-user-scram-credentials.ts';
import { apiVersions } from '../../src/kafka/protocol/wire/apis/api-versions.ts';
import { createAcls } from '../../src/kafka/protocol/wire/apis/create-acls.ts';
import { createTopics } from '../../src/kafka/protocol/wire/apis/create-topics.ts';
import { deleteAcls } from '../../src/kafka/protocol/wire/apis/delete-acls.ts';
import { deleteTopics } from '../../src/kafka/protocol/wire/apis/delete-topics.ts';
import { describeAcls } from '../../src/kafka/protocol/wire/apis/describe-acls.ts';
import { describeLogDirs } from '../../src/kafka/protocol/wire/apis/describe-log-dirs.ts';
import { describeProducers } from '../../src/kafka/protocol/wire/apis/describe-producers.ts';
import { describeUserScramCredentials } from '../../src/kafka/protocol/wire/apis/describe-user-scram-credentials.ts';
import { fetch } from '../../src/kafka/protocol/wire/apis/fetch.ts';
import { findCoordinator } from '../../src/kafka/protocol/wire/apis/find-coordinator.ts';
import { heartbeat } from '../../src/kafka/protocol/wire/apis/heartbeat.ts';
import { initProducerId } from '../../src/kafka/protocol/wire/apis/init-producer-id.ts';
import { joinGroup } from '../../src/kafka/protocol/wire/apis/join-group.ts';
import { leaveGroup } from '../../src/kafka/protocol/wire/apis/leave-group.ts';
import { listOffsets } from '../../src/kafka/protocol/wire/apis/list-offsets.ts';
import { metadata } from '../../src/kafka/protocol/wire/apis/metadata.ts';
import { offsetCommit } from '../../src/kafka/protocol/wire/apis/offset-commit.ts';
import { offsetFetch } from '../../src/kafka/protocol/wire/apis/offset-fetch.ts';
import { offsetForLeaderEpoch } from '../../src/kafka/protocol/wire/apis/offset-for-leader-epoch.ts';
import { produce } from '../../src/kafka/protocol/wire/apis/produce.ts';
import { saslAuthenticate } from '../../src/kafka/protocol/wire/apis/sasl-authenticate.ts';
import { saslHandshake } from '../../src/kafka/protocol/wire/apis/sasl-handshake.ts';
import { syncGroup } from '../../src/kafka/protocol/wire/apis/sync-group.ts';
import { answerOf } from './answer.ts';

/** The APIs that a scripted broker announces, each in one version. */
const spoken: readonly (readonly [api: Pick<Layout, 'key'>, version: number])[] = [
  [produce, 8],
  [fetch, 11],
  [listOffsets, 5],
  [metadata, 9],
  [offsetCommit, 8],
  [offsetFetch, 7],
  [findCoordinator, 4],
  [joinGroup, 5],
  [heartbeat, 4],
  [leaveGroup, 4],
  [syncGroup, 5],
  [saslHandshake, 1],
  [apiVersions, 4],
  [createTopics, 5],
  [deleteTopics, 4],
  [initProducerId, 4],
  [offsetForLeaderEpoch, 3],
  [describeAcls, 3],
  [createAcls, 3],
  [deleteAcls, 3],
  [describeLogDirs, 4],
  [saslAuthenticate, 1],
  [describeUserScramCredentials, 0],
  [alterUserScramCredentials, 0],
  [describeProducers, 0],
];

/** An API and its announced versions. */
export type AnnouncedRange = readonly [key: number, min: number, max: number];

/**
 * Builds an ApiVersions response of v3 or (not flexible) v1. APIs not in `changed` get the version in the table; a
 * negative maximum leaves an API out.
 */
export function versionsAnswer(changed: readonly AnnouncedRange[] = [], flexible = true): Buffer {
  const ranges = new Map(spoken.map(([{ key }, version]) => [key, [key, version, version] as AnnouncedRange]));
  ranges.set(apiVersions.key, [apiVersions.key, 0, 4]);
  for (const range of changed) ranges.set(range[0], range);
  const apiKeys = [...ranges.values()]
    .filter(([, , max]) => max >= 0)
    .map(([apiKey, minVersion, maxVersion]) => ({ apiKey, minVersion, maxVersion }));
  return answerOf(apiVersions, flexible ? 3 : 1, { errorCode: 0, apiKeys });
}

/** Builds the version 0 response of a broker that only supports ApiVersions up to `maxVersion`. */
export function oldVersionsAnswer(maxVersion: number): Buffer {
  return answerOf(apiVersions, 0, { errorCode: 35, apiKeys: [{ apiKey: apiVersions.key, minVersion: 0, maxVersion }] });
}

/** A cluster as described by a scripted broker. */
export interface ScriptedCluster {
  readonly brokers: readonly { readonly id: number; readonly host: string; readonly port: number }[];
  readonly controller?: number;
  readonly throttleMs?: number;
  readonly clusterId?: string | undefined;
}

/** Builds a Metadata v9 response without topics. */
export function metadataAnswer({
  brokers,
  controller = brokers[0]?.id ?? -1,
  throttleMs = 0,
  ...rest
}: ScriptedCluster): Buffer {
  return answerOf(metadata, 9, {
    throttleTimeMs: throttleMs,
    brokers: brokers.map(({ id, host, port }) => ({ nodeId: id, host, port })),
    clusterId: 'clusterId' in rest ? rest.clusterId : 'scripted',
    controllerId: controller,
    topics: [],
  });
}

/** Builds a FindCoordinator v4 response for one key. */
export function coordinatorAnswer(
  key: string,
  { id, host, port }: { id: number; host: string; port: number },
  errorCode = 0,
): Buffer {
  return answerOf(findCoordinator, 4, { coordinators: [{ key, nodeId: id, host, port, errorCode }] });
}

/** Builds a Heartbeat v4 response. */
export function heartbeatAnswer(errorCode: number): Buffer {
  return answerOf(heartbeat, 4, { errorCode });
}

/** Builds a CreateTopics v5 response for one topic. */
export function createTopicsAnswer(name: string, errorCode: number): Buffer {
  return answerOf(createTopics, 5, { topics: [{ name, errorCode, numPartitions: 1, replicationFactor: 1 }] });
}

/** Builds a DeleteTopics v4 response for one topic. */
export function deleteTopicsAnswer(name: string, errorCode: number): Buffer {
  return answerOf(deleteTopics, 4, { responses: [{ name, errorCode }] });
}

/** Builds a SaslHandshake v1 response. */
export function handshakeAnswer(errorCode: number, mechanisms: readonly string[]): Buffer {
  return answerOf(saslHandshake, 1, { errorCode, mechanisms });
}

/** Builds a SaslAuthenticate v1 response. */
export function authenticateAnswer(
  errorCode: number,
  errorMessage: string | undefined,
  sessionLifetimeMs = 0n,
  authBytes = Buffer.alloc(0),
): Buffer {
  return answerOf(saslAuthenticate, 1, { errorCode, errorMessage, authBytes, sessionLifetimeMs });
}
