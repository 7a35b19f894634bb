import { itemError } from '../../../shape/item-error.ts';
import { listOf, maybe, measure, type RowOf, row, string, truth, whole, word } from '../../../shape/shape.ts';
import type { OffsetRange } from '../../streams/consume/offset-words.ts';

/** A call to analyze a sample of the records of topics. */
export interface AnalyzeCall {
  readonly topics: readonly string[];
  /** The sample, in every partition; it has an end. */
  readonly range: OffsetRange;
  /** The most records of a topic that are read. */
  readonly limit: number;
  /** How many of the most frequent keys to return. */
  readonly topKeys: number;
  /** Milliseconds since the epoch, where a range that ends at the log end ends. */
  readonly nowMs: number;
  warn(line: string): void;
}

/** The sizes of keys and values in bytes. Percentiles are at most five percent too high. */
const RecordSizes = row({ average: whole, p50: whole, p75: whole, p99: whole, max: whole });
export type RecordSizes = RowOf<typeof RecordSizes>;

/** A frequent key. */
const FrequentKey = row({
  /** Text, or base64 if the key is not UTF-8. */
  key: string,
  key_encoding: word('text', 'base64'),
  /** Whether `key` is only the beginning of a long key. */
  is_truncated: truth,
  records: whole,
  /** The share of the sampled records, from 0 to 1. */
  share: measure,
});
export type FrequentKey = RowOf<typeof FrequentKey>;

/** The keys of the sample. */
const KeySpread = row({
  without_key: whole,
  distinct: whole,
  /**
   * Whether there were too many keys to count all of them: `distinct` is about two percent exact, and the records of a
   * key in `top` may be too low by up to `missed`.
   */
  is_estimate: truth,
  missed: whole,
  /** The most frequent keys first. */
  top: listOf(FrequentKey),
});
export type KeySpread = RowOf<typeof KeySpread>;

/** The sample of one partition, or of all; a rate is null if the time of the sample is not known. */
const sample = {
  records: whole,
  /** Bytes of keys and values, before compression. */
  bytes: whole,
  records_per_second: maybe(measure),
  bytes_per_second: maybe(measure),
  batches: whole,
  /** Bytes of the batches as they are stored. */
  batch_bytes: whole,
};

const PartitionSample = row({ partition: whole, ...sample });
export type PartitionSample = RowOf<typeof PartitionSample>;

/** The sample of one partition, or of all. */
export type SampleRow = Omit<PartitionSample, 'partition'>;

/** The analysis of one topic; the counts are 0 if it cannot be read. */
export const TopicAnalysis = row({
  topic: string,
  partitions: whole,
  ...sample,
  /** Whether the sample ended at the limit of records. */
  is_cut: truth,
  /** Null without records. */
  record_size: maybe(RecordSizes),
  tombstones: whole,
  keys: KeySpread,
  partition_list: listOf(PartitionSample),
  error: itemError,
});
export type TopicAnalysis = RowOf<typeof TopicAnalysis>;
