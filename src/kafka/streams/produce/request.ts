import type { CliError } from '../../../errors.ts';
import type { RecordHeader } from '../../records/batches/batch-records.ts';
import type { Compression } from '../../records/batches/compression/compressions.ts';
import type { RecordEncoding } from '../../records/language/encoding.ts';
import type { CompiledFormat } from '../../records/language/format.ts';
import type { CompiledParser } from '../../records/language/parse.ts';
import type { Account } from './account.ts';

/** Where reports of written records go, with back-pressure. */
export interface ReportSink {
  /** Writes a chunk; the promise, if there is one, resolves when the reader has caught up. */
  write(chunk: Uint8Array): Promise<void> | undefined;
}

/** What to produce, and how. */
export interface ProduceRequest {
  /**
   * The topic; undefined if every record names its own. A topic read by a layout's `%t` takes precedence, one in a JSON
   * envelope does not.
   */
  readonly topic: string | undefined;
  readonly parser: CompiledParser;
  /** Looks up the schemas of a topic's records; undefined if records are written as they are. */
  readonly encodingOf?: ((topic: string) => Promise<RecordEncoding>) | undefined;
  /** Whether empty values become null. */
  readonly tombstones: boolean;
  /** The key of records whose input has none; undefined for null. */
  readonly key: Buffer | undefined;
  /** Headers to put before those of the input. */
  readonly headers: readonly RecordHeader[];
  /** The partition of records that name none; undefined to choose by key, or to spread records without one. */
  readonly partition: number | undefined;
  readonly compression: Compression;
  /** -1 is all in-sync replicas, with an idempotent producer. */
  readonly acks: -1 | 0 | 1;
  /** The delivery timeout, which replaces the retry timeout; undefined for none. */
  readonly deliveryTimeoutMs: number | undefined;
  /** The largest size of a batch in bytes, before compression. */
  readonly maxMessageBytes: number;
  /** Whether to refuse a record that is larger by itself instead of giving it a batch of its own. */
  readonly refusesLarger?: boolean;
  readonly createMissing: boolean;
  /** The format in which every written record is printed; undefined to print nothing. */
  readonly report: CompiledFormat | undefined;
  /** The input as it arrives; the memory of a chunk is valid until the next one is requested. */
  readonly input: AsyncIterable<Uint8Array | string>;
  warn(line: string): void;
  /** Called for each delivered batch, with its number of records. */
  onDelivered(records: number): void;
}

/** How many records would go to a partition; a null partition means records spread over all of them as batches fill. */
export interface PlannedRecords {
  readonly topic: string;
  readonly partition: number | null;
  readonly records: number;
}

/** A production that is ready to start: its topic exists. */
export interface Production {
  /**
   * Writes the input to its end, or until `stop`; resolves with the number of records. Not bounded by the command
   * timeout.
   */
  pump(sink: ReportSink): Promise<number>;
  /** Reads the input to its end, writes nothing and returns where the records would go. */
  plan(): Promise<readonly PlannedRecords[]>;
  /** Stops reading; `pump` then delivers what was read and resolves. */
  stop(): void;
  /** What has become of the records read so far. */
  account(): Account;
  /** The topics of the records read so far. */
  topics(): readonly string[];
  /** Stops sending at once, so that the account does not change any more, and adds it to `error`. */
  giveUp(error: CliError): CliError;
}
