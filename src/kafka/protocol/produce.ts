import { type Api, adapted } from './api.ts';
import { noUuid, type Reader } from './codec.ts';
import { identifiedRows, type ToldTopic } from './partition-rows.ts';

/** A Produce request: at most one batch per partition. */
export interface ProduceRequest {
  /** When the broker answers: 0 never, 1 once the leader has the records, -1 once every in-sync replica has them. */
  readonly acks: -1 | 0 | 1;
  /** How long the broker may wait for its replicas, in milliseconds. */
  readonly timeoutMs: number;
  /** The records are not copied, so they must not change until the request ends. */
  readonly topics: readonly {
    readonly topic: string;
    /** The id of the topic, which replaces its name from version 13. */
    readonly topicId?: string | undefined;
    readonly partitions: readonly { readonly partition: number; readonly records: Buffer }[];
  }[];
}

/** The answer for one partition. */
export interface ProducedPartition extends ToldTopic {
  readonly partition: number;
  readonly errorCode: number;
  /** The broker's error text, if it sends one. */
  readonly errorMessage: string | undefined;
  /** The indexes of the refused records in the batch, with the reason if there is one. */
  readonly recordErrors: readonly { readonly index: number; readonly message: string | undefined }[];
  /** The offset of the batch's first record; -1 if the broker no longer knows it. */
  readonly baseOffset: bigint;
  /** The log append time in milliseconds; -1 if the topic uses the create time. */
  readonly logAppendTimeMs: bigint;
}

/** A Produce answer, flattened to partitions. */
export interface ProduceResponse {
  readonly partitions: readonly ProducedPartition[];
}

/** The first version that names topics by id: a topic that has taken the name of another one gets none of its records. */
const topicIdsFrom = 13;

/** Produce (key 0) without sequence numbers: must not be repeated after a lost answer. */
export const produce: Api<ProduceRequest, ProduceResponse> = adapted({
  name: 'Produce',
  key: 0,
  min: 3,
  max: topicIdsFrom,
  flexibleFrom: 9,
  target: 'leader',
  repeatable: false,
  timeoutMs: (request) => request.timeoutMs,
  expectsAnswer: (request) => request.acks !== 0,
  encode(writer, request, version) {
    writer.nullableString(undefined);
    writer.int16(request.acks);
    writer.int32(request.timeoutMs);
    writer.array(request.topics, (topic) => {
      if (version >= topicIdsFrom) writer.uuid(topic.topicId ?? noUuid);
      else writer.string(topic.topic);
      writer.array(topic.partitions, (partition) => {
        writer.int32(partition.partition);
        writer.lentBytes(partition.records);
        writer.tags();
      });
      writer.tags();
    });
    writer.tags();
  },
  decode(reader, version) {
    const partitions = identifiedRows(reader, version >= topicIdsFrom, (of) => decodePartition(reader, of, version));
    const throttleMs = reader.int32();
    reader.tags();
    return { partitions, throttleMs };
  },
});

/**
 * Produce with sequence numbers: the broker recognizes a batch that it already has (KIP-98), so it may be sent twice.
 */
export const idempotentProduce: Api<ProduceRequest, ProduceResponse> = { ...produce, repeatable: true };

/** The same API, for topics whose ids are not known. */
export function producedByName(api: Api<ProduceRequest, ProduceResponse>): Api<ProduceRequest, ProduceResponse> {
  return { ...api, max: topicIdsFrom - 1 };
}

/** Whether a version names topics by id. */
export function namesTopicsById(version: number): boolean {
  return version >= topicIdsFrom;
}

function decodePartition(reader: Reader, of: ToldTopic, version: number): ProducedPartition {
  const partition = reader.int32();
  const errorCode = reader.int16();
  const baseOffset = reader.int64();
  const logAppendTimeMs = reader.int64();
  if (version >= 5) reader.int64();
  const recordErrors = version >= 8 ? reader.array(() => decodeRecordError(reader)) : [];
  const errorMessage = version >= 8 ? reader.nullableString() : undefined;
  reader.tags();
  return { ...of, partition, errorCode, errorMessage, recordErrors, baseOffset, logAppendTimeMs };
}

function decodeRecordError(reader: Reader): { index: number; message: string | undefined } {
  const index = reader.int32();
  const message = reader.nullableString();
  reader.tags();
  return { index, message };
}
