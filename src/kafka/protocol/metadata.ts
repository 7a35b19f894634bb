import { type Api, adapted } from './api.ts';
import { noUuid, type Reader } from './codec.ts';

/** The topics to describe; undefined for all. */
export interface MetadataRequest {
  readonly topics: readonly string[] | undefined;
  /** Whether the broker may create topics that do not exist, if its own config allows that too. */
  readonly createMissing?: boolean;
}

/** One broker and the listener that it announces to the client. */
export interface MetadataBroker {
  readonly id: number;
  readonly host: string;
  readonly port: number;
  readonly rack: string | undefined;
}

/** One partition; `leader` is -1 if there is none, `leaderEpoch` is -1 if the broker does not report it. */
export interface MetadataPartition {
  readonly errorCode: number;
  readonly partition: number;
  readonly leader: number;
  readonly leaderEpoch: number;
  readonly replicas: readonly number[];
  readonly isr: readonly number[];
  readonly offlineReplicas: readonly number[];
}

/** One topic; `id` is `noUuid` before version 10. */
export interface MetadataTopic {
  readonly errorCode: number;
  readonly name: string;
  readonly id: string;
  readonly internal: boolean;
  readonly partitions: readonly MetadataPartition[];
}

/** The cluster as one broker knows it; `controllerId` is -1 if there is no controller. */
export interface MetadataResponse {
  readonly errorCode: number;
  readonly brokers: readonly MetadataBroker[];
  readonly clusterId: string | undefined;
  readonly controllerId: number;
  readonly topics: readonly MetadataTopic[];
}

/**
 * Metadata v5–13: brokers, controller, and topics with their partitions. Creates topics only if `createMissing` is set.
 */
export const metadata: Api<MetadataRequest, MetadataResponse> = adapted({
  name: 'Metadata',
  key: 3,
  min: 5,
  max: 13,
  flexibleFrom: 9,
  target: 'any',
  repeatable: true,
  encode(writer, request, version) {
    writer.nullableArray(request.topics, (name) => {
      if (version >= 10) writer.uuid(noUuid);
      if (version >= 10) writer.nullableString(name);
      else writer.string(name);
      writer.tags();
    });
    writer.boolean(request.createMissing ?? false); // allow_auto_topic_creation
    if (version >= 8 && version <= 10) writer.boolean(false); // include_cluster_authorized_operations
    if (version >= 8) writer.boolean(false); // include_topic_authorized_operations
    writer.tags();
  },
  decode(reader, version) {
    const throttleMs = reader.int32();
    const brokers = reader.array(() => readBroker(reader));
    const clusterId = reader.nullableString();
    const controllerId = reader.int32();
    const topics = reader.array(() => readTopic(reader, version));
    if (version >= 8 && version <= 10) reader.int32(); // cluster_authorized_operations
    const errorCode = version >= 13 ? reader.int16() : 0;
    reader.tags();
    return { throttleMs, errorCode, brokers, clusterId, controllerId, topics };
  },
  errorCode: (response) => response.errorCode,
});

function readBroker(reader: Reader): MetadataBroker {
  const broker = { id: reader.int32(), host: reader.string(), port: reader.int32(), rack: reader.nullableString() };
  reader.tags();
  return broker;
}

function readTopic(reader: Reader, version: number): MetadataTopic {
  const errorCode = reader.int16();
  const name = (version >= 12 ? reader.nullableString() : reader.string()) ?? '';
  const id = version >= 10 ? reader.uuid() : noUuid;
  const internal = reader.boolean();
  const partitions = reader.array(() => readPartition(reader, version));
  if (version >= 8) reader.int32(); // topic_authorized_operations
  reader.tags();
  return { errorCode, name, id, internal, partitions };
}

function readPartition(reader: Reader, version: number): MetadataPartition {
  const partition = {
    errorCode: reader.int16(),
    partition: reader.int32(),
    leader: reader.int32(),
    leaderEpoch: version >= 7 ? reader.int32() : -1,
    replicas: reader.int32s(),
    isr: reader.int32s(),
    offlineReplicas: reader.int32s(),
  };
  reader.tags();
  return partition;
}
