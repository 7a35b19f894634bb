import type { CompiledFormat } from '../record-language/format.ts';
import type { CompiledParser } from '../record-language/parse.ts';
import type { RecordHeader } from '../records/batch-records.ts';
import type { Compression } from '../records/compression/compressions.ts';

/** Where reports of what was written go, with back-pressure. */
export interface ReportSink {
  /** Writes; the promise, when there is one, resolves when the reader has caught up. */
  write(chunk: Uint8Array): Promise<void> | undefined;
}

/** What is written, and how. */
export interface ProduceRequest {
  /** Undefined: every record names its own. A topic read by a layout's `%t` wins, one in a JSON envelope does not. */
  readonly topic: string | undefined;
  readonly parser: CompiledParser;
  /** Empty values become null. */
  readonly tombstones: boolean;
  /** The key of records whose input has none; undefined for null. */
  readonly key: Buffer | undefined;
  /** Come before the headers of the input. */
  readonly headers: readonly RecordHeader[];
  /** Undefined: by key, or spread. Otherwise the partition of records that name none. */
  readonly partition: number | undefined;
  readonly compression: Compression;
  /** -1: all in-sync replicas, with an idempotent producer. */
  readonly acks: -1 | 0 | 1;
  /** Instead of the retry timeout; undefined for none. */
  readonly deliveryTimeoutMs: number | undefined;
  /** Most bytes of a batch before compression. */
  readonly maxMessageBytes: number;
  /** Whether a record that is larger by itself is refused; else it goes into a batch of its own. */
  readonly refusesLarger?: boolean;
  readonly createMissing: boolean;
  /** What is printed of every written record; undefined for nothing. */
  readonly report: CompiledFormat | undefined;
  /** The input, as it comes; the memory of a piece is valid until the next one is asked for. */
  readonly input: AsyncIterable<Uint8Array | string>;
  warn(line: string): void;
  /** Called with the number of records of each batch that is delivered. */
  onDelivered(records: number): void;
}

/** How many records would go where; partition null: one of them all, as batches fill. */
export interface PlannedRecords {
  readonly topic: string;
  readonly partition: number | null;
  readonly records: number;
}

/** A production that is checked and ready: the topic exists. */
export interface Production {
  /** Writes the input to its end, or to `stop`; resolves with the number of records. Not under the command timeout. */
  pump(sink: ReportSink): Promise<number>;
  /** Reads the input to its end and writes nothing. */
  plan(): Promise<readonly PlannedRecords[]>;
  /** Reads no further; `pump` then delivers what was read and resolves. */
  stop(): void;
}

/** What `Kafka` can do about producing. */
export interface ProduceCalls {
  /** Checks the topic; reads no input yet. */
  produce(request: ProduceRequest): Promise<Production>;
}
