import { createWriter, type Writer } from '../../src/kafka/protocol/codec.ts';

/** The APIs that a scripted broker announces: name, key, the supported version, the first flexible version. */
const spoken = [
  ['Produce', 0, 8, 9],
  ['Fetch', 1, 11, 12],
  ['ListOffsets', 2, 5, 6],
  ['Metadata', 3, 9, 9],
  ['OffsetCommit', 8, 8, 8],
  ['OffsetFetch', 9, 7, 6],
  ['FindCoordinator', 10, 4, 3],
  ['JoinGroup', 11, 5, 6],
  ['Heartbeat', 12, 4, 4],
  ['LeaveGroup', 13, 4, 4],
  ['SyncGroup', 14, 5, 4],
  ['SaslHandshake', 17, 1, 99],
  ['ApiVersions', 18, 4, 3],
  ['CreateTopics', 19, 5, 5],
  ['DeleteTopics', 20, 4, 4],
  ['InitProducerId', 22, 4, 2],
  ['OffsetForLeaderEpoch', 23, 3, 4],
  ['DescribeAcls', 29, 3, 2],
  ['CreateAcls', 30, 3, 2],
  ['DeleteAcls', 31, 3, 2],
  ['DescribeLogDirs', 35, 4, 2],
  ['SaslAuthenticate', 36, 1, 2],
  ['DescribeUserScramCredentials', 50, 0, 0],
  ['AlterUserScramCredentials', 51, 0, 0],
  ['DescribeProducers', 61, 0, 0],
] as const;

/** More APIs, which only `changed` announces: name, key, the first flexible version. */
const known = [
  ['DescribeGroups', 15, 5],
  ['ListGroups', 16, 3],
  ['DeleteRecords', 21, 2],
  ['WriteTxnMarkers', 27, 1],
  ['DescribeConfigs', 32, 4],
  ['CreatePartitions', 37, 2],
  ['DeleteGroups', 42, 2],
  ['ElectLeaders', 43, 2],
  ['IncrementalAlterConfigs', 44, 1],
  ['AlterPartitionReassignments', 45, 0],
  ['ListPartitionReassignments', 46, 0],
  ['OffsetDelete', 47, 99],
  ['DescribeClientQuotas', 48, 1],
  ['AlterClientQuotas', 49, 1],
  ['ListTransactions', 66, 0],
] as const;

const named = [...spoken.map(([name, key, , first]) => [name, key, first] as const), ...known];

/** API names by key. */
export const apiNames: ReadonlyMap<number, string> = new Map(named.map(([name, key]) => [key, name]));

/** The first flexible version by API name. */
export const flexibleFrom: ReadonlyMap<string, number> = new Map(named.map(([name, , first]) => [name, first]));

/** An API and its announced versions. */
export type AnnouncedRange = readonly [key: number, min: number, max: number];

/**
 * Builds an ApiVersions response of v3 or (not flexible) v1. APIs not in `changed` get the version in the table; a
 * negative maximum leaves an API out.
 */
export function versionsAnswer(changed: readonly AnnouncedRange[] = [], flexible = true): Buffer {
  const ranges = new Map(spoken.map(([, key, version]) => [key as number, [key, version, version] as AnnouncedRange]));
  ranges.set(18, [18, 0, 4]);
  for (const range of changed) ranges.set(range[0], range);
  return written(flexible, (writer) => {
    writer.int16(0);
    writer.array(
      [...ranges.values()].filter(([, , max]) => max >= 0),
      ([key, min, max]) => {
        writer.int16(key);
        writer.int16(min);
        writer.int16(max);
        writer.tags();
      },
    );
    writer.int32(0); // throttle
    writer.tags();
  });
}

/** Builds the version 0 response of a broker that only supports ApiVersions up to `max`. */
export function oldVersionsAnswer(max: number): Buffer {
  return written(false, (writer) => {
    writer.int16(35);
    writer.array([18], (key) => {
      writer.int16(key);
      writer.int16(0);
      writer.int16(max);
    });
  });
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
  return written(true, (writer) => {
    writer.int32(throttleMs);
    writer.array(brokers, (broker) => {
      writer.int32(broker.id);
      writer.string(broker.host);
      writer.int32(broker.port);
      writer.nullableString(undefined);
      writer.tags();
    });
    writer.nullableString('clusterId' in rest ? rest.clusterId : 'scripted');
    writer.int32(controller);
    writer.array([], () => undefined);
    writer.int32(0);
    writer.tags();
  });
}

/** Builds a FindCoordinator v4 response for one key. */
export function coordinatorAnswer(
  key: string,
  node: { id: number; host: string; port: number },
  errorCode = 0,
): Buffer {
  return written(true, (writer) => {
    writer.int32(0);
    writer.array([node], (broker) => {
      writer.string(key);
      writer.int32(broker.id);
      writer.string(broker.host);
      writer.int32(broker.port);
      writer.int16(errorCode);
      writer.nullableString(undefined);
      writer.tags();
    });
    writer.tags();
  });
}

/** Builds a Heartbeat v4 response. */
export function heartbeatAnswer(errorCode: number): Buffer {
  return written(true, (writer) => {
    writer.int32(0);
    writer.int16(errorCode);
    writer.tags();
  });
}

/** Builds a CreateTopics v5 response for one topic. */
export function createTopicsAnswer(name: string, errorCode: number): Buffer {
  return written(true, (writer) => {
    writer.int32(0);
    writer.array([name], (topic) => {
      writer.string(topic);
      writer.int16(errorCode);
      writer.nullableString(undefined);
      writer.int32(1);
      writer.int16(1);
      writer.nullableArray(undefined, () => undefined);
      writer.tags();
    });
    writer.tags();
  });
}

/** Builds a DeleteTopics v4 response for one topic. */
export function deleteTopicsAnswer(name: string, errorCode: number): Buffer {
  return written(true, (writer) => {
    writer.int32(0);
    writer.array([name], (topic) => {
      writer.string(topic);
      writer.int16(errorCode);
      writer.nullableString(undefined);
      writer.tags();
    });
    writer.tags();
  });
}

/** Builds a SaslHandshake v1 response. */
export function handshakeAnswer(errorCode: number, mechanisms: readonly string[]): Buffer {
  return written(false, (writer) => {
    writer.int16(errorCode);
    writer.array(mechanisms, writer.string);
  });
}

/** Builds a SaslAuthenticate v1 response. */
export function authenticateAnswer(
  errorCode: number,
  errorMessage: string | undefined,
  lifetimeMs = 0n,
  authBytes = Buffer.alloc(0),
): Buffer {
  return written(false, (writer) => {
    writer.int16(errorCode);
    writer.nullableString(errorMessage);
    writer.bytes(authBytes);
    writer.int64(lifetimeMs);
  });
}

function written(flexible: boolean, write: (writer: Writer) => void): Buffer {
  const writer = createWriter(flexible);
  write(writer);
  return Buffer.from(writer.finish());
}
