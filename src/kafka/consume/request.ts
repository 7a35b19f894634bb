import type { Balancer, GroupProtocol } from '../groups/balancers.ts';
import type { CompiledFormat } from '../record-language/format.ts';
import type { FormatSource } from '../record-language/format-source.ts';
import type { OffsetRange } from './offset-range.ts';
import type { PrintSink } from './printer.ts';

/** What is read, and how it is printed. */
export interface ConsumeRequest {
  /** Names, or regular expressions with `regex`. */
  readonly topics: readonly string[];
  readonly regex: boolean;
  /** Only these partitions of every topic; none named: all. */
  readonly partitions: readonly number[];
  /** With a group: where to begin without a commit. */
  readonly range: OffsetRange;
  /** Records to print in all; Infinity for no limit. */
  readonly limit: number;
  readonly group: GroupMembershipRequest | undefined;
  readonly format: CompiledFormat;
  /** What `format` is compiled from, so that a thread of its own can do it; left out, none will. */
  readonly formatSource?: FormatSource;
  readonly readCommitted: boolean;
  readonly printControl: boolean;
  readonly fetchMaxBytes: number;
  readonly fetchMaxPartitionBytes: number;
  readonly fetchMaxWaitMs: number;
  /** Lets the broker name a nearer replica; '' for none. */
  readonly rack: string;
  warn(line: string): void;
  /** Called with the number of records printed so far, after every answer. */
  onPrinted(records: number): void;
}

/** Which group to join, and how. */
export interface GroupMembershipRequest {
  readonly name: string;
  readonly instanceId: string | undefined;
  /** Undefined: that of the group as it is now, classic for a new one. */
  readonly protocol: GroupProtocol | undefined;
  /** For the classic protocol, in order of preference. */
  readonly balancers: readonly Balancer[];
  /** For the consumer protocol: the coordinator's assignor; undefined for its default. */
  readonly assignor: string | undefined;
}

/** A consumption that is checked and ready: topics exist, offsets are known. */
export interface Consumption {
  /** Prints until the end, the limit or `stop`; resolves with the number of records. Not under the command timeout. */
  pump(sink: PrintSink): Promise<number>;
  /** Stops reading; `pump` then commits what was printed, leaves the group and resolves. */
  stop(): void;
}

/** What `Kafka` can do about consuming. */
export interface ConsumeCalls {
  /** Checks topics and resolves offsets; reads nothing yet. */
  consume(request: ConsumeRequest): Promise<Consumption>;
}
