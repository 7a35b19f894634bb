import { codes } from '../../../kafka/protocol/wire/error-codes.ts';
import type { Cluster, Topic } from '../cluster-parts.ts';
import { type Batch, batchLayout, batchOverhead, isIntact, readBatch } from '../log/batch.ts';
import { type PlainRecord, readRecords } from '../log/records.ts';
import { configOf } from '../topic-configs.ts';

/** The reason for refusing records. */
export interface Refusal {
  readonly code: number;
  readonly message?: string | undefined;
  /** Set when the log was consulted. */
  readonly logStartOffset?: number;
  /** True when the transaction check failed before the log was consulted. */
  readonly isUnread?: boolean;
  readonly records?: readonly { readonly batchIndex: number; readonly batchIndexErrorMessage: string }[];
}

const zstd = 4;

/** Checks that records are exactly one batch of format 2, as every Produce request requires. */
export function checkForm(records: Buffer | undefined, version: number): Refusal | undefined {
  if (records === undefined || records.length < batchLayout.records) {
    return invalid('Produce requests with version 3 or higher must have a record batch');
  }
  if (records[batchLayout.magic] !== 2) return invalid('Produce requests must carry record batches of format 2');
  if (records.readInt32BE(batchLayout.length) + batchOverhead !== records.length) {
    return invalid('Produce requests must carry exactly one record batch for a partition');
  }
  if (version < 7 && readBatch(records).compression === zstd) {
    return { code: codes.UNSUPPORTED_COMPRESSION_TYPE, message: 'zstd needs Produce version 7 or higher' };
  }
  return undefined;
}

/** Checks the size, checksum, header and records of a batch against its topic. */
export function checkBatch(cluster: Cluster, topic: Topic, bytes: Buffer): Refusal | undefined {
  if (bytes.length > Number(configOf(cluster, topic, 'max.message.bytes'))) return { code: codes.MESSAGE_TOO_LARGE };
  if (!isIntact(bytes)) return { code: codes.CORRUPT_MESSAGE };
  const batch = readBatch(bytes);
  const wrong = wrongHeader(batch);
  if (wrong !== undefined) return invalid(wrong);
  let records: readonly PlainRecord[];
  try {
    records = readRecords(batch);
  } catch (error) {
    return invalid(error instanceof Error ? error.message : String(error));
  }
  return checkRecords(cluster, topic, records);
}

function wrongHeader(batch: Batch): string | undefined {
  if (batch.isControl) return 'clients may not write control batches';
  if (batch.baseOffset !== 0) return `the base offset of the batch is ${batch.baseOffset} instead of 0`;
  if (batch.count <= 0 || batch.lastOffset - batch.baseOffset + 1 !== batch.count) {
    return 'the batch has another number of records than its header says';
  }
  if (batch.producerId >= 0 && batch.baseSequence < 0) return 'the batch of an idempotent producer has no sequence';
  return undefined;
}

function checkRecords(cluster: Cluster, topic: Topic, records: readonly PlainRecord[]): Refusal | undefined {
  const needsKey = cluster.flavour.checksKeys && configOf(cluster, topic, 'cleanup.policy').includes('compact');
  const keyless = needsKey ? records.flatMap(({ key }, index) => (key === undefined ? [index] : [])) : [];
  if (keyless.length > 0) {
    return refuse(
      codes.INVALID_RECORD,
      keyless,
      'Compacted topic cannot accept message without key in topic partition',
    );
  }
  if (configOf(cluster, topic, 'message.timestamp.type') === 'LogAppendTime') return undefined;
  const now = BigInt(cluster.clock.wallTime());
  const earliest = now - BigInt(configOf(cluster, topic, 'message.timestamp.before.max.ms'));
  const latest = now + BigInt(configOf(cluster, topic, 'message.timestamp.after.max.ms'));
  const outside = records.flatMap(({ timestamp }, index) =>
    timestamp !== -1n && (timestamp < earliest || timestamp > latest) ? [index] : [],
  );
  if (outside.length === 0) return undefined;
  return refuse(codes.INVALID_TIMESTAMP, outside, 'Timestamp is out of range');
}

function refuse(code: number, indexes: readonly number[], message: string): Refusal {
  const records = indexes.map((batchIndex) => ({ batchIndex, batchIndexErrorMessage: message }));
  return { code, message, records };
}

function invalid(message: string): Refusal {
  return { code: codes.INVALID_RECORD, message };
}
