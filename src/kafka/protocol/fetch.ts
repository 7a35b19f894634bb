import { type Api, adapted } from './api.ts';
import { noUuid, type Reader, type Writer } from './codec.ts';
import { identifiedRows, type ToldTopic } from './partition-rows.ts';

/** The part of a request for one partition. */
export interface FetchPartitionRequest {
  readonly partition: number;
  /**
   * The current leader epoch, or -1 if unknown. The broker refuses an epoch other than its own with FENCED_LEADER_EPOCH
   * or UNKNOWN_LEADER_EPOCH.
   */
  readonly leaderEpoch: number;
  readonly offset: bigint;
  /** The broker sends at least the first batch, even if it is larger. */
  readonly maxBytes: number;
}

/** The position of a request in a fetch session (KIP-227). */
export interface FetchSessionState {
  /** The id given by the broker; 0 for none. */
  readonly id: number;
  /**
   * 0 opens a session and closes the one of `id`; -1 is outside any session; other values count the requests of the
   * session.
   */
  readonly epoch: number;
}

/** A topic in a request, which must have an id from version 13. */
export interface FetchTopic {
  readonly topic: string;
  readonly topicId?: string | undefined;
}

/** A Fetch request. Within a session it names only what has changed since the previous request. */
export interface FetchRequest {
  /** How long the broker may wait for `minBytes`, in milliseconds. */
  readonly maxWaitMs: number;
  readonly minBytes: number;
  readonly maxBytes: number;
  /** Whether to list aborted transactions and to end at the last stable offset. */
  readonly readCommitted: boolean;
  /** The client's rack, by which the broker may name a nearer replica; '' for none. */
  readonly rack: string;
  /** The fetch session; by default there is none and the request names every partition. */
  readonly session?: FetchSessionState;
  readonly topics: readonly (FetchTopic & { readonly partitions: readonly FetchPartitionRequest[] })[];
  /** Partitions to remove from the session. */
  readonly forgotten?: readonly (FetchTopic & { readonly partitions: readonly number[] })[];
}

/** A transaction whose records a committed read leaves out. */
export interface AbortedTransaction {
  readonly producerId: bigint;
  readonly firstOffset: bigint;
}

/** The answer for one partition. */
export interface FetchedPartition extends ToldTopic {
  readonly partition: number;
  readonly errorCode: number;
  readonly highWatermark: bigint;
  readonly lastStableOffset: bigint;
  readonly logStartOffset: bigint;
  readonly abortedTransactions: readonly AbortedTransaction[];
  /** The replica to read from instead; -1 for none. */
  readonly preferredReadReplica: number;
  /** The record batches as received, as a view into the answer; the last one may be cut off. */
  readonly records: Buffer;
}

/** A Fetch answer, flattened to partitions. */
export interface FetchResponse {
  readonly throttleMs: number;
  readonly errorCode: number;
  /** The session that the next request may continue; 0 for none. */
  readonly sessionId: number;
  readonly partitions: readonly FetchedPartition[];
}

const consumerReplica = -1;
/** The session state of a request outside any session. */
export const noSession: FetchSessionState = { id: 0, epoch: -1 };
const nothing = Buffer.alloc(0);

/** The first version that names topics by id. */
const topicIdsFrom = 13;

/**
 * Fetch (key 1), with sessions (KIP-227), epochs (KIP-320), follower reads (KIP-392) and topic ids (KIP-516): a topic
 * that has taken the name of another one is not read in its place.
 */
export const fetch: Api<FetchRequest, FetchResponse> = adapted({
  name: 'Fetch',
  key: 1,
  min: 4,
  max: topicIdsFrom,
  flexibleFrom: 12,
  target: 'leader',
  repeatable: true,
  timeoutMs: (request) => request.maxWaitMs,
  errorCode: (response) => response.errorCode,
  encode(writer, request, version) {
    writer.int32(consumerReplica);
    writer.int32(request.maxWaitMs);
    writer.int32(request.minBytes);
    writer.int32(request.maxBytes);
    writer.int8(request.readCommitted ? 1 : 0);
    if (version >= 7) {
      const { id, epoch } = request.session ?? noSession;
      writer.int32(id);
      writer.int32(epoch);
    }
    writer.array(request.topics, (topic) => {
      encodeTopic(writer, topic, version);
      writer.array(topic.partitions, (partition) => encodePartition(writer, partition, version));
      writer.tags();
    });
    if (version >= 7) {
      writer.array(request.forgotten ?? [], (topic) => {
        encodeTopic(writer, topic, version);
        writer.array(topic.partitions, writer.int32);
        writer.tags();
      });
    }
    if (version >= 11) writer.string(request.rack);
    writer.tags();
  },
  decode(reader, version) {
    const throttleMs = reader.int32();
    const errorCode = version >= 7 ? reader.int16() : 0;
    const sessionId = version >= 7 ? reader.int32() : 0;
    const partitions = identifiedRows(reader, version >= topicIdsFrom, (of) => decodePartition(reader, of, version));
    reader.tags();
    return { throttleMs, errorCode, sessionId, partitions };
  },
});

/** Fetch for topics whose ids are not known. */
export const fetchByName: Api<FetchRequest, FetchResponse> = { ...fetch, max: topicIdsFrom - 1 };

function encodeTopic(writer: Writer, { topic, topicId = noUuid }: FetchTopic, version: number): void {
  if (version >= topicIdsFrom) writer.uuid(topicId);
  else writer.string(topic);
}

function encodePartition(writer: Writer, partition: FetchPartitionRequest, version: number): void {
  writer.int32(partition.partition);
  if (version >= 9) writer.int32(partition.leaderEpoch);
  writer.int64(partition.offset);
  // last_fetched_epoch: with an epoch here, version 12 would report truncation in the answer.
  if (version >= 12) writer.int32(-1);
  if (version >= 5) writer.int64(-1n);
  writer.int32(partition.maxBytes);
  writer.tags();
}

function decodePartition(reader: Reader, of: ToldTopic, version: number): FetchedPartition {
  const partition = reader.int32();
  const errorCode = reader.int16();
  const highWatermark = reader.int64();
  const lastStableOffset = reader.int64();
  const logStartOffset = version >= 5 ? reader.int64() : -1n;
  const abortedTransactions = reader.array(() => {
    const aborted = { producerId: reader.int64(), firstOffset: reader.int64() };
    reader.tags();
    return aborted;
  });
  const preferredReadReplica = version >= 11 ? reader.int32() : -1;
  const records = reader.nullableBytes() ?? nothing;
  reader.tags();
  return {
    ...of,
    partition,
    errorCode,
    highWatermark,
    lastStableOffset,
    logStartOffset,
    abortedTransactions,
    preferredReadReplica,
    records,
  };
}
