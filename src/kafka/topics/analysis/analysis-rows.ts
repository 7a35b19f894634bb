import type { ItemError } from '../../../errors.ts';
import type { OffsetRange } from '../../consume/offset-range.ts';

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
export interface RecordSizes {
  readonly average: number;
  readonly p50: number;
  readonly p75: number;
  readonly p99: number;
  readonly max: number;
}

/** A frequent key. */
export interface KeyRow {
  /** Text, or base64 if the key is not UTF-8. */
  readonly key: string;
  readonly key_encoding: 'text' | 'base64';
  /** Whether `key` is only the beginning of a long key. */
  readonly is_truncated: boolean;
  readonly records: number;
  /** The share of the sampled records, from 0 to 1. */
  readonly share: number;
}

/** The keys of the sample. */
export interface KeySpread {
  readonly without_key: number;
  readonly distinct: number;
  /**
   * Whether there were too many keys to count all of them: `distinct` is about two percent exact, and the records of a
   * key in `top` may be too low by up to `missed`.
   */
  readonly is_estimate: boolean;
  readonly missed: number;
  /** The most frequent keys first. */
  readonly top: readonly KeyRow[];
}

/** The sample of one partition, or of all; a rate is null if the time of the sample is not known. */
export interface SampleRow {
  readonly records: number;
  /** Bytes of keys and values, before compression. */
  readonly bytes: number;
  readonly records_per_second: number | null;
  readonly bytes_per_second: number | null;
}

/** The sample of one partition. */
export interface PartitionSampleRow extends SampleRow {
  readonly partition: number;
  readonly batches: number;
  /** Bytes of the batches as they are stored. */
  readonly batch_bytes: number;
}

/** The analysis of one topic; the counts are 0 if it cannot be read. */
export interface AnalysisRow extends SampleRow {
  readonly topic: string;
  readonly partitions: number;
  /** Whether the sample ended at the limit of records. */
  readonly is_cut: boolean;
  readonly batches: number;
  readonly batch_bytes: number;
  /** Null without records. */
  readonly record_size: RecordSizes | null;
  readonly tombstones: number;
  readonly keys: KeySpread;
  readonly partition_list: readonly PartitionSampleRow[];
  readonly error: ItemError | null;
}

/** The calls that analyze topics. */
export interface AnalysisCalls {
  /** Reads a sample of each topic, one after the other; returns rows in the order of the call. */
  analyzeTopics(call: AnalyzeCall): Promise<AnalysisRow[]>;
}
