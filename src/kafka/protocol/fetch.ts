import type { Api } from './api.ts';
import type { Reader, Writer } from './codec.ts';
import { partitionRows } from './partition-rows.ts';

/** What is asked of one partition. */
export interface FetchPartitionRequest {
  readonly partition: number;
  /** -1 when unknown; otherwise the broker refuses with FENCED or UNKNOWN_LEADER_EPOCH when it knows better. */
  readonly leaderEpoch: number;
  readonly offset: bigint;
  /** The broker sends at least the first batch, even when it is larger. */
  readonly maxBytes: number;
}

/** Where a request stands in a fetch session (KIP-227). */
export interface FetchSessionState {
  /** As the broker gave it; 0 for none. */
  readonly id: number;
  /** 0 opens a session and closes the one of `id`; -1 is outside of any session; others count its requests. */
  readonly epoch: number;
}

/** A Fetch request. Inside a session, it names only what has changed since the request before. */
export interface FetchRequest {
  /** How long the broker may wait for `minBytes`, in milliseconds. */
  readonly maxWaitMs: number;
  readonly minBytes: number;
  readonly maxBytes: number;
  /** Aborted transactions are listed, and records end at the last stable offset. */
  readonly readCommitted: boolean;
  /** Lets the broker name a nearer replica; '' for none. */
  readonly rack: string;
  /** None by default: the request names every partition. */
  readonly session?: FetchSessionState;
  readonly topics: readonly { readonly topic: string; readonly partitions: readonly FetchPartitionRequest[] }[];
  /** Partitions that leave the session. */
  readonly forgotten?: readonly { readonly topic: string; readonly partitions: readonly number[] }[];
}

/** The transactions whose records a committed read leaves out. */
export interface AbortedTransaction {
  readonly producerId: bigint;
  readonly firstOffset: bigint;
}

/** What one partition answered. */
export interface FetchedPartition {
  readonly topic: string;
  readonly partition: number;
  readonly errorCode: number;
  readonly highWatermark: bigint;
  readonly lastStableOffset: bigint;
  readonly logStartOffset: bigint;
  readonly abortedTransactions: readonly AbortedTransaction[];
  /** The replica to read from instead; -1 for none. */
  readonly preferredReadReplica: number;
  /** Record batches as they came: a view into the answer; the last one may be cut short. */
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
/** For a request outside of any session. */
export const noSession: FetchSessionState = { id: 0, epoch: -1 };
const nothing = Buffer.alloc(0);

/** Fetch (key 1), KIP-227 sessions, KIP-320 epochs, KIP-392 follower reads. Versions from 13 on name topics by id and are not spoken. */
export const fetch: Api<FetchRequest, FetchResponse> = {
  name: 'Fetch',
  key: 1,
  min: 4,
  max: 12,
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
      writer.string(topic.topic);
      writer.array(topic.partitions, (partition) => encodePartition(writer, partition, version));
      writer.tags();
    });
    if (version >= 7) {
      writer.array(request.forgotten ?? [], (topic) => {
        writer.string(topic.topic);
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
    const partitions = partitionRows(reader, (topic) => decodePartition(reader, topic, version));
    reader.tags();
    return { throttleMs, errorCode, sessionId, partitions };
  },
};

function encodePartition(writer: Writer, partition: FetchPartitionRequest, version: number): void {
  writer.int32(partition.partition);
  if (version >= 9) writer.int32(partition.leaderEpoch);
  writer.int64(partition.offset);
  // Version 12 could name the epoch of the last record read, to have truncation told in the answer.
  if (version >= 12) writer.int32(-1);
  if (version >= 5) writer.int64(-1n);
  writer.int32(partition.maxBytes);
  writer.tags();
}

function decodePartition(reader: Reader, topic: string, version: number): FetchedPartition {
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
    topic,
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
